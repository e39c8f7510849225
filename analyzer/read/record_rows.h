// The rows of a block as structs of the format:
//
//   for_each_row<log::Gap>(block, [&](const log::Gap& gap) { ... });
//
// If the function is inlined, only the columns that it uses are loaded. Those for the kinds that come by the million
// are therefore always inlined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "read/record_block.h"

namespace tauprof {

// Calls take(row) for each row. The block must be of that kind.
template <class Record, class Take>
void for_each_row(const RecordBlock& block, Take&& take) {
  const auto run = [&]<size_t... kColumn>(std::index_sequence<kColumn...>) {
    const Column columns[] = {block.column(static_cast<uint16_t>(kColumn))...};
    for (uint32_t row = 0; row < block.records(); ++row) take(Record{columns[kColumn][row]...});
  };
  run(std::make_index_sequence<log::kColumnCount<Record>>());
}

// Calls take(row) for each row if the block is of one of these kinds; `take` has an overload for each of them.
template <class... Records, class Take>
void for_rows_of(const RecordBlock& block, Take&& take) {
  const auto try_kind = [&]<class Record>(const Record*) {
    if (block.kind() == Record::kKind) for_each_row<Record>(block, take);
  };
  (try_kind(static_cast<const Records*>(nullptr)), ...);
}

}  // namespace tauprof
