// Reads, splits and indexes one trace on its own thread, a few batches ahead of the thread that parses. A small trace
// is read by the thread that parses: to wake another one takes longer.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "import/batch.h"
#include "import/byte_source.h"

namespace tauprof::kineto {

class TraceStream {
 public:
  explicit TraceStream(std::unique_ptr<ByteSource> source);
  ~TraceStream();
  TraceStream(const TraceStream&) = delete;
  TraceStream& operator=(const TraceStream&) = delete;

  // The next batch; null at the end. Then the facts below are known. The one before must have been given back.
  BatchPointer next() { return thread_.joinable() ? full_.pop() : read_batch(); }
  void give_back(BatchPointer batch) { empty_.push(std::move(batch)); }

  bool is_empty() const { return bytes_ == 0; }
  bool is_foreign() const { return splitter_.is_foreign(); }
  bool is_trace() const { return splitter_.is_trace(); }
  bool is_complete() const { return splitter_.is_complete(); }
  uint64_t bytes() const { return bytes_; }  // of inflated text
  const Status& source_status() const { return source_->status(); }

 private:
  void run();
  BatchPointer read_batch();
  bool fill(TextBuffer& buffer);
  BatchPointer carry_over(Batch& from, size_t used);

  std::unique_ptr<ByteSource> source_;
  EventSplitter splitter_;
  uint64_t bytes_ = 0;
  BatchPointer filling_;  // the next to be read, with what was left of the one before
  BatchQueue empty_;
  BatchQueue full_;
  std::thread thread_;
};

}  // namespace tauprof::kineto
