#include <array>
#include <utility>

#include "diff/comparisons.h"

namespace tauprof {
namespace {

using Runs = std::vector<AnalyzedRun>;
using Amount = std::optional<double> (*)(const MemoryOfRank& memory);

std::optional<double> peak(const MemoryOfRank& memory) {
  return memory.peak_bytes > 0 ? std::optional(static_cast<double>(memory.peak_bytes)) : std::nullopt;
}

std::optional<double> reserved(const MemoryOfRank& memory) {
  return memory.peak_reserved_bytes ? std::optional(static_cast<double>(*memory.peak_reserved_bytes)) : std::nullopt;
}

std::optional<double> growth(const MemoryOfRank& memory) { return memory.growth_per_step; }

std::optional<double> allocations(const MemoryOfRank& memory) {
  return memory.peak_bytes > 0 ? std::optional(memory.allocations_per_step) : std::nullopt;
}

constexpr std::array<std::pair<const char*, Amount>, 4> kAmounts = {{{"peak_bytes", peak},
                                                                     {"peak_reserved_bytes", reserved},
                                                                     {"growth_bytes_per_step", growth},
                                                                     {"allocations_per_step", allocations}}};

// The largest of the ranks, on average over the runs; nullopt: it is not known for some run.
std::optional<double> of_side(const Runs& runs, Amount amount) {
  double sum = 0;
  for (const AnalyzedRun& run : runs) {
    std::optional<double> largest;
    for (const MemoryOfRank& memory : run.report.metrics.devices.memory)
      if (const std::optional<double> on_rank = amount(memory); on_rank && (!largest || *on_rank > *largest))
        largest = on_rank;
    if (!largest) return std::nullopt;
    sum += *largest;
  }
  return sum / static_cast<double>(runs.size());
}

}  // namespace

std::vector<MemoryDiff> compare_memory(const Runs& a, const Runs& b) {
  std::vector<MemoryDiff> result;
  for (const auto& [name, amount] : kAmounts) {
    const std::optional<double> of_a = of_side(a, amount), of_b = of_side(b, amount);
    if (of_a && of_b) result.push_back({name, *of_a, *of_b});
  }
  return result;
}

}  // namespace tauprof
