// The rows of an operation trace as a grid: every operation of a worker, once for each step and data-parallel rank.
//
// All steps and data-parallel ranks of a job do the same, so data-parallel rank 0 in the first step, the *reference*,
// says which operations there are. Every other row must be one of them, and none may be missing or twice: a replay of
// an incomplete step would give times that nobody can trust.
//
// Published analyses hold times in single precision, and their answers can be had again only with the same rounding:
// times that start at 0 in each step are rounded when they are read, and so is each difference of them. Times that
// start elsewhere and need double precision are rounded after the differences are taken.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/operation_trace.h"
#include "model/status.h"
#include "operations/operation_type.h"

namespace tauprof {

// An operation of the reference. Its index in the grid is its number.
struct GridOperation {
  OperationType type{};
  int32_t stage = 0;
  int32_t sequence = 0;
  int32_t chunk = -1;
  int32_t model_chunk = -1;
  double start_s = 0;  // in the reference
  double end_s = 0;
};

class OperationGrid {
 public:
  // Fails with the row or the operation that is wrong, and what to do. The message names no file.
  Status fill(const OperationTrace& trace);

  // By stage, type and sequence.
  const std::vector<GridOperation>& operations() const { return operations_; }
  size_t count(OperationType type, int32_t stage) const { return blocks_[block(type, stage)].count; }
  std::optional<uint32_t> find(OperationType type, int32_t stage, size_t sequence) const;
  std::string describe(uint32_t operation) const;  // "forward-compute 3 of stage 1"

  const std::vector<int64_t>& steps() const { return steps_; }  // ascending
  int32_t data_parallel_size() const { return data_parallel_size_; }
  int32_t stages() const { return stages_; }
  int32_t chunks() const { return chunks_; }  // of a stage
  int32_t rank(int32_t dp_rank, int32_t stage) const { return ranks_[static_cast<size_t>(dp_rank) * stages_ + stage]; }

  // Operations of one step: its data-parallel ranks one after another.
  size_t step_size() const { return operations_.size() * data_parallel_size_; }
  size_t cell(size_t step, int32_t dp_rank, uint32_t operation) const {
    return (step * data_parallel_size_ + dp_rank) * operations_.size() + operation;
  }
  // Times by cell, in seconds.
  double start(size_t cell) const { return times_[cell].start_s; }
  double end(size_t cell) const { return times_[cell].end_s; }
  double duration(size_t cell) const { return static_cast<float>(times_[cell].duration_s); }
  // The difference of two times, as the published analysis rounds it.
  double difference(double later, double earlier) const {
    return is_double_ ? later - earlier : static_cast<float>(later - earlier);
  }

 private:
  struct Block {
    uint32_t first = 0;
    uint32_t count = 0;
  };
  struct Times {
    double start_s = 0;
    double end_s = -1;
    double duration_s = -1;  // -1: no row yet
  };

  Status check_rows(const OperationTrace& trace);
  Status find_sizes(const OperationTrace& trace);
  void find_precision(const OperationTrace& trace);
  Status find_reference(const OperationTrace& trace);
  Status find_ranks(const OperationTrace& trace);
  Status place_rows(const OperationTrace& trace);
  Status explain_misfit(const OperationTrace& trace) const;
  std::optional<uint32_t> operation_of(const OperationRow& row) const;
  size_t step_index(int64_t step) const;
  Times times_of(const OperationRow& row) const;
  size_t block(OperationType type, int32_t stage) const {
    return static_cast<size_t>(stage) * kOperationTypeCount + static_cast<size_t>(type);
  }

  std::vector<OperationType> types_;  // as in the trace
  std::vector<int64_t> steps_;
  std::vector<GridOperation> operations_;
  std::vector<Block> blocks_;  // of one type in one stage
  std::vector<int32_t> ranks_;
  std::vector<Times> times_;
  int32_t data_parallel_size_ = 0;
  int32_t stages_ = 0;
  int32_t chunks_ = 0;
  bool is_double_ = false;
};

}  // namespace tauprof
