// The paths of all ranks, and what was spent at each over the analysed steps.
#pragma once

#include <string>
#include <vector>

#include "metrics/statistics/step_selection.h"
#include "model/call_path.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct CallTree {
  const std::string& name_of(size_t node) const { return names[nodes[node].name]; }
  // Nodes that time was charged to, and those around them.
  std::vector<bool> in_use() const;

  std::vector<PathNode> nodes;  // parents before what lies inside them; empty: nobody asked for paths
  std::vector<std::string> names;
  std::vector<PathTimes> times;  // of each node itself
};

CallTree call_tree(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps);

}  // namespace tauprof
