// The contents of a log's graphs, gathered row by row, and which call launched which.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "log/format.h"
#include "model/process_trace.h"
#include "read/gemm_table.h"
#include "read/recorded_state.h"

namespace tauprof {

class GraphTable {
 public:
  // A recap repeats rows; the last one of an item counts.
  void add(const log::GraphContent& row) { items_[row.item] = row; }
  void add_launch(uint64_t correlation, int64_t graph) { launches_.emplace_back(correlation, graph); }
  // Fills trace.graphs and trace.graph_launches. The calls must have their order. To be called once, before the GEMMs
  // are finished.
  void finish(ProcessTrace& trace, RecordedState& state, GemmTable& gemms);

 private:
  std::map<int64_t, log::GraphContent> items_;          // by item
  std::vector<std::pair<uint64_t, int64_t>> launches_;  // (correlation, graph)
};

}  // namespace tauprof
