#include "report/parallelism_words.h"

#include <fmt/format.h>

namespace tauprof {

std::string kind_words(const ParallelGroups& group) {
  const std::string name(kParallelismNames[static_cast<size_t>(group.kind)]);
  if (group.has_sequences) return name + " + sequence";
  switch (group.sharding) {
    case Sharding::kWeightsEachPass:
      return "sharded (ZeRO-3)";
    case Sharding::kWeightsOnce:
      return "sharded (ZeRO-2)";
    case Sharding::kOptimizer:
      return "sharded optimizer";
    default:
      return name;
  }
}

std::string group_words(const ParallelGroups& group) {
  return group.groups == 1 ? fmt::format("{} ranks", group.size)
                           : fmt::format("{} x {} ranks", group.groups, group.size);
}

}  // namespace tauprof
