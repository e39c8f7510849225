#include "log/writer_state.h"

#include <errno.h>
#include <string.h>

#include "log/column_encoder.h"

namespace tauprof::log {
namespace {

constexpr uint32_t kTextBlockBytes = 1u << 20;  // this many bytes of texts fill a block

// Rows that say what the log lacks.
constexpr bool tells_losses(RecordKind kind) { return kind == RecordKind::kGap || kind == RecordKind::kDrop; }

// A full disk, a quota, a limit, or another user for a moment: that passes. A log that is gone does not come back.
constexpr bool may_pass(int code) { return code != ENOENT && code != ESTALE && code != ELOOP; }

}  // namespace

bool WriterState::append(RecordKind kind, const int64_t* row) {
  if (!is_usable()) return false;
  const auto number = static_cast<size_t>(kind);
  const RecordTraits& traits = kRecordTraits[kind];
  if (traits.is_state) {
    StateStore& state = states[number];
    state.init(traits.columns, identifying_columns(kind), budget);
    const StateStore::Change change = state.put(row);
    if (change == StateStore::Change::kNone) return true;
    if (change == StateStore::Change::kFailed) return fail(ENOMEM);
    if (change == StateStore::Change::kNotKept) ++not_kept;
  }
  RowBatch& batch = batches[number];
  if (batch.room() == 0 && !(may_grow(batch, traits.columns) && batch.grow(traits.columns))) return fail(ENOMEM);
  batch.add(row, traits.columns);
  if (!batch.is_full() || (may_grow(batch, traits.columns) && batch.grow(traits.columns))) return true;
  return write_new_texts() && (traits.is_state || write_new_state()) && write_batch(kind, 0);
}

// A quarter of the budget is for texts and state. The least room is always granted.
bool WriterState::may_grow(const RowBatch& batch, uint16_t columns) {
  if (batch.room() == RowBatch::kMost) return false;
  if (budget == nullptr) return true;
  const bool is_first = batch.room() == 0;
  const size_t larger = RowBatch::bytes(columns, is_first ? RowBatch::kFewest : batch.room() * 2);
  size_t bytes = larger - RowBatch::bytes(columns, batch.room());
  if (larger > block_bytes) bytes += 2 * (larger - block_bytes);
  if (is_first) budget->take_anyway(bytes);
  if (!is_first && !budget->take(bytes, budget->bound() / 4)) return false;
  if (larger > block_bytes) block_bytes = larger;
  return true;
}

// Texts first, then other state, then events, so that no record comes before what it refers to.
bool WriterState::flush() {
  if (!is_usable()) return false;
  if (!write_new_texts() || !write_new_state()) return false;
  for (size_t number = 0; number < kKindLimit; ++number)
    if (!write_batch(static_cast<RecordKind>(number), 0)) return false;
  return true;
}

bool WriterState::write_new_texts() {
  const uint32_t first = texts_written;
  texts_written = texts.count();
  return write_texts(first, texts_written, 0);
}

bool WriterState::write_texts(uint32_t first, uint32_t end, uint8_t flags) {
  while (first < end) {
    uint32_t rows = 0;
    size_t bytes = 0;
    while (first + rows < end && rows < RowBatch::kMost && bytes < kTextBlockBytes)
      bytes += texts.texts()[first + rows++].size;
    if (!write_text_block(first, rows, flags)) return false;
    first += rows;
  }
  return true;
}

bool WriterState::write_text_block(uint32_t first, uint32_t rows, uint8_t flags) {
  RawArray<int64_t> ids;
  if (!start_block() || !ids.reserve_more(rows)) return fail(ENOMEM);
  for (uint32_t row = 0; row < rows; ++row) ids.data()[row] = int64_t{first} + row + 1;
  uint16_t columns = 0;
  if (!encode_column(0, Encoding::kDelta, ids.data(), rows, block, columns) ||
      !encode_texts(texts.texts() + first, rows, block, columns))
    return fail(ENOMEM);
  return finish_block(RecordKind::kString, flags, columns, rows);
}

bool WriterState::write_new_state() {
  for (size_t number = 0; number < kKindLimit; ++number) {
    const auto kind = static_cast<RecordKind>(number);
    if (kRecordTraits[kind].is_state && !write_batch(kind, 0)) return false;
  }
  return true;
}

bool WriterState::write_batch(RecordKind kind, uint8_t flags) {
  RowBatch& batch = batches[static_cast<size_t>(kind)];
  if (batch.rows() == 0 || (blocked_by != 0 && tells_losses(kind) && !batch.is_full())) return true;
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
bool WriterState::write_recap() {
  if (!write_texts(0, texts.count(), kBlockRecap)) return false;
  for (size_t number = 0; number < kKindLimit; ++number) {
    const auto kind = static_cast<RecordKind>(number);
    if (!kRecordTraits[kind].is_state) continue;
    const StateStore& state = states[number];
    for (size_t index = 0; index < state.rows(); ++index) {
      batches[number].add(state.row(index), kRecordTraits[kind].columns);
      if (batches[number].is_full() && !write_batch(kind, kBlockRecap)) return false;
    }
    if (!write_batch(kind, kBlockRecap)) return false;
  }
  return true;
}

// Nothing is lost if this fails: writing continues in the file as it is.
bool WriterState::drop_before(uint64_t offset) {
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

bool WriterState::start_block() {
  block.set_size(0);
  if (!block.reserve_more(sizeof(BlockHeader))) return false;
  block.set_size(sizeof(BlockHeader));
  return true;
}

// Once a block of events is discarded, so are all later ones: the log keeps the oldest.
bool WriterState::discards(RecordKind kind) {
  const bool explains_the_log =
      kRecordTraits[kind].is_state || kind == RecordKind::kString || tells_losses(kind) || kind == RecordKind::kEnd;
  if (explains_the_log) return false;
  is_full = is_full || file.bytes_written() + block.size() > event_limit;
  return is_full;
}

bool WriterState::finish_block(RecordKind kind, uint8_t flags, uint16_t columns, uint32_t rows) {
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
bool WriterState::discard(RecordKind kind, uint32_t rows, int code) {
  blocked_by = code;
  if (!kRecordTraits[kind].is_state && kind != RecordKind::kString) discarded[static_cast<size_t>(kind)] += rows;
  return true;
}

bool WriterState::resume() {
  if (blocked_by == 0 || !is_usable()) return false;
  flush();  // discards pending rows; only those about losses stay
  blocked_by = 0;
  return write_recap() && blocked_by == 0;
}

}  // namespace tauprof::log
