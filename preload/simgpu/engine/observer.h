// Events for the simulated CUPTI. There is at most one observer; without one, observation costs nothing.
#pragma once

#include <cstdint>

#include "simgpu/engine/span.h"
#include "simgpu/engine/visibility.h"

namespace simgpu {

enum class ApiDomain : std::uint8_t {
  Runtime,
  Driver,
  Library
};  // Library: cuBLAS, NCCL; no correlation id, unobserved

struct ApiRecord {
  ApiDomain domain = ApiDomain::Runtime;
  std::uint32_t cbid = 0;  // within the domain, as in cupti_runtime_cbid.h and cupti_driver_cbid.h
  const char* function = "";
  const void* parameters = nullptr;  // the struct of generated_cuda_runtime_api_meta.h, or null
  const char* symbol = nullptr;      // the kernel's name, for launches
  std::uint32_t correlation = 0;
  std::uint32_t context = 0;
  std::int32_t thread = 0;           // gettid
  Nanoseconds start = 0;             // host time
  Nanoseconds end = 0;               // on exit
  int result = 0;                    // on exit
  std::uint64_t* scratch = nullptr;  // 8 bytes that live from enter to exit
};

enum class SyncKind : std::uint8_t { EventSynchronize, StreamWaitEvent, StreamSynchronize, ContextSynchronize };

struct SyncSpan {
  SyncKind kind = SyncKind::StreamSynchronize;
  std::uint32_t context = 0;
  std::uint32_t stream = 0;  // 0xffffffff: none
  std::uint32_t event = 0;
  std::uint32_t correlation = 0;
  Nanoseconds start = 0;  // host time
  Nanoseconds end = 0;
};

// api_* run on the calling thread without the engine's lock. The other functions may run with it: they must be short
// and must not call back into the engine.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void api_entered(const ApiRecord& call) = 0;
  virtual void api_left(const ApiRecord& call) = 0;
  // Records appear in activity buffers in the order of these calls.
  virtual void span_submitted(std::uint64_t id, const SpanDescription& what) = 0;
  virtual void span_finished(const Span& span) = 0;
  virtual void synchronized(const SyncSpan& sync) = 0;
  // Whether it makes records of any kind now. Any thread, with or without the engine's lock.
  virtual bool collects() { return false; }
};

// Only one copy of CUPTI may observe in a process: the one that claims first, for ever. `copy`: an address in it.
SIMGPU_API bool claim_observation(const void* copy);

// Null removes the observer. Returns once no thread is inside the previous one.
SIMGPU_API void set_observer(Observer* observer);

}  // namespace simgpu
