#include "log/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <new>

#include "log/writer_state.h"

namespace tauprof::log {

Writer::Writer() : state_(nullptr) {}

Writer::~Writer() {
  if (state_ == nullptr) return;
  state_->flush();
  state_->~WriterState();
  free(state_);
}

bool Writer::open(const char* path, const FileHeader& header) {
  if (state_ != nullptr) return state_->fail(EBUSY);
  void* const memory = malloc(sizeof(WriterState));
  if (memory == nullptr) return false;
  state_ = new (memory) WriterState;
  return state_->fail(state_->file.create(path, header));
}

void Writer::use(MemoryBudget& budget) {
  if (state_ == nullptr) return;
  state_->budget = &budget;
  state_->texts.use(&budget);
}

uint64_t Writer::state_not_kept() const { return state_ == nullptr ? 0 : state_->not_kept; }

bool Writer::set_run_id(const char* run_id) {
  return state_ != nullptr && state_->is_usable() && state_->fail(state_->file.set_run_id(run_id));
}

bool Writer::append_row(RecordKind kind, const int64_t* values) {
  return state_ != nullptr && state_->append(kind, values);
}

int64_t Writer::intern(const char* text, size_t size) {
  if (size == 0 || state_ == nullptr || !state_->is_usable()) return 0;
  const uint32_t id = state_->texts.intern(text, static_cast<uint32_t>(size < kMaxTextBytes ? size : kMaxTextBytes));
  if (id == 0) state_->fail(ENOMEM);
  return id;
}

bool Writer::drop_before(uint64_t offset) { return state_ != nullptr && state_->drop_before(offset); }

void Writer::set_event_limit(uint64_t bytes) {
  if (state_ != nullptr) state_->event_limit = bytes;
}

bool Writer::is_full() const { return state_ != nullptr && state_->is_full; }

bool Writer::flush() { return state_ != nullptr && state_->flush(); }

// The end record is written twice: in sequence, where it counts as a record, and after the recap as the very last
// block, whose record number shows whether anything before it was lost.
bool Writer::close(int64_t time, const char* reason) {
  if (state_ == nullptr || !state_->is_usable()) return false;
  const End end{time, intern(reason, strlen(reason))};
  if (flush() && append(end) && flush() && state_->write_recap()) {  // the end is the last block, whatever its number
    state_->batches[static_cast<size_t>(End::kKind)].add(reinterpret_cast<const int64_t*>(&end), kColumnCount<End>);
    state_->write_batch(End::kKind, kBlockRecap);
  }
  state_->is_closed = true;
  return state_->fail(state_->file.close()) && state_->error == 0;
}

bool Writer::remove() {
  if (state_ == nullptr || !state_->is_usable()) return false;
  state_->is_closed = true;
  return state_->fail(state_->file.remove());
}

bool Writer::is_blocked() const { return state_ != nullptr && state_->blocked_by != 0; }

bool Writer::resume() { return state_ != nullptr && state_->resume(); }

uint64_t Writer::take_discarded(RecordKind kind) {
  if (state_ == nullptr) return 0;
  uint64_t& discarded = state_->discarded[static_cast<size_t>(kind)];
  const uint64_t count = discarded;
  discarded = 0;
  return count;
}

int Writer::look() const { return state_ == nullptr ? ENOENT : state_->file.look(); }

bool Writer::ok() const { return state_ != nullptr && state_->error == 0; }
// Without a state, open() found no memory for it.
int Writer::error() const {
  if (state_ == nullptr) return ENOMEM;
  return state_->error != 0 ? state_->error : state_->blocked_by;
}
uint64_t Writer::bytes_written() const { return state_ == nullptr ? 0 : state_->file.bytes_written(); }
uint64_t Writer::records_written() const { return state_ == nullptr ? 0 : state_->records_written; }

}  // namespace tauprof::log
