// What the recorder keeps for each thread, in thread-local storage that costs one instruction to reach.
#pragma once

#include <stdint.h>

#include "capture/rings/ring.h"

namespace tauprof::capture {

// What the writer thread needs to look at a thread's Python frames.
struct SampledThread {
  uint64_t posix_thread;   // pthread_self()
  uint64_t python_thread;  // its state in the interpreter; 0: not known
  uint64_t outermost;      // its outermost Python frame, which stays while others come and go
};

struct OpenRanges;
struct Communicator;

struct ThreadState {
  uint32_t depth;          // inside a hooked call, or one of the recorder's own threads: nothing is recorded
  uint32_t group_depth;    // ncclGroupStart without its end
  uint64_t group;          // number of that group
  uint64_t last_end;       // ticks, of the call before
  Ring* ring;              // null: no record yet
  SampledThread* sampled;  // null: no record yet
  OpenRanges* ranges;      // NVTX; null: none yet
  uint8_t device;          // as cudaSetDevice chose
  bool group_has_messages;
  uint16_t function;  // hook number of the call that is being tracked
  // Of the collective that is being recorded:
  uint32_t graph;  // it was captured into, as a mark
  Communicator* communicator;
  uint64_t sequence;
  uint64_t call_start;  // ticks, of the call that is being tracked
  // Of the group that is open, where CUDA events time its work: the streams that it will run on.
  static constexpr uint8_t kMostGroupStreams = 4;
  uint8_t group_stream_count;  // kMostGroupStreams + 1: more than there is room for
  void* group_streams[kMostGroupStreams];

  void add_group_stream(void* stream) {
    for (uint8_t i = 0; i < group_stream_count && i < kMostGroupStreams; ++i)
      if (group_streams[i] == stream) return;
    if (group_stream_count < kMostGroupStreams) group_streams[group_stream_count] = stream;
    if (group_stream_count <= kMostGroupStreams) ++group_stream_count;
  }
};

extern __thread ThreadState thread_state __attribute__((tls_model("initial-exec")));

// While one exists, the calls that this thread makes are the recorder's own.
class OwnCalls {
 public:
  OwnCalls() { ++thread_state.depth; }
  ~OwnCalls() { --thread_state.depth; }
  OwnCalls(const OwnCalls&) = delete;
  OwnCalls& operator=(const OwnCalls&) = delete;
};

}  // namespace tauprof::capture
