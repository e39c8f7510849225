#include "report/rank_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tauprof {
namespace {

constexpr size_t kMostNamed = 8;

std::string ordinal(int64_t number) {
  const int64_t last = number % 10, tens = number / 10 % 10;
  return fmt::format("{}{}", number,
                     tens == 1 || last > 3 || last == 0 ? "th"
                     : last == 1                        ? "st"
                     : last == 2                        ? "nd"
                                                        : "rd");
}

template <class Number>
std::string in_words(const std::vector<Number>& numbers, const char* what) {
  if (numbers.size() == 1) return fmt::format("{} {}", what, numbers.front());
  if (numbers.size() > kMostNamed) {
    const Number distance = numbers[1] - numbers[0];
    const auto other =
        std::adjacent_find(numbers.begin(), numbers.end(), [=](Number a, Number b) { return b - a != distance; });
    if (other == numbers.end() && distance == 1)
      return fmt::format("{}s {} to {}", what, numbers.front(), numbers.back());
    if (other == numbers.end())
      return fmt::format("{} {}s, every {} from {} on", numbers.size(), what, ordinal(distance), numbers.front());
  }
  std::string text = fmt::format("{}s ", what);
  for (size_t i = 0; i < numbers.size() && i < kMostNamed; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", numbers[i]);
  return numbers.size() > kMostNamed ? text + fmt::format(" and {} more", numbers.size() - kMostNamed) : text;
}

}  // namespace

std::string ranks_in_words(const std::vector<int32_t>& ranks) { return in_words(ranks, "rank"); }
std::string steps_in_words(const std::vector<int64_t>& steps) { return in_words(steps, "step"); }

std::string counted_ranks(int64_t ranks, int64_t world_size) {
  if (world_size > 1) return fmt::format("{} of {} ranks", ranks, world_size);
  return ranks == 1 ? "1 rank" : fmt::format("{} ranks", ranks);
}

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
