#include "capture/device/call_index.h"

namespace tauprof::capture {

void CallIndex::init(void* memory, size_t bytes) {
  threads_ = static_cast<Thread*>(memory);
  chunks_ = reinterpret_cast<Chunk*>(threads_ + kMostThreads);
  const size_t taken = kMostThreads * sizeof(Thread);
  chunk_count_ = bytes > taken ? static_cast<uint32_t>((bytes - taken) / sizeof(Chunk)) : 0;
}

CallIndex::Thread* CallIndex::thread_of(uint32_t self, bool may_add) {
  const uint32_t home = self * 0x9E3779B9u >> 8;
  for (uint32_t i = 0; i < kMostThreads; ++i) {
    Thread& thread = threads_[(home + i) % kMostThreads];
    if (thread.is_used && thread.self == self) return &thread;
    if (thread.is_used) continue;
    if (!may_add) return nullptr;
    thread.self = self;
    thread.is_used = true;
    return &thread;
  }
  return nullptr;
}

// Chunks are reused in order, so the one to be forgotten is the oldest of all, and the oldest of its thread.
CallIndex::Chunk* CallIndex::new_chunk(Thread& thread) {
  if (chunk_count_ == 0) return nullptr;
  Chunk& chunk = chunks_[next_chunk_];
  next_chunk_ = (next_chunk_ + 1) % chunk_count_;
  if (chunk.thread != nullptr) forget(chunk);
  chunk.thread = &thread;
  chunk.count = 0;
  chunk.newer = nullptr;
  chunk.older = thread.newest;
  if (chunk.older != nullptr) chunk.older->newer = &chunk;
  thread.newest = &chunk;
  if (thread.looked_at == nullptr) thread.looked_at = &chunk;
  return &chunk;
}

void CallIndex::forget(Chunk& chunk) {
  Thread& thread = *chunk.thread;
  thread.forgotten_until = chunk.last_end();
  if (chunk.newer != nullptr) chunk.newer->older = nullptr;
  if (thread.newest == &chunk) thread.newest = nullptr;
  if (thread.looked_at == &chunk) thread.looked_at = chunk.newer;
}

void CallIndex::add(const RecordedCall& call) {
  Thread* thread = thread_of(call.thread_id, true);
  if (thread == nullptr) return;
  Chunk* chunk = thread->newest;
  if (chunk != nullptr && call.end_ns < chunk->last_end())
    return;  // a message that its group tells of; it launches nothing
  if (chunk == nullptr || chunk->count == Chunk::kMost) chunk = new_chunk(*thread);
  if (chunk == nullptr) return;
  chunk->entries[chunk->count++] = {call.number, call.start_ns, call.end_ns};
}

bool CallIndex::is_newest(uint32_t thread_id, uint64_t announced) {
  constexpr uint64_t kSlackNs = 1000;
  const Thread* thread = thread_of(thread_id, false);
  if (thread == nullptr || thread->newest == nullptr) return false;
  const Entry& entry = thread->newest->entries[thread->newest->count - 1];
  return entry.number != kDroppedCall && (announced <= entry.start || announced + kSlackNs < entry.end);
}

CallIndex::Answer CallIndex::find(uint32_t thread_id, uint64_t time, uint64_t& number) {
  Thread* thread = thread_of(thread_id, false);
  if (thread == nullptr) return Answer::kNotYet;
  if (thread->newest == nullptr || thread->newest->last_end() < time)
    return time <= thread->forgotten_until ? Answer::kForgotten : Answer::kNotYet;
  Chunk* chunk = thread->looked_at;
  while (chunk->last_end() < time) chunk = chunk->newer;
  while (chunk->older != nullptr && chunk->older->last_end() >= time) chunk = chunk->older;
  thread->looked_at = chunk;
  uint64_t low = 0, high = chunk->count - 1;  // the first entry that ends at `time` or later
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    if (chunk->entries[middle].end < time)
      low = middle + 1;
    else
      high = middle;
  }
  const Entry& entry = chunk->entries[low];
  if (entry.start > time) return time <= thread->forgotten_until ? Answer::kForgotten : Answer::kNone;
  number = entry.number;
  return number != kDroppedCall ? Answer::kFound : Answer::kForgotten;
}

}  // namespace tauprof::capture
