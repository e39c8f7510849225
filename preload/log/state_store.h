// The state of one record kind: the latest row of each thing that records are about. Recaps repeat it. It grows with
// the number of things, not with the number of writes.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "log/format.h"
#include "log/memory_budget.h"
#include "log/raw_array.h"

namespace tauprof::log {

// The columns that identify what a state record is about, as a bit set. A later record with the same values in them
// replaces the earlier one. 0: there is only one such thing.
constexpr uint32_t identifying_columns(RecordKind kind) {
  switch (kind) {
    case RecordKind::kAttribute:     // name
    case RecordKind::kDevice:        // device
    case RecordKind::kThread:        // thread
    case RecordKind::kCommunicator:  // communicator
    case RecordKind::kFrame:         // frame
    case RecordKind::kModule:        // module
    case RecordKind::kGraphContent:  // item
      return 0b1;
    case RecordKind::kStack:  // stack, depth
      return 0b11;
    case RecordKind::kStream:  // device, context, stream, handle
      return 0b1111;
    case RecordKind::kOpenCall:  // thread
      return 0b10;
    default:  // process, cost
      return 0;
  }
}

class StateStore {
 public:
  enum class Change { kNone, kChanged, kNotKept, kFailed };

  // Must be called first. `columns`: their number; `identifying`: the bit set of those that identify the row's subject.
  // `budget`: null if there is no bound.
  void init(uint16_t columns, uint32_t identifying, MemoryBudget* budget);

  // Adds or replaces a row. kNone: the same row is already there. kNotKept: the budget has no room, and recaps will
  // lack it. kFailed: memory is short.
  Change put(const int64_t* row);

  size_t rows() const { return columns_ == 0 ? 0 : values_.size() / columns_; }
  const int64_t* row(size_t index) const { return values_.data() + index * columns_; }

 private:
  uint64_t hash_of(const int64_t* row) const;
  bool is_same_thing(const int64_t* a, const int64_t* b) const;
  bool may_add() const;
  bool grow_slots();

  MemoryBudget* budget_ = nullptr;
  uint16_t columns_ = 0;
  uint32_t identifying_ = 0;
  RawArray<int64_t> values_;  // row after row, in order of first appearance
  RawArray<uint32_t> slots_;  // row index + 1; a power of two, at most half full
};

}  // namespace tauprof::log
