#include "metrics/call_tree/call_tree.h"

#include <algorithm>

#include "metrics/call_tree/path_tree.h"

namespace tauprof {
namespace {

// A rank's nodes in the tree of all.
std::vector<uint32_t> nodes_of(const RankTimeline& rank, PathTree& tree) {
  std::vector<uint32_t> names, nodes{0};
  for (const std::string& name : rank.path_names) names.push_back(tree.name(name));
  for (size_t i = 1; i < rank.path_nodes.size(); ++i) {
    const PathNode& node = rank.path_nodes[i];
    nodes.push_back(tree.child(nodes[node.parent], node.kind, names[node.name]));
  }
  return nodes;
}

}  // namespace

CallTree call_tree(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) {
  PathTree tree;
  std::vector<PathTimes> times(1);
  bool is_any = false;
  for (const RankTimeline* const rank : ranks) {
    is_any |= !rank->path_nodes.empty();
    const std::vector<uint32_t> nodes = nodes_of(*rank, tree);
    times.resize(tree.nodes().size());
    for (size_t table = 0; table < rank->paths.size(); ++table) {
      if (table < kLeadingSteps && !steps.has(rank->steps[table].number)) continue;
      for (const PathTotal& total : rank->paths[table]) times[nodes[total.node]].add(total.times);
    }
  }
  if (!is_any) return {};
  return {tree.take_nodes(), tree.take_names(), std::move(times)};
}

std::vector<bool> CallTree::in_use() const {
  std::vector<bool> used(nodes.size(), false);
  for (size_t node = nodes.size(); node-- > 1;) {
    used[node] = used[node] || !times[node].is_empty();
    if (used[node]) used[nodes[node].parent] = true;
  }
  return used;
}

}  // namespace tauprof
