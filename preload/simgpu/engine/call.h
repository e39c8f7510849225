// The scope of a call into one of the simulated libraries.
//
// Every exported function opens an ApiCall first. The ApiCall counts the call (the truth names an operation by "the
// n-th call of that function on that thread"), gives it a correlation id, notifies the observer, and serves an injected
// host stall. Calls nest: libraries launch through inner calls (domain Runtime or Driver). An inner call gets a
// correlation id of its own but is not counted, because the program did not make it.
//
//   cudaError_t cudaMemsetAsync(void* p, int value, size_t n, cudaStream_t stream) {
//     static const ApiFunction function{"cudaMemsetAsync", ApiDomain::Runtime,
//     CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020}; ApiCall call(function); return call.leave(…);
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

  // Keeps the result for the observer and returns it.
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

// The outermost call under way on the calling thread. An operation that is launched later than the call that asked for
// it (in an NCCL group) must keep this and carry it.
SIMGPU_API CallSite current_call_site();

// The correlation id of the calling thread's innermost call that has one; 0 outside of calls.
SIMGPU_API std::uint32_t current_correlation();

// A copy of `text` that lives as long as the process; equal texts give the same pointer.
SIMGPU_API const char* interned_name(const char* text);

SIMGPU_API std::int32_t this_thread();  // gettid, cached

// True in a child that was forked after the simulation started. CUDA cannot be used there: every call fails with
// cudaErrorInitializationError.
SIMGPU_API bool is_forked_child();

}  // namespace simgpu
