// The scope of a call that a program makes into one of the simulated libraries.
//
// Every exported function opens an ApiCall first. It counts the call (the truth names operations by "the n-th call of
// that function on that thread"), gives it a correlation id, tells the observer, and serves an injected host stall.
// Calls nest: libraries launch through inner calls (domain Runtime or Driver), which have correlation ids of their own
// but are not counted, because the program did not make them.
//
//   cudaError_t cudaMemsetAsync(void* p, int value, size_t n, cudaStream_t stream) {
//     static const ApiFunction function{"cudaMemsetAsync", ApiDomain::Runtime, CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020};
//     ApiCall call(function);
//     return call.leave(…);
//   }
#pragma once

#include <cstdint>

#include "simgpu/engine/observer.h"
#include "simgpu/engine/span.h"
#include "simgpu/engine/visibility.h"

namespace simgpu {

struct ApiFunction {
  SIMGPU_API ApiFunction(const char* name, ApiDomain domain, std::uint32_t cbid = 0);
  const char* name;  // the exported symbol: cudaMemcpyAsync_ptsz is not cudaMemcpyAsync
  ApiDomain domain;
  std::uint32_t cbid;
  std::uint32_t index;  // of this thread's counters; unique in the process
};

class SIMGPU_API ApiCall {
 public:
  explicit ApiCall(const ApiFunction& function, const void* parameters = nullptr, const char* symbol = nullptr);
  ~ApiCall();
  ApiCall(const ApiCall&) = delete;
  ApiCall& operator=(const ApiCall&) = delete;

  // Notes the result for the observer and passes it through.
  template <typename Result>
  Result leave(Result result) {
    record_.result = static_cast<int>(result);
    return result;
  }

 private:
  ApiRecord record_;
  std::uint64_t scratch_ = 0;
  ApiCall* outer_;
  bool observed_;
};

// Of the calling thread: the outermost call that is under way. For operations that are launched later than the call
// that asks for them (NCCL groups), keep it and put it into the operation.
SIMGPU_API CallSite current_call_site();

// Of the calling thread's innermost call that has one; 0 outside of calls.
SIMGPU_API std::uint32_t current_correlation();

// A copy of `text` that lives as long as the process; equal texts give the same pointer.
SIMGPU_API const char* interned_name(const char* text);

SIMGPU_API std::int32_t this_thread();  // gettid, cached

// True in a child that was forked after the simulation began: CUDA cannot be used there, every call fails with
// cudaErrorInitializationError.
SIMGPU_API bool is_forked_child();

}  // namespace simgpu
