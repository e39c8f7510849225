// How to see what runs in CUDA graphs whose nodes have no records, and what that costs.
#pragma once

#include <fmt/format.h>

#include <string>

#include "metrics/run/run_metrics.h"
#include "names/recorder_settings.h"

namespace tauprof {

inline const std::string kCaptureOfNodes = fmt::format(
    "TAUPROF_CAPTURE={}",
    capture::names_of(capture::kCategories, capture::kDefaultCategories | capture::kCategoryGraphNodes).text());

// "a record for each node (412 per rank and step)". The number of nodes is not always known.
inline std::string cost_of_nodes(const RunMetrics& metrics) {
  std::string text = "a record for each node";
  if (metrics.work.graph_nodes != 0)
    text += fmt::format(" ({:.0f} per rank and step)",
                        static_cast<double>(metrics.work.graph_nodes) / static_cast<double>(metrics.time.windows));
  return text;
}

}  // namespace tauprof
