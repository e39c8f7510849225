#include <algorithm>

#include "limits/analysis_limits.h"
#include "report/json_sections.h"

namespace tauprof {

Fields<TimesOfRun> fields_of(const TimesOfRun*) {
  const auto measured = [](PathTimes TimesOfName::*part, Nanoseconds PathTimes::*time) {
    return [part, time](const TimesOfRun& times) { return when(times.is_timed, times.times.*part.*time); };
  };
  constexpr auto kSelf = &TimesOfName::self, kTotal = &TimesOfName::total;
  return {
      "TimesOfName",
      "What was spent in one operator, module or line. `self_` is without what lies in others inside of it; over "
      "the list, these sum to all there is",
      {
          {"name", [](const TimesOfRun& times) { return known(times.times.name); },
           "its name; `null`: what lies in none"},
          {"kind", [](const TimesOfRun& times) { return times.times.kind; },
           "what it is; `backward`: of a backward pass, and nobody knows what it belongs to"},
          {"launched", [](const TimesOfRun& times) { return when(times.is_timed, times.times.self.launched); },
           "device work launched by it itself"},
          {"self_device_ns", measured(kSelf, &PathTimes::device),
           "the lengths of that work, whether or not others ran beside"},
          {"device_ns", measured(kTotal, &PathTimes::device), "the same with what lies inside"},
          {"self_exposed_ns", measured(kSelf, &PathTimes::exposed),
           "of it, what the ledger books for it: computation, and communication and copies that nothing hides"},
          {"exposed_ns", measured(kTotal, &PathTimes::exposed), "the same with what lies inside"},
          {"self_idle_ns", measured(kSelf, &PathTimes::idle), "idle time of the device that the ledger charges to it"},
          {"idle_ns", measured(kTotal, &PathTimes::idle), "the same with what lies inside"},
          {"self_host_ns", [](const TimesOfRun& times) { return times.times.self.host; }, "host time of its threads"},
          {"host_ns", [](const TimesOfRun& times) { return times.times.total.host; }, "the same with what lies inside"},
          {"self_blocked_ns", measured(kSelf, &PathTimes::blocked), "host time in which a call waited for the device"},
          {"blocked_ns", measured(kTotal, &PathTimes::blocked), "the same with what lies inside"},
      }};
}

std::vector<TimesOfRun> times_of_run(const RunMetrics& metrics, std::vector<TimesOfName> RunWork::*times) {
  std::vector<TimesOfRun> rows;
  for (const TimesOfName& row : metrics.work.*times) rows.push_back({row, metrics.is_timed()});
  return rows;
}

Fields<ShownNode> fields_of(const ShownNode*) {
  const auto measured = [](Nanoseconds PathTimes::*time) {
    return [time](const ShownNode& node) { return when(node.is_timed, node.times.*time); };
  };
  return {
      "CallTreeNode",
      "A path, and what was spent there itself, without the paths inside of it. One that would be less than a "
      "pixel wide counts for the one around it",
      {
          {"parent", &ShownNode::parent, "the position of the one around it in this list; `null`: none"},
          {"kind", &ShownNode::kind, "what its last part is"},
          {"name", [](const ShownNode& node) { return known(node.name); }, "that part; `null` where it lies in none"},
          {"launched", [](const ShownNode& node) { return when(node.is_timed, node.times.launched); }, "device work"},
          {"device_ns", measured(&PathTimes::device), "of device work"},
          {"exposed_ns", measured(&PathTimes::exposed), "of it, what the ledger books"},
          {"idle_ns", measured(&PathTimes::idle), "idle time of the device"},
          {"host_ns", [](const ShownNode& node) { return node.times.host; }, "host time"},
          {"blocked_ns", measured(&PathTimes::blocked), "host time behind the device"},
      }};
}

namespace {

// Whether any of its times would be seen beside all.
bool is_visible(const PathTimes& one, const PathTimes& all) {
  const auto is_part = [](auto part, auto whole) {
    return part > 0 && static_cast<double>(part) >= kVisibleShare * static_cast<double>(whole);
  };
  return is_part(one.device, all.device) || is_part(one.exposed, all.exposed) || is_part(one.idle, all.idle) ||
         is_part(one.host, all.host) || is_part(one.blocked, all.blocked);
}

}  // namespace

std::vector<ShownNode> shown_nodes(const RunMetrics& metrics) {
  const CallTree& tree = metrics.work.call_tree;
  std::vector<PathTimes> own = tree.times, total = tree.times;
  for (size_t node = tree.nodes.size(); node-- > 1;) total[tree.nodes[node].parent].add(total[node]);
  std::vector<bool> is_shown(tree.nodes.size(), true);
  for (size_t node = tree.nodes.size(); node-- > 1;) {
    is_shown[node] = is_visible(total[node], total.front());
    if (!is_shown[node]) own[tree.nodes[node].parent].add(own[node]);
  }
  std::vector<ShownNode> shown;
  std::vector<uint32_t> position(tree.nodes.size());
  for (size_t node = 0; node < tree.nodes.size(); ++node) {
    if (!is_shown[node] || (node == 0 && total.front().is_empty())) continue;
    position[node] = static_cast<uint32_t>(shown.size());
    const bool has_parent = node != 0;
    shown.push_back({when(has_parent, position[tree.nodes[node].parent]), tree.nodes[node].kind, tree.name_of(node),
                     own[node], metrics.is_timed()});
  }
  return shown;
}

}  // namespace tauprof
