// A piece of a trace's text with the events found in it, which the thread that reads and splits passes to the thread
// that parses. The number of batches is fixed, which bounds the memory.
#pragma once

#include <simdjson.h>

#include <condition_variable>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <string_view>

#include "import/event_splitter.h"

namespace tauprof::kineto {

// Text with room before it, for a bracket, and readable bytes after it.
class TextBuffer {
 public:
  static constexpr size_t kHeadroom = 64;
  static constexpr size_t kTailroom = 128;  // how far simdjson and the splitter may read past the end

  char* data() { return storage_.get() + kHeadroom; }
  std::string_view text() const { return {storage_.get() + kHeadroom, size_}; }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  void set_size(size_t size) { size_ = size; }

  // Makes room for at least `capacity` bytes; keeps the text.
  void reserve(size_t capacity) {
    if (capacity <= capacity_) return;
    auto larger = std::make_unique_for_overwrite<char[]>(kHeadroom + capacity + kTailroom);
    if (size_ > 0) memcpy(larger.get() + kHeadroom, data(), size_);
    storage_ = std::move(larger);
    capacity_ = capacity;
  }

 private:
  std::unique_ptr<char[]> storage_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

// The events of a batch as one JSON array. The thread that splits, which has time to spare, also does the indexing,
// which is half of simdjson's work.
class EventArray {
 public:
  // Overwrites the bytes around the events with brackets. Does nothing if there is more than a comma between two
  // events.
  void index(TextBuffer& buffer, const SplitResult& split);

  bool is_indexed() const { return is_indexed_; }
  simdjson::ondemand::document& document() { return document_; }

 private:
  simdjson::ondemand::parser parser_;
  simdjson::ondemand::document document_;
  bool is_indexed_ = false;
};

struct Batch {
  TextBuffer buffer;
  SplitResult split;
  EventArray array;

  std::string_view text(Slice slice) const { return buffer.text().substr(slice.offset, slice.size); }
};

using BatchPointer = std::unique_ptr<Batch>;

// Passes batches from one thread to another. After close(), push() drops batches and pop() returns those still queued.
class BatchQueue {
 public:
  void push(BatchPointer batch) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!is_closed_) batches_.push_back(std::move(batch));
    changed_.notify_one();
  }

  // Waits for a batch. Null: closed and empty.
  BatchPointer pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return is_closed_ || !batches_.empty(); });
    if (batches_.empty()) return nullptr;
    BatchPointer batch = std::move(batches_.front());
    batches_.pop_front();
    return batch;
  }

  void close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<BatchPointer> batches_;
  bool is_closed_ = false;
};

}  // namespace tauprof::kineto
