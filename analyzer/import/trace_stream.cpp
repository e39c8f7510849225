#include "import/trace_stream.h"

#include <algorithm>

namespace tauprof::kineto {
namespace {

constexpr size_t kBatches = 6;
constexpr size_t kBatchesInTurn = 2;  // one is filled, one parsed
constexpr size_t kBatchBytes = 128u << 10;

}  // namespace

TraceStream::TraceStream(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {
  const size_t batches = source_->is_small() ? kBatchesInTurn : kBatches;
  for (size_t i = 0; i < batches; ++i) empty_.push(std::make_unique<Batch>());
  filling_ = empty_.pop();
  filling_->buffer.reserve(kBatchBytes);
  if (!source_->is_small()) thread_ = std::thread([this] { run(); });
}

TraceStream::~TraceStream() {
  empty_.close();
  if (thread_.joinable()) thread_.join();
}

void TraceStream::run() {
  while (BatchPointer batch = read_batch()) full_.push(std::move(batch));
  full_.close();
}

// Null at the end.
BatchPointer TraceStream::read_batch() {
  BatchPointer batch = std::move(filling_);
  if (batch == nullptr) return nullptr;
  const bool is_last = !fill(batch->buffer);
  const size_t used = splitter_.split(batch->buffer.text(), is_last, batch->split);
  if (!is_last && !splitter_.is_surely_foreign()) filling_ = carry_over(*batch, used);
  batch->array.index(batch->buffer, batch->split);
  return batch;
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
