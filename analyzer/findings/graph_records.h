// How to see what runs in CUDA graphs whose nodes have no records, and what that costs.
#pragma once

#include <cmath>
#include <string>

#include "findings/statement.h"
#include "metrics/run/run_metrics.h"
#include "names/recorder_settings.h"

namespace tauprof {

inline const std::string kCaptureOfNodes =
    std::string("TAUPROF_CAPTURE=") +
    capture::names_of(capture::kCategories, capture::kDefaultCategories | capture::kCategoryGraphNodes).text();

// Per rank and step.
inline Count nodes_of_graphs(const RunMetrics& metrics) {
  return {std::nearbyint(static_cast<double>(metrics.work.graph_nodes) / static_cast<double>(metrics.time.windows))};
}

// "a record for each node (412 per rank and step)". The number of nodes is not always known.
inline Statement cost_of_nodes(const RunMetrics& metrics) {
  Statement text = "a record for each node";
  return metrics.work.graph_nodes == 0 ? text : text.add(" (", nodes_of_graphs(metrics), " per rank and step)");
}

}  // namespace tauprof
