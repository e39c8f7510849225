// State of a writer: pending rows, texts and state, and the blocks made from them.
#pragma once

#include <stdint.h>

#include "log/block_file.h"
#include "log/raw_array.h"
#include "log/record_traits.h"
#include "log/row_batch.h"
#include "log/state_store.h"
#include "log/text_store.h"

namespace tauprof::log {

struct WriterState {
  BlockFile file;
  TextStore texts;
  uint32_t texts_written = 0;
  RowBatch batches[kKindLimit];
  MemoryBudget* budget = nullptr;  // null: no bound
  size_t block_bytes = 0;          // of the largest batch, which two buffers of a block may need as well
  uint64_t not_kept = 0;           // state that recaps lack
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
  bool may_grow(const RowBatch& batch, uint16_t columns);
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

}  // namespace tauprof::log
