// A tree of paths as it grows: each node and each name once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "limits/analysis_limits.h"
#include "model/call_path.h"

namespace tauprof {

class PathTree {
 public:
  uint32_t name(std::string_view text) {
    const auto [known, is_new] = name_numbers_.try_emplace(std::string(text), static_cast<uint32_t>(names_.size()));
    if (is_new) names_.emplace_back(text);
    return known->second;
  }

  // The node inside of `parent`; `parent` itself if there are too many to tell apart.
  uint32_t child(uint32_t parent, PathKind kind, uint32_t name) {
    const Key key{uint64_t{parent} << 32 | name, kind};
    if (const auto known = node_numbers_.find(key); known != node_numbers_.end()) return known->second;
    if (nodes_.size() == kMostPaths) return parent;
    node_numbers_.emplace(key, static_cast<uint32_t>(nodes_.size()));
    nodes_.push_back({parent, name, kind});
    return static_cast<uint32_t>(nodes_.size() - 1);
  }

  const std::vector<PathNode>& nodes() const { return nodes_; }
  const std::vector<std::string>& names() const { return names_; }
  std::vector<PathNode> take_nodes() { return std::move(nodes_); }
  std::vector<std::string> take_names() { return std::move(names_); }

 private:
  struct Key {
    uint64_t place;
    PathKind kind;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const {
      return (key.place * uint64_t{0x9E3779B97F4A7C15}) ^
             (static_cast<uint64_t>(key.kind) * uint64_t{0xC2B2AE3D27D4EB4F});
    }
  };
  std::vector<PathNode> nodes_{1};
  std::vector<std::string> names_{1};
  std::unordered_map<Key, uint32_t, Hash> node_numbers_;
  std::unordered_map<std::string, uint32_t> name_numbers_{{std::string(), 0}};
};

}  // namespace tauprof
