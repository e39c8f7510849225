// How to see what runs in CUDA graphs whose nodes have no records, and what that costs.
#pragma once

#include <fmt/format.h>

#include <string>

#include "metrics/run/run_metrics.h"

namespace tauprof {

inline constexpr const char* kCaptureOfNodes = "TAUPROF_CAPTURE=api,device,gemm,nccl,nvtx,memory,telemetry,graph-nodes";

// "a record for each node (412 per rank and step)". The number of nodes is not always known.
inline std::string cost_of_nodes(const RunMetrics& metrics) {
  std::string text = "a record for each node";
  if (metrics.graph_nodes != 0)
    text += fmt::format(" ({:.0f} per rank and step)",
                        static_cast<double>(metrics.graph_nodes) / static_cast<double>(metrics.windows));
  return text;
}

}  // namespace tauprof
