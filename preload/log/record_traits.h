// Traits of each record kind for the writer, from the record table.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "log/format.h"

namespace tauprof::log {

inline constexpr size_t kKindLimit = 64;  // all record numbers are below this

struct RecordTraits {
  uint16_t columns = 0;  // 0: no such kind
  bool is_state = false;
  uint32_t delta_columns = 0;  // bit per column
};

struct RecordTraitsTable {
  RecordTraits kinds[kKindLimit];
  const RecordTraits& operator[](RecordKind kind) const { return kinds[static_cast<size_t>(kind)]; }
};

constexpr RecordTraitsTable make_record_traits() {
  enum { event, state };
  enum { plain, delta };
  RecordTraitsTable table{};
#define TAUPROF_RECORD(number, Type, name, role)                       \
  {                                                                    \
    static_assert(number < kKindLimit, "raise kKindLimit for " #Type); \
    static_assert(kColumnCount<Type> <= kMaxColumns);                  \
    RecordTraits& traits = table.kinds[number];                        \
    traits.is_state = (role) == state;
#define TAUPROF_COLUMN(name, form) traits.delta_columns |= static_cast<uint32_t>((form) == delta) << traits.columns++;
#define TAUPROF_RECORD_END() }
#include "log/schema.def"
  return table;
}

inline constexpr RecordTraitsTable kRecordTraits = make_record_traits();

}  // namespace tauprof::log
