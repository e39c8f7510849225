#include "log/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <new>

#include "log/block_file.h"
#include "log/column_encoder.h"
#include "log/raw_array.h"
#include "log/record_traits.h"
#include "log/state_store.h"
#include "log/text_store.h"

namespace tauprof::log {
namespace {

constexpr uint32_t kTextBlockBytes = 1u << 20;  // this many bytes of texts fill a block

// The distance between the columns of a batch. A power of two would put the same row of every column into one cache
// set.
constexpr uint32_t kColumnStride = Writer::kBatchRecords + 8;

// Rows that say what the log lacks.
constexpr bool tells_losses(RecordKind kind) { return kind == RecordKind::kGap || kind == RecordKind::kDrop; }

// A full disk, a quota or a limit may be lifted; a log that is gone does not come back.
constexpr bool may_pass(int code) { return code != ENOENT && code != ESTALE && code != EACCES && code != ELOOP; }

// The rows of one kind that wait to be written, column by column.
class Batch {
 public:
  ~Batch() { free(values_); }

  bool init(uint16_t columns) {
    values_ = static_cast<int64_t*>(malloc(size_t{columns} * kColumnStride * sizeof(int64_t)));
    return values_ != nullptr;
  }
  bool is_ready() const { return values_ != nullptr; }

  void add(const int64_t* row, uint16_t columns) {
    int64_t* cell = values_ + rows_;
    for (uint16_t column = 0; column < columns; ++column, cell += kColumnStride) *cell = row[column];
    ++rows_;
  }

  uint32_t rows() const { return rows_; }
  const int64_t* column(uint16_t number) const { return values_ + size_t{number} * kColumnStride; }
  void clear() { rows_ = 0; }

 private:
  int64_t* values_ = nullptr;
  uint32_t rows_ = 0;
};

}  // namespace

struct Writer::State {
  BlockFile file;
  TextStore texts;
  uint32_t texts_written = 0;
  Batch batches[kKindLimit];
  StateStore states[kKindLimit];
  ByteArray block;  // the block in progress: room for its header, then the payload
  uint64_t records_written = 0;
  int error = 0;
  int blocked_by = 0;  // errno: the disk takes no more; 0: it does
  uint64_t discarded[kKindLimit] = {};
  bool is_closed = false;
  uint64_t event_limit = UINT64_MAX;
  bool is_full = false;

  bool fail(int code) {
    if (code != 0 && error == 0) error = code;
    return code == 0;
  }
  bool is_usable() const { return error == 0 && !is_closed; }

  bool append(RecordKind kind, const int64_t* row);
  bool flush();
  bool write_texts(uint32_t first, uint32_t end, uint8_t flags);
  bool write_text_block(uint32_t first, uint32_t rows, uint8_t flags);
  bool write_new_texts();
  bool write_new_state();
  bool write_batch(RecordKind kind, uint8_t flags);
  bool write_recap();
  bool drop_before(uint64_t offset);

  bool resume();

  bool start_block();
  bool discards(RecordKind kind);
  bool discard(RecordKind kind, uint32_t rows, int code);
  bool finish_block(RecordKind kind, uint8_t flags, uint16_t columns, uint32_t rows);
};

bool Writer::State::append(RecordKind kind, const int64_t* row) {
  if (!is_usable()) return false;
  const auto number = static_cast<size_t>(kind);
  const RecordTraits& traits = kRecordTraits[kind];
  if (traits.is_state) {
    StateStore& state = states[number];
    state.init(traits.columns, identifying_columns(kind));
    const StateStore::Change change = state.put(row);
    if (change == StateStore::Change::kNone) return true;
    if (change == StateStore::Change::kFailed) return fail(ENOMEM);
  }
  Batch& batch = batches[number];
  if (!batch.is_ready() && !batch.init(traits.columns)) return fail(ENOMEM);
  batch.add(row, traits.columns);
  if (batch.rows() < kBatchRecords) return true;
  return write_new_texts() && (traits.is_state || write_new_state()) && write_batch(kind, 0);
}

// Texts first, then other state, then events, so that no record comes before what it refers to.
bool Writer::State::flush() {
  if (!is_usable()) return false;
  if (!write_new_texts() || !write_new_state()) return false;
  for (size_t number = 0; number < kKindLimit; ++number)
    if (!write_batch(static_cast<RecordKind>(number), 0)) return false;
  return true;
}

bool Writer::State::write_new_texts() {
  const uint32_t first = texts_written;
  texts_written = texts.count();
  return write_texts(first, texts_written, 0);
}

bool Writer::State::write_texts(uint32_t first, uint32_t end, uint8_t flags) {
  while (first < end) {
    uint32_t rows = 0;
    size_t bytes = 0;
    while (first + rows < end && rows < kBatchRecords && bytes < kTextBlockBytes)
      bytes += texts.texts()[first + rows++].size;
    if (!write_text_block(first, rows, flags)) return false;
    first += rows;
  }
  return true;
}

bool Writer::State::write_text_block(uint32_t first, uint32_t rows, uint8_t flags) {
  RawArray<int64_t> ids;
  if (!start_block() || !ids.reserve_more(rows)) return fail(ENOMEM);
  for (uint32_t row = 0; row < rows; ++row) ids.data()[row] = int64_t{first} + row + 1;
  uint16_t columns = 0;
  if (!encode_column(0, Encoding::kDelta, ids.data(), rows, block, columns) ||
      !encode_texts(texts.texts() + first, rows, block, columns))
    return fail(ENOMEM);
  return finish_block(RecordKind::kString, flags, columns, rows);
}

bool Writer::State::write_new_state() {
  for (size_t number = 0; number < kKindLimit; ++number) {
    const auto kind = static_cast<RecordKind>(number);
    if (kRecordTraits[kind].is_state && !write_batch(kind, 0)) return false;
  }
  return true;
}

bool Writer::State::write_batch(RecordKind kind, uint8_t flags) {
  Batch& batch = batches[static_cast<size_t>(kind)];
  if (batch.rows() == 0 || (blocked_by != 0 && tells_losses(kind) && batch.rows() < kBatchRecords)) return true;
  const RecordTraits& traits = kRecordTraits[kind];
  if (!start_block()) return fail(ENOMEM);
  uint16_t columns = 0;
  for (uint16_t column = 0; column < traits.columns; ++column) {
    const Encoding hint = traits.delta_columns >> column & 1 ? Encoding::kDelta : Encoding::kPlain;
    if (!encode_column(column, hint, batch.column(column), batch.rows(), block, columns)) return fail(ENOMEM);
  }
  const uint32_t rows = batch.rows();
  batch.clear();
  return finish_block(kind, flags, columns, rows);
}

// Writes all state once more, so that a damaged block does not lose any names. Batches of state are empty at this
// point.
bool Writer::State::write_recap() {
  if (!write_texts(0, texts.count(), kBlockRecap)) return false;
  for (size_t number = 0; number < kKindLimit; ++number) {
    const auto kind = static_cast<RecordKind>(number);
    if (!kRecordTraits[kind].is_state) continue;
    const StateStore& state = states[number];
    for (size_t index = 0; index < state.rows(); ++index) {
      batches[number].add(state.row(index), kRecordTraits[kind].columns);
      if (batches[number].rows() == kBatchRecords && !write_batch(kind, kBlockRecap)) return false;
    }
    if (!write_batch(kind, kBlockRecap)) return false;
  }
  return true;
}

// Nothing is lost if this fails: writing continues in the file as it is.
bool Writer::State::drop_before(uint64_t offset) {
  if (!flush() || blocked_by != 0) return false;
  const uint64_t records_before = records_written;
  records_written = 0;
  int code = file.start_replacement();
  if (code == 0 && (!write_recap() || blocked_by != 0)) code = error != 0 ? error : blocked_by;
  if (code == 0) code = file.copy_old_blocks(offset, records_written);
  code = file.finish_replacement(code);
  if (code == 0) return true;
  records_written = records_before;
  error = blocked_by = 0;
  return false;
}

bool Writer::State::start_block() {
  block.set_size(0);
  if (!block.reserve_more(sizeof(BlockHeader))) return false;
  block.set_size(sizeof(BlockHeader));
  return true;
}

// Once a block of events is discarded, so are all later ones: the log keeps the oldest.
bool Writer::State::discards(RecordKind kind) {
  const bool explains_the_log =
      kRecordTraits[kind].is_state || kind == RecordKind::kString || tells_losses(kind) || kind == RecordKind::kEnd;
  if (explains_the_log) return false;
  is_full = is_full || file.bytes_written() + block.size() > event_limit;
  return is_full;
}

bool Writer::State::finish_block(RecordKind kind, uint8_t flags, uint16_t columns, uint32_t rows) {
  if (blocked_by != 0) return discard(kind, rows, blocked_by);
  if (discards(kind)) return true;
  BlockHeader header{};
  header.kind = static_cast<uint16_t>(kind);
  header.flags = flags;
  header.columns = columns;
  header.records = rows;
  header.first_record = records_written;
  const int code = file.write_block(header, block);
  if (code != 0) return may_pass(code) ? discard(kind, rows, code) : fail(code);
  if (!(flags & kBlockRecap)) records_written += rows;
  return true;
}

// Texts and state are not lost: resume() writes all of them again.
bool Writer::State::discard(RecordKind kind, uint32_t rows, int code) {
  blocked_by = code;
  if (!kRecordTraits[kind].is_state && kind != RecordKind::kString) discarded[static_cast<size_t>(kind)] += rows;
  return true;
}

bool Writer::State::resume() {
  if (blocked_by == 0 || !is_usable()) return false;
  flush();  // what waits is discarded; only rows about losses stay
  blocked_by = 0;
  return write_recap() && blocked_by == 0;
}

Writer::Writer() : state_(nullptr) {}

Writer::~Writer() {
  if (state_ == nullptr) return;
  state_->flush();
  state_->~State();
  free(state_);
}

bool Writer::open(const char* path, const FileHeader& header) {
  if (state_ != nullptr) return state_->fail(EBUSY);
  void* const memory = malloc(sizeof(State));
  if (memory == nullptr) return false;
  state_ = new (memory) State;
  return state_->fail(state_->file.create(path, header));
}

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
