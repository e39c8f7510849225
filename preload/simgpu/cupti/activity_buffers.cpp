// Staging, placing and delivering activity records.
#include "simgpu/cupti/activity_buffers.h"

#include <cstring>
#include <utility>

#include "simgpu/cupti/faults.h"
#include "simgpu/cupti/record_layout.h"
#include "simgpu/engine/call.h"

namespace simgpu::cupti {
namespace {

thread_local int deliveries_under_way = 0;

// A copy that a forced flush takes before it has started has all bits set, as on an H100 with CUDA 13.0 Update 1.
void mark_unfinished(MemcpyRecord& copy) {
  if (copy.start == 0) copy.start = UINT64_MAX;
}

}  // namespace

void ActivityBuffers::use_callbacks(CUpti_BuffersCallbackRequestFunc requested,
                                    CUpti_BuffersCallbackCompleteFunc completed) {
  requested_ = requested;
  completed_ = completed;
}

void ActivityBuffers::use_subscriber_callbacks(SubscriberRequested requested, SubscriberCompleted completed) {
  subscriber_requested_ = requested;
  subscriber_completed_ = completed;
}

void ActivityBuffers::request(Buffer& buffer) const {
  std::size_t info = sizeof info;
  if (const auto requested = requested_.load())
    requested(&buffer.bytes, &buffer.size, &buffer.most_records);
  else
    subscriber_requested_.load()(&buffer.bytes, &buffer.size, &buffer.most_records, &info);
}

void ActivityBuffers::complete(const Buffer& buffer) const {
  struct {
    std::size_t size = sizeof *this;
    std::uint64_t thread = 0;
    void** layouts = nullptr;
    std::size_t layout_count = 0;
  } info;
  if (const auto completed = completed_.load())
    completed(nullptr, 0, buffer.bytes, buffer.size, buffer.used);
  else if (const auto subscriber_completed = subscriber_completed_.load())
    subscriber_completed(buffer.bytes, buffer.size, buffer.used, &info);
}

ActivityBuffers::Queue& ActivityBuffers::own_queue() { return queues_[per_thread ? this_thread() : 0]; }

void ActivityBuffers::stage_bytes(const std::uint8_t* bytes, std::size_t size, std::uint64_t span) {
  const std::lock_guard lock(mutex_);
  Staged& staged = own_queue().staged.emplace_back();
  std::memcpy(staged.bytes.data(), bytes, size);
  staged.size = size;
  staged.span = span;
  if (span != 0) unfinished_[span] = {staged.bytes.data(), &staged, nullptr};
}

void ActivityBuffers::finish(const Location& location) {
  if (location.staged) {
    location.staged->span = 0;
    return;
  }
  Buffer& buffer = *location.buffer;
  if (--buffer.unfinished != 0 || !buffer.full) return;
  worker_needed_ = true;
  changed_.notify_all();
}

void ActivityBuffers::place_own() {
  Lock lock(mutex_);
  place(lock, own_queue());
}

void ActivityBuffers::place_all() {
  Lock lock(mutex_);
  // Threads may add queues meanwhile: references into the map stay valid, iterators do not.
  std::vector<Queue*> queues;
  for (auto& [thread, queue] : queues_) queues.push_back(&queue);
  for (Queue* queue : queues) {
    changed_.wait(lock, [&] { return queue->placing == 0 || queue->placing == this_thread(); });
    place(lock, *queue);
  }
}

// If another thread, or an outer call of this one, is already placing, it also places what was staged since.
void ActivityBuffers::place(Lock& lock, Queue& queue) {
  if (queue.placing != 0 || queue.staged.empty()) return;
  queue.placing = this_thread();
  while (!queue.staged.empty()) {
    if (ensure_room(lock, queue)) {
      put_front(queue);
    } else {
      drop_front(queue);
    }
  }
  queue.placing = 0;
  changed_.notify_all();
}

bool ActivityBuffers::ensure_room(Lock& lock, Queue& queue) {
  const std::size_t size = queue.staged.front().size;
  if (queue.open && queue.open->used + size > queue.open->size) close(queue);
  if (queue.open) return true;
  lock.unlock();
  BufferRef buffer = request_buffer();
  if (buffer && buffer->size < size) {
    complete(*buffer);
    buffer.reset();
  }
  lock.lock();
  queue.open = std::move(buffer);
  return queue.open != nullptr;
}

ActivityBuffers::BufferRef ActivityBuffers::request_buffer() const {
  if (!has_callbacks() || faults().no_buffers || faults().registered_elsewhere) return nullptr;
  auto buffer = std::make_unique<Buffer>();
  request(*buffer);
  if (!buffer->bytes && api_version() < 27) crash("a declined buffer request");
  if (!buffer->bytes) return nullptr;
  if (!client_zeroes) std::memset(buffer->bytes, 0, buffer->size);
  return buffer;
}

void ActivityBuffers::put_front(Queue& queue) {
  Staged& staged = queue.staged.front();
  Buffer& buffer = *queue.open;
  std::uint8_t* place = buffer.bytes + buffer.used;
  std::memcpy(place, staged.bytes.data(), staged.size);
  buffer.used += staged.size;
  ++buffer.records;
  if (staged.span != 0) {
    ++buffer.unfinished;
    unfinished_[staged.span] = {place, nullptr, &buffer};
  }
  queue.staged.pop_front();
  if (buffer.records == buffer.most_records) close(queue);
}

void ActivityBuffers::drop_front(Queue& queue) {
  unfinished_.erase(queue.staged.front().span);
  queue.staged.pop_front();
  ++dropped_;
}

void ActivityBuffers::close(Queue& queue) {
  queue.open->full = true;
  if (queue.open->unfinished == 0) worker_needed_ = true;
  full_.push_back(std::move(queue.open));
  changed_.notify_all();
}

void ActivityBuffers::flush(bool forced) {
  place_all();
  Lock lock(mutex_);
  auto buffers = take_deliverable(true, forced);
  lock.unlock();
  deliver(std::move(buffers));
  lock.lock();
  // A delivery under way on the worker is part of this flush. Do not wait for the client's completion callback if it
  // called this flush: it ends after us.
  changed_.wait(lock, [&] { return delivering_ == deliveries_under_way || deliveries_under_way > 0; });
}

bool ActivityBuffers::has_unfinished() {
  const std::lock_guard lock(mutex_);
  return !unfinished_.empty();
}

void ActivityBuffers::deliver_full() {
  Lock lock(mutex_);
  auto buffers = take_deliverable(false, false);
  lock.unlock();
  deliver(std::move(buffers));
}

std::vector<ActivityBuffers::BufferRef> ActivityBuffers::take_deliverable(bool also_open, bool forced) {
  const auto deliverable = [&](const BufferRef& buffer) { return forced || buffer->unfinished == 0; };
  std::vector<BufferRef> taken;
  for (BufferRef& buffer : full_) {
    if (deliverable(buffer)) taken.push_back(std::move(buffer));
  }
  std::erase(full_, nullptr);
  for (auto& [thread, queue] : queues_) {
    // A queue into which a thread is placing keeps its buffer: the thread is about to write to it.
    if (also_open && queue.open && queue.placing == 0 && deliverable(queue.open)) {
      taken.push_back(std::move(queue.open));
    }
  }
  for (const BufferRef& buffer : taken) {
    if (buffer->unfinished == 0) continue;
    std::erase_if(unfinished_, [&](const auto& entry) { return entry.second.buffer == buffer.get(); });
  }
  delivering_ += static_cast<int>(!taken.empty());
  return taken;
}

void ActivityBuffers::deliver(std::vector<BufferRef> buffers) {
  if (buffers.empty()) return;
  clock_.sample();
  ++deliveries_under_way;
  for (BufferRef& buffer : buffers) {
    convert_times(*buffer);
    complete(*buffer);
  }
  --deliveries_under_way;
  const std::lock_guard lock(mutex_);
  --delivering_;
  changed_.notify_all();
}

void ActivityBuffers::convert_times(Buffer& buffer) {
  for (std::size_t at = 0; at < buffer.used;) {
    std::uint8_t* record = buffer.bytes + at;
    const RecordLayout* layout = record_layout(record_kind(record));
    for (const std::size_t offset : layout->times) {
      std::uint64_t time;
      std::memcpy(&time, record + offset, sizeof time);
      time = clock_.convert(time);
      std::memcpy(record + offset, &time, sizeof time);
    }
    if (record_kind(record) == CUPTI_ACTIVITY_KIND_MEMCPY) mark_unfinished(*reinterpret_cast<MemcpyRecord*>(record));
    at += layout->size;
  }
}

std::size_t ActivityBuffers::take_dropped() {
  const std::lock_guard lock(mutex_);
  return std::exchange(dropped_, 0);
}

void ActivityBuffers::discard() {
  const std::lock_guard lock(mutex_);
  for (auto& [thread, queue] : queues_) {
    if (queue.placing != 0) continue;
    queue.staged.clear();
    queue.open.reset();
  }
  unfinished_.clear();
  full_.clear();
  dropped_ = 0;
}

bool ActivityBuffers::wait_for_work(std::chrono::milliseconds at_most, const std::atomic<bool>& stopped) {
  Lock lock(mutex_);
  const auto ready = [&] { return worker_needed_ || stopped; };
  if (at_most.count() > 0) {
    changed_.wait_for(lock, at_most, [&] { return stopped.load(); });
  } else {
    changed_.wait(lock, ready);
  }
  worker_needed_ = false;
  return !stopped;
}

void ActivityBuffers::wake_worker() {
  const std::lock_guard lock(mutex_);
  worker_needed_ = true;
  changed_.notify_all();
}

}  // namespace simgpu::cupti
