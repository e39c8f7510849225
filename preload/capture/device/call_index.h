// Answers which recorded call a thread was in at a given time.
//
// CUPTI says when and on which thread each launch was made; the recorder knows when each hooked call of that thread
// started and returned. So a kernel that cuBLAS or NCCL launches is joined to the hooked call around the launch. The
// usual way is to push an external correlation id before every library call. That costs two calls into CUPTI on the
// application's thread, and a record for each; this index costs the application nothing. It misses no more: external
// ids are kept per thread, too, so neither sees a launch that a library makes on a thread of its own.
//
// Hooked calls inside hooked calls are not recorded, so the calls of a thread do not overlap, and they are added in
// order. With calls [100, 200] and [300, 400], time 150 is in the first and 250 in none; 500 cannot be answered until a
// call is added that ends after it.
//
// Memory is fixed. The oldest calls are forgotten, one chunk of a thread's calls at a time. For one thread only.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/rings/recorded_call.h"

namespace tauprof::capture {

class CallIndex {
 public:
  // kForgotten: there may have been a call.
  enum class Answer : uint8_t { kFound, kNotYet, kNone, kForgotten };

  // `memory` is zeroed and outlives the index.
  void init(void* memory, size_t bytes);
  void add(const RecordedCall& call);
  // Whether `announced`, when the thread's newest announced call started, is the start of its newest call here: then
  // the thread has been in no call since. An announcement is a little early, and both times have been converted by
  // themselves. So of a call that took almost no time it cannot always be told: false.
  bool is_newest(uint32_t thread_id, uint64_t announced);
  // Finds the `number` of the call that the thread was in at `time`.
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
    Chunk* looked_at;  // where the last search ended; the next one ends near it
    uint64_t forgotten_until;
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
