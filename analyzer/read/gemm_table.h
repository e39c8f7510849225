// What the matrix multiplications of a log were asked for, gathered by correlation and given out by call.
#pragma once

#include <utility>
#include <vector>

#include "model/process_trace.h"
#include "read/log_reader.h"

namespace tauprof {

class GemmTable {
 public:
  void take(const RecordBlock& block);
  // Of those calls in `calls` that it knows. Once.
  std::vector<GemmWork> by_call(const LargeArray<HostCall>& calls);

 private:
  std::vector<std::pair<uint64_t, double>> flops_;  // by correlation
};

}  // namespace tauprof
