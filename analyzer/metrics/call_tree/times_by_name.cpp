#include "metrics/call_tree/times_by_name.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tauprof {
namespace {

using Key = std::pair<std::string, PathKind>;

// The nodes of a kind on the way to a node, the outermost first.
template <class IsOne>
std::vector<uint32_t> on_path(const CallTree& tree, size_t node, IsOne&& is_one) {
  std::vector<uint32_t> found;
  for (auto at = static_cast<uint32_t>(node); at != 0; at = tree.nodes[at].parent)
    if (is_one(tree.nodes[at].kind)) found.push_back(at);
  std::reverse(found.begin(), found.end());
  return found;
}

bool is_operator(PathKind kind) { return kind == PathKind::kOperator || kind == PathKind::kRange; }

// The innermost operator stands last, behind the ranges.
std::vector<Key> operators_of(const CallTree& tree, size_t node) {
  std::vector<Key> keys;
  for (const uint32_t at : on_path(tree, node, is_operator)) keys.emplace_back(tree.name_of(at), tree.nodes[at].kind);
  std::stable_partition(keys.begin(), keys.end(), [](const Key& key) { return key.second == PathKind::kRange; });
  return keys;
}

std::vector<Key> lines_of(const CallTree& tree, size_t node) {
  std::vector<Key> keys;
  for (const uint32_t at : on_path(tree, node, [](PathKind kind) { return kind == PathKind::kLine; }))
    keys.emplace_back(tree.name_of(at), PathKind::kLine);
  return keys;
}

// A module that is met again is the same place.
std::vector<Key> modules_of(const CallTree& tree, size_t node) {
  std::vector<std::string> names;
  for (const uint32_t at : on_path(tree, node, [](PathKind kind) { return kind == PathKind::kModule; })) {
    names.erase(std::find(names.begin(), names.end(), tree.name_of(at)), names.end());
    names.push_back(tree.name_of(at));
  }
  std::vector<Key> keys;
  std::string path;
  for (const std::string& name : names) keys.emplace_back(path += (path.empty() ? "" : ".") + name, PathKind::kModule);
  return keys;
}

Key in_none(const CallTree& tree, size_t node) {
  const auto passes = on_path(tree, node, [](PathKind kind) { return kind == PathKind::kPass; });
  return passes.empty() ? Key("", PathKind::kRoot) : Key(tree.name_of(passes.front()), PathKind::kPass);
}

template <class KeysOf>
std::vector<TimesOfName> times_of(const CallTree& tree, KeysOf&& keys_of) {
  std::map<Key, TimesOfName> sums;
  bool is_any = false;
  for (size_t node = 0; node < tree.nodes.size(); ++node) {
    if (tree.times[node].is_empty()) continue;
    std::vector<Key> keys = keys_of(tree, node);
    is_any |= !keys.empty();
    if (keys.empty()) keys.push_back(in_none(tree, node));
    sums[keys.back()].self.add(tree.times[node]);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    for (const Key& key : keys) sums[key].total.add(tree.times[node]);
  }
  std::vector<TimesOfName> rows;
  for (auto& [key, row] : sums) {
    std::tie(row.name, row.kind) = key;
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const TimesOfName& a, const TimesOfName& b) {
    return std::tuple(a.total.device, a.self.device, a.total.host) >
           std::tuple(b.total.device, b.self.device, b.total.host);
  });
  return is_any ? rows : std::vector<TimesOfName>();
}

}  // namespace

std::vector<TimesOfName> times_of_operators(const CallTree& tree) { return times_of(tree, operators_of); }
std::vector<TimesOfName> times_of_modules(const CallTree& tree) { return times_of(tree, modules_of); }
std::vector<TimesOfName> times_of_lines(const CallTree& tree) { return times_of(tree, lines_of); }

}  // namespace tauprof
