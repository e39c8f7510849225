// An operation trace as its publisher wrote it: the operations of a training job by worker and step, and the job's
// facts. Nothing is checked or rounded here; operations/ knows what the operations mean.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace tauprof {

// One row of the trace.
struct OperationRow {
  int64_t step = 0;
  double start_s = 0;
  double duration_s = 0;
  int32_t dp_rank = 0;
  int32_t stage = 0;
  int32_t rank = 0;
  int32_t sequence = 0;      // among the operations of its type, worker and step, from 0
  int32_t chunk = -1;        // the model chunk within the stage; -1: none
  int32_t model_chunk = -1;  // the chunk in the whole model; -1: none
  int32_t micro_batch = -1;
  uint32_t type = 0;  // index into OperationTrace::types
};

// The nearest number that a row can hold. No job has numbers for which that is another one.
inline int32_t row_number(int64_t number) {
  constexpr int64_t kLeast = std::numeric_limits<int32_t>::min(), kMost = std::numeric_limits<int32_t>::max();
  return static_cast<int32_t>(std::clamp(number, kLeast, kMost));
}

struct OperationTrace {
  std::vector<std::string> types;
  std::vector<OperationRow> rows;          // in the order of the trace
  std::map<std::string, std::string> job;  // its facts, by name: dp_size, trial_name, …

  bool is_empty() const { return rows.empty(); }
};

// The attributes of a log that hold the job's facts start with this.
inline constexpr char kJobFactPrefix[] = "job.";

}  // namespace tauprof
