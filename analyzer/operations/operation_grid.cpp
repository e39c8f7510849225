#include "operations/operation_grid.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

std::string number(int64_t value) { return std::to_string(value); }

// "row 17": rows count from 1, without the heading.
std::string row_name(size_t row) { return "row " + number(static_cast<int64_t>(row) + 1); }

std::string where(const OperationRow& row) {
  return "step " + number(row.step) + ", dp_rank " + number(row.dp_rank) + ", stage " + number(row.stage);
}

std::string what(const OperationTrace& trace, const OperationRow& row) {
  return trace.types[row.type] + " " + number(row.sequence) + " (" + where(row) + ")";
}

bool is_time(double seconds) { return std::abs(seconds) <= kMostTraceSeconds; }  // no NaN either

// The column whose value no job can have; null if there is none.
const char* impossible_column(const OperationRow& row, size_t rows) {
  const auto lies_below = [](int64_t value, int64_t least, int64_t limit) { return value >= least && value < limit; };
  if (!lies_below(row.dp_rank, 0, kMostRanks)) return "dp_rank";
  if (!lies_below(row.stage, 0, kMostStages)) return "stage";
  if (!lies_below(row.rank, 0, kMostRanks)) return "rank";
  if (!lies_below(row.sequence, 0, static_cast<int64_t>(rows))) return "seq_id";
  if (!lies_below(row.chunk, -1, kMostModelChunks)) return "mc";
  if (!lies_below(row.model_chunk, -1, kMostModelChunks)) return "gmc";
  if (!is_time(row.start_s)) return "start_ts";
  if (!is_time(row.duration_s) || row.duration_s < 0) return "duration";
  return nullptr;
}

}  // namespace

Status OperationGrid::fill(const OperationTrace& trace) {
  if (Status status = check_rows(trace); !status.is_ok()) return status;
  if (Status status = find_sizes(trace); !status.is_ok()) return status;
  find_precision(trace);
  if (Status status = find_reference(trace); !status.is_ok()) return status;
  if (Status status = place_rows(trace); !status.is_ok()) return status;
  return find_ranks(trace);
}

Status OperationGrid::check_rows(const OperationTrace& trace) {
  if (trace.is_empty()) return Status::error("no operations; export the trace again");
  std::vector<std::optional<OperationType>> known;
  for (const std::string& name : trace.types) known.push_back(operation_type_named(name));
  for (size_t i = 0; i < trace.rows.size(); ++i) {
    const OperationRow& row = trace.rows[i];
    if (!known[row.type])
      return Status::error(row_name(i) + ": '" + trace.types[row.type] +
                           "' is no operation type that can be replayed; docs/metrics.md lists the types");
    if (const char* column = impossible_column(row, trace.rows.size()))
      return Status::error(row_name(i) + ": " + what(trace, row) + ": " + column +
                           " is out of range; correct it or export the trace again");
  }
  for (const auto& type : known) types_.push_back(type.value_or(OperationType{}));
  return Status::ok();
}

Status OperationGrid::find_sizes(const OperationTrace& trace) {
  std::set<int64_t> steps;
  const OperationRow* last = nullptr;
  for (const OperationRow& row : trace.rows) {
    data_parallel_size_ = std::max(data_parallel_size_, row.dp_rank + 1);
    stages_ = std::max(stages_, row.stage + 1);
    if (last == nullptr || row.step != last->step) steps.insert(row.step);
    last = &row;
  }
  steps_.assign(steps.begin(), steps.end());
  const auto most = static_cast<int64_t>(trace.rows.size());
  if (int64_t{stages_} * data_parallel_size_ <= most) return Status::ok();
  return Status::error(number(most) + " rows for " + number(data_parallel_size_) + " dp_ranks of " + number(stages_) +
                       " stages: rows are missing; export all of them");
}

void OperationGrid::find_precision(const OperationTrace& trace) {
  std::vector<double> first(steps_.size(), kMostTraceSeconds);
  bool is_single = true;
  for (const OperationRow& row : trace.rows) {
    double& earliest = first[step_index(row.step)];
    earliest = std::min(earliest, row.start_s);
    is_single &= row.start_s == static_cast<float>(row.start_s);
  }
  is_double_ = !is_single && std::any_of(first.begin(), first.end(), [](double start) { return start != 0; });
}

OperationGrid::Times OperationGrid::times_of(const OperationRow& row) const {
  if (is_double_) return {row.start_s, row.start_s + row.duration_s, row.duration_s};
  const auto start = static_cast<float>(row.start_s), duration = static_cast<float>(row.duration_s);
  return {start, static_cast<float>(start + duration), duration};
}

Status OperationGrid::find_reference(const OperationTrace& trace) {
  struct Found {
    GridOperation operation;
    size_t row;
  };
  std::vector<Found> found;
  for (size_t i = 0; i < trace.rows.size(); ++i) {
    const OperationRow& row = trace.rows[i];
    if (row.dp_rank != 0 || row.step != steps_.front()) continue;
    const Times times = times_of(row);
    found.push_back(
        {{types_[row.type], row.stage, row.sequence, row.chunk, row.model_chunk, times.start_s, times.end_s}, i});
  }
  const auto key = [&](const Found& one) {
    return std::tuple(block(one.operation.type, one.operation.stage), one.operation.sequence, one.row);
  };
  std::sort(found.begin(), found.end(), [&](const Found& a, const Found& b) { return key(a) < key(b); });
  blocks_.resize(static_cast<size_t>(stages_) * kOperationTypeCount);
  for (const auto& [operation, row] : found) {
    Block& of_type = blocks_[block(operation.type, operation.stage)];
    if (of_type.count == 0) of_type.first = static_cast<uint32_t>(operations_.size());
    if (operation.sequence < static_cast<int32_t>(of_type.count))
      return Status::error(row_name(row) + ": " + what(trace, trace.rows[row]) + " is there twice; keep one row of it");
    if (operation.sequence > static_cast<int32_t>(of_type.count))
      return Status::error(row_name(row) + ": " + what(trace, trace.rows[row]) + " has no predecessor " +
                           number(operation.sequence - 1) + ": its row is missing; export all of them");
    ++of_type.count;
    operations_.push_back(operation);
    chunks_ = std::max(chunks_, operation.chunk + 1);
  }
  if (!operations_.empty()) return Status::ok();
  return Status::error("step " + number(steps_.front()) + " has no rows of dp_rank 0; export all ranks");
}

std::optional<uint32_t> OperationGrid::find(OperationType type, int32_t stage, size_t sequence) const {
  const Block& of_type = blocks_[block(type, stage)];
  if (sequence >= of_type.count) return std::nullopt;
  return of_type.first + static_cast<uint32_t>(sequence);
}

std::string OperationGrid::describe(uint32_t operation) const {
  const GridOperation& described = operations_[operation];
  return std::string(name_of(described.type)) + " " + number(described.sequence) + " of stage " +
         number(described.stage);
}

std::optional<uint32_t> OperationGrid::operation_of(const OperationRow& row) const {
  return find(types_[row.type], row.stage, static_cast<size_t>(row.sequence));
}

size_t OperationGrid::step_index(int64_t step) const {
  return static_cast<size_t>(std::lower_bound(steps_.begin(), steps_.end(), step) - steps_.begin());
}

Status OperationGrid::place_rows(const OperationTrace& trace) {
  if (trace.rows.size() != steps_.size() * step_size()) return explain_misfit(trace);
  times_.resize(trace.rows.size());
  for (const OperationRow& row : trace.rows) {
    const std::optional<uint32_t> operation = operation_of(row);
    if (!operation) return explain_misfit(trace);
    Times& times = times_[cell(step_index(row.step), row.dp_rank, *operation)];
    if (times.duration_s >= 0) return explain_misfit(trace);
    times = times_of(row);
  }
  return Status::ok();
}

// Which row is too many, or which operation has none.
Status OperationGrid::explain_misfit(const OperationTrace& trace) const {
  std::unordered_map<uint64_t, size_t> rows;  // by cell
  for (size_t i = 0; i < trace.rows.size(); ++i) {
    const OperationRow& row = trace.rows[i];
    const std::optional<uint32_t> operation = operation_of(row);
    if (!operation)
      return Status::error(row_name(i) + ": " + what(trace, row) + " has no counterpart in step " +
                           number(steps_.front()) + " of dp_rank 0; all steps and dp_ranks need the same operations");
    const auto [known, is_new] = rows.try_emplace(cell(step_index(row.step), row.dp_rank, *operation), i);
    if (!is_new)
      return Status::error(row_name(known->second) + " and " + row_name(i) + " are both " + what(trace, row) +
                           "; keep one of them");
  }
  uint64_t missing = 0;
  while (rows.count(missing) != 0) ++missing;
  const uint64_t worker = missing / operations_.size();
  return Status::error("step " + number(steps_[worker / data_parallel_size_]) + ", dp_rank " +
                       number(static_cast<int64_t>(worker % data_parallel_size_)) + ": no row for " +
                       describe(static_cast<uint32_t>(missing % operations_.size())) +
                       "; add it, or remove the whole step");
}

Status OperationGrid::find_ranks(const OperationTrace& trace) {
  ranks_.assign(static_cast<size_t>(data_parallel_size_) * stages_, -1);
  std::unordered_map<int64_t, size_t> worker_of;
  for (size_t i = 0; i < trace.rows.size(); ++i) {
    const OperationRow& row = trace.rows[i];
    const size_t worker = static_cast<size_t>(row.dp_rank) * stages_ + static_cast<size_t>(row.stage);
    if (ranks_[worker] == row.rank) continue;
    if (ranks_[worker] >= 0 || !worker_of.try_emplace(row.rank, worker).second)
      return Status::error(row_name(i) + " (" + where(row) + "): rank " + number(row.rank) +
                           " is not this worker's alone; give each pair of dp_rank and stage one rank of its own");
    ranks_[worker] = row.rank;
  }
  return Status::ok();
}

}  // namespace tauprof
