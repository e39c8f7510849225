#include "import/trace_stream.h"

#include <algorithm>

namespace tauprof::kineto {
namespace {

constexpr size_t kBatches = 6;
constexpr size_t kBatchBytes = 128u << 10;

}  // namespace

TraceStream::TraceStream(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {
  for (size_t i = 0; i < kBatches; ++i) empty_.push(std::make_unique<Batch>());
  thread_ = std::thread([this] { run(); });
}

TraceStream::~TraceStream() {
  empty_.close();
  thread_.join();
}

void TraceStream::run() {
  BatchPointer batch = empty_.pop();
  bool goes_on = batch != nullptr;
  if (goes_on) batch->buffer.reserve(kBatchBytes);
  while (goes_on) {
    const bool is_last = !fill(batch->buffer);
    const size_t used = splitter_.split(batch->buffer.text(), is_last, batch->split);
    BatchPointer following = is_last || splitter_.is_surely_foreign() ? nullptr : carry_over(*batch, used);
    goes_on = following != nullptr;
    batch->array.index(batch->buffer, batch->split);
    full_.push(std::move(batch));
    batch = std::move(following);
  }
  full_.close();
}

// Fills the buffer. False: that was the end of the file.
bool TraceStream::fill(TextBuffer& buffer) {
  while (buffer.size() < buffer.capacity()) {
    const size_t got = source_->read(buffer.data() + buffer.size(), buffer.capacity() - buffer.size());
    if (got == 0) return false;
    buffer.set_size(buffer.size() + got);
    bytes_ += got;
  }
  return true;
}

// Copies the unused end of a batch to the start of the next, which has room for at least as much again.
BatchPointer TraceStream::carry_over(Batch& from, size_t used) {
  BatchPointer next = empty_.pop();
  if (next == nullptr) return nullptr;
  const std::string_view unused = from.buffer.text().substr(used);
  next->split.clear();
  next->buffer.set_size(0);
  next->buffer.reserve(std::max(kBatchBytes, 2 * unused.size()));
  memcpy(next->buffer.data(), unused.data(), unused.size());
  next->buffer.set_size(unused.size());
  return next;
}

}  // namespace tauprof::kineto
