// The floating-point operations that the matrix multiplications of a log asked for: gathered by correlation, given out
// by call.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "log/format.h"
#include "model/process_trace.h"

namespace tauprof {

class GemmTable {
 public:
  void add(const log::Gemm& row);
  // For those of `calls` that it knows. To be called once.
  std::vector<GemmWork> by_call(const LargeArray<HostCall>& calls);

 private:
  std::vector<std::pair<uint64_t, double>> flops_;  // by correlation
};

}  // namespace tauprof
