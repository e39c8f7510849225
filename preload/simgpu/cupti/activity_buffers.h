// The path of records to the client's buffers.
//
// A record is staged when its work is submitted, in the order of submission, and may be completed later. Staging never
// calls the client, because the engine's lock may be held. Placing moves staged records into a buffer, and asks the
// client for one, with no lock held, if there is none. Records are placed when the call that staged them returns, by
// the worker for threads that are in no call, and before a flush. A buffer is full when the next record does not fit or
// the client's limit is reached. It is delivered to the client when it is full and its records are complete. A flush
// also delivers complete buffers that are not full; a forced flush delivers all, with 0 for the times of incomplete
// records.
//
//   stage(kernel, span 7) → [staged] → place → [open buffer] → next record does not fit → [full, 1 unfinished]
//   → complete(7) → [full, 0 unfinished] → the worker delivers it
//
// Each thread fills buffers of its own, unless CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER is 0.
#pragma once

#include <cupti.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "simgpu/cupti/client_clock.h"
#include "simgpu/cupti/record_layout.h"

namespace simgpu::cupti {

class ActivityBuffers {
 public:
  explicit ActivityBuffers(ClientClock& clock) : clock_(clock) {}

  void use_callbacks(CUpti_BuffersCallbackRequestFunc requested, CUpti_BuffersCallbackCompleteFunc completed);
  // Those of a subscriber: they get one argument more, of which only the size is filled in, and no context.
  using SubscriberRequested = void (*)(std::uint8_t**, std::size_t*, std::size_t*, void*);
  using SubscriberCompleted = void (*)(std::uint8_t*, std::size_t, std::size_t, void*);
  void use_subscriber_callbacks(SubscriberRequested requested, SubscriberCompleted completed);
  bool has_callbacks() const { return completed_ || subscriber_completed_; }
  std::atomic<bool> per_thread{true};
  std::atomic<bool> client_zeroes{false};

  // `record` is one of the structs of record_layout.h. With `span` it is incomplete until complete(span).
  template <typename Record>
  void stage(const Record& record, std::uint64_t span = 0) {
    stage_bytes(reinterpret_cast<const std::uint8_t*>(&record), sizeof record, span);
  }
  // Calls `fill` with the bytes of the record of `span`, if it is still here.
  template <typename Fill>
  void complete(std::uint64_t span, Fill fill) {
    const std::lock_guard lock(mutex_);
    const auto found = unfinished_.find(span);
    if (found == unfinished_.end()) return;
    fill(found->second.bytes);
    finish(found->second);
    unfinished_.erase(found);
  }

  void place_own();  // places what this thread has staged
  void place_all();
  void flush(bool forced);
  // Delivers the buffers that are full and complete.
  void deliver_full();
  std::size_t take_dropped();
  bool has_unfinished();  // records of work that has not ended
  // Drops all records and buffers. The client does not get its buffers back.
  void discard();

  // For the worker: waits until there is something to place or to deliver.
  bool wait_for_work(std::chrono::milliseconds at_most, const std::atomic<bool>& stopped);
  void wake_worker();

 private:
  struct Buffer {
    std::uint8_t* bytes = nullptr;
    std::size_t size = 0;
    std::size_t most_records = 0;  // 0: as many as fit
    std::size_t used = 0;
    std::size_t records = 0;
    std::size_t unfinished = 0;
    bool full = false;
  };
  using BufferRef = std::unique_ptr<Buffer>;
  struct Staged {
    std::array<std::uint8_t, kLargestRecord> bytes;
    std::size_t size;
    std::uint64_t span;  // 0: complete
  };
  struct Queue {
    std::deque<Staged> staged;
    BufferRef open;
    std::int32_t placing = 0;  // the thread that places; 0: none
  };
  struct Location {
    std::uint8_t* bytes;
    Staged* staged;  // one of these two
    Buffer* buffer;
  };
  using Lock = std::unique_lock<std::mutex>;

  void stage_bytes(const std::uint8_t* bytes, std::size_t size, std::uint64_t span);
  void finish(const Location& location);
  Queue& own_queue();
  void place(Lock& lock, Queue& queue);
  bool ensure_room(Lock& lock, Queue& queue);
  void request(Buffer& buffer) const;
  void complete(const Buffer& buffer) const;
  BufferRef request_buffer() const;
  void put_front(Queue& queue);
  void drop_front(Queue& queue);
  void close(Queue& queue);
  std::vector<BufferRef> take_deliverable(bool also_open, bool forced);
  void deliver(std::vector<BufferRef> buffers);
  void convert_times(Buffer& buffer);

  ClientClock& clock_;
  std::atomic<CUpti_BuffersCallbackRequestFunc> requested_{nullptr};
  std::atomic<CUpti_BuffersCallbackCompleteFunc> completed_{nullptr};
  std::atomic<SubscriberRequested> subscriber_requested_{nullptr};
  std::atomic<SubscriberCompleted> subscriber_completed_{nullptr};

  std::mutex mutex_;  // guards all below; never held during a call of the client
  std::condition_variable changed_;
  std::unordered_map<std::int32_t, Queue> queues_;  // by thread, or all in 0
  std::unordered_map<std::uint64_t, Location> unfinished_;
  std::vector<BufferRef> full_;
  std::size_t dropped_ = 0;
  int delivering_ = 0;
  bool worker_needed_ = false;
};

}  // namespace simgpu::cupti
