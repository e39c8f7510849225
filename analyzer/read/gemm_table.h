// The products of a log's calls, gathered row by row and given out by call.
//
// A call of cuBLAS has its row, found by correlation. Of operators, the innermost did the work: aten::linear calls
// aten::addmm, and both have a row. Each launch within it belongs to its product.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "log/format.h"
#include "model/process_trace.h"

namespace tauprof {

class GemmTable {
 public:
  void add(const log::Gemm& row, NameId function);
  void add(const log::OperatorWork& row, Interval time, uint16_t thread, NameId name);
  // The index in trace.gemm_kinds of what a graph multiplies; kNoIndex: nothing whose operations are known.
  uint32_t kind_in_graph(const log::GraphContent& row, NameId function);
  // Fills trace.gemm_kinds and trace.gemms. The calls must have their classes and their order. To be called once.
  void finish(ProcessTrace& trace);

 private:
  struct Operator {
    Interval time;
    uint16_t thread;
    uint32_t kind;
  };
  uint32_t kind_of(NameId function, const GemmShape& shape);
  void give_to_calls(ProcessTrace& trace);
  void give_to_launches(ProcessTrace& trace);

  std::map<GemmKind, uint32_t> kinds_;
  std::vector<std::pair<uint64_t, uint32_t>> calls_;  // kind by correlation
  std::vector<Operator> operators_;
  std::vector<GemmWork> launches_;
  uint32_t products_ = 0;
};

}  // namespace tauprof
