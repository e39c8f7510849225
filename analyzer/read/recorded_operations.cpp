#include "read/recorded_operations.h"

#include <bit>
#include <string_view>

#include "read/record_rows.h"

namespace tauprof {

void RecordedOperations::take(const RecordBlock& block) {
  if (block.kind() != log::JobOperation::kKind) return;
  OperationTrace& operations = trace_.operations;
  for_each_row<log::JobOperation>(block, [&](const log::JobOperation& row) {
    const uint32_t type = type_of(row.name);
    operations.rows.push_back({row.step, std::bit_cast<double>(row.start_bits),
                               std::bit_cast<double>(row.duration_bits), row_number(row.dp_rank), row_number(row.stage),
                               row_number(row.rank), row_number(row.sequence), row_number(row.chunk),
                               row_number(row.model_chunk), row_number(row.micro_batch), type});
  });
}

// Neighbours are mostly of one type.
uint32_t RecordedOperations::type_of(int64_t name) {
  if (name != last_name_ || types_.empty()) {
    last_name_ = name;
    last_type_ = types_.try_emplace(name, static_cast<uint32_t>(types_.size())).first->second;
  }
  return last_type_;
}

void RecordedOperations::finish() {
  OperationTrace& operations = trace_.operations;
  if (operations.is_empty()) return;
  operations.types.resize(types_.size());
  for (const auto& [id, type] : types_) operations.types[type] = state_.text(id);
  constexpr std::string_view kPrefix = kJobFactPrefix;
  for (const auto& [name, value] : trace_.attributes)
    if (name.starts_with(kPrefix)) operations.job[name.substr(kPrefix.size())] = value;
}

}  // namespace tauprof
