// The recorder's state per thread, in thread-local storage that takes one instruction to reach.
#pragma once

#include <stdint.h>

#include "capture/rings/ring.h"

namespace tauprof::capture {

// Lets the writer thread read a thread's Python frames.
struct SampledThread {
  uint64_t posix_thread;   // pthread_self()
  uint64_t python_thread;  // its state in the interpreter; 0: not known
  uint64_t outermost;      // its outermost Python frame, which stays while inner ones come and go
};

struct OpenRanges;
struct Communicator;

struct ThreadState {
  // The hooked call that the thread is in, if any: nothing else is recorded meanwhile.
  uintptr_t inside;        // where its frame ends on the stack; kOwnWork: the recorder works; 0: the thread is in none
  const void* inside_of;   // its return address
  uint32_t group_depth;    // open ncclGroupStart calls
  uint64_t group;          // the number of the open group
  uint64_t last_end;       // ticks, of the previous call
  Ring* ring;              // null before the first record
  SampledThread* sampled;  // null before the first record
  uint64_t refused_at;     // ticks, of the first call that found no ring
  OpenRanges* ranges;      // NVTX; null before the first
  uint8_t device;          // as cudaSetDevice set it
  bool group_has_messages;
  bool is_own_time;   // an OwnTime counts
  uint16_t function;  // hook number of the call that is being tracked
  const void* site;   // its return address
  // Of the collective that is being recorded:
  uint32_t graph;  // mark of the capture that it is part of, or that a launched graph came from; 0: none
  Communicator* communicator;
  uint64_t sequence;
  uint64_t call_start;   // ticks, of the call that is being tracked
  uint32_t watched_by;   // the CallWatch whose callbacks report a call that has not returned; 0: none
  uintptr_t watched_at;  // where its frame ended, as `inside`
  uint64_t call_cpu_ns;  // CallTimes::thread_cpu_ns of that call
  // The streams that the open group's work will run on. Only kept while CUDA events time device work.
  static constexpr uint8_t kMostGroupStreams = 4;
  uint8_t group_stream_count;  // kMostGroupStreams + 1: there are more than fit
  void* group_streams[kMostGroupStreams];

  void add_group_stream(void* stream) {
    for (uint8_t i = 0; i < group_stream_count && i < kMostGroupStreams; ++i)
      if (group_streams[i] == stream) return;
    if (group_stream_count < kMostGroupStreams) group_streams[group_stream_count] = stream;
    if (group_stream_count <= kMostGroupStreams) ++group_stream_count;
  }
};

extern __thread ThreadState thread_state __attribute__((tls_model("initial-exec"), visibility("hidden")));

inline constexpr uintptr_t kOwnWork = UINTPTR_MAX;

// While one of these exists, the calls of this thread are the recorder's own and not recorded.
class OwnCalls {
 public:
  OwnCalls() : before_(thread_state.inside) { thread_state.inside = kOwnWork; }
  ~OwnCalls() { thread_state.inside = before_; }
  OwnCalls(const OwnCalls&) = delete;
  OwnCalls& operator=(const OwnCalls&) = delete;

 private:
  const uintptr_t before_;
};

// Where the frame of the function that this is expanded in ends: above it are its callers.
#define TAUPROF_FRAME_END() reinterpret_cast<uintptr_t>(__builtin_dwarf_cfa())

// Whether a call whose frame ended at `outer` may still be under way in one whose frame ends at `inner`: stacks grow
// downwards. It may have been left without returning: by longjmp(), an exception, a switch of stacks.
inline bool may_be_within(uintptr_t outer, uintptr_t inner) { return inner < outer; }

}  // namespace tauprof::capture
