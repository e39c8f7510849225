// Which of our calls was a thread in at a given time?
//
// CUPTI tells of each launch on which thread and when it was made; we know when each hooked call of that thread began
// and returned. So a kernel that cuBLAS or NCCL launches is joined to the hooked call around the launch. The usual way,
// pushing an external correlation id before every library call, costs two calls into CUPTI on the application's thread
// and a record each; this costs the application nothing. It knows no less: external ids are kept per thread, too, so a
// launch that a library makes on a thread of its own escapes both.
//
// Hooked calls inside hooked calls are not recorded, so a thread's calls follow each other and are told in order. With
// calls [100, 200] and [300, 400] of a thread: time 150 is found in the first, 250 in none, and 500 cannot be answered
// before a call is told that ends after it.
//
// Memory is fixed: the oldest calls are forgotten, a chunk of one thread's calls at a time. One thread uses it.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/rings/recorded_call.h"

namespace tauprof::capture {

class CallIndex {
 public:
  enum class Answer : uint8_t { kFound, kNotYet, kNone };

  // `memory` is zeroed and outlives the index.
  void begin(void* memory, size_t bytes);
  void add(const RecordedCall& call);
  // `number` of the call in which the thread was at `time`.
  Answer find(uint32_t thread_id, uint64_t time, uint64_t& number);

 private:
  struct Entry {
    uint64_t number, start, end;
  };
  struct Thread;
  struct Chunk {
    static constexpr uint32_t kMost = 168;
    Thread* thread;
    Chunk* older;
    Chunk* newer;
    uint64_t count;
    Entry entries[kMost];

    uint64_t last_end() const { return entries[count - 1].end; }
  };
  static_assert(sizeof(Chunk) <= 4096);
  struct Thread {
    uint32_t self;
    bool is_used;
    Chunk* newest;
    Chunk* looked_at;  // where the last search ended: the next one is near
  };
  static constexpr uint32_t kMostThreads = 1024;

  Thread* thread_of(uint32_t self, bool may_add);
  Chunk* new_chunk(Thread& thread);
  void forget(Chunk& chunk);

  Thread* threads_ = nullptr;
  Chunk* chunks_ = nullptr;
  uint32_t chunk_count_ = 0;
  uint32_t next_chunk_ = 0;
};

}  // namespace tauprof::capture
