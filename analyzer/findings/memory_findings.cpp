#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "findings/finders.h"
#include "findings/rank_words.h"

namespace tauprof {
namespace {

std::string megabytes(double bytes) { return fmt::format("{:.1f} MB", bytes / 1e6); }

// Which phase's calls allocate most of what stays.
std::string growing_phase(const MemoryOfRank& memory) {
  const auto most = std::max_element(memory.growth_by_phase.begin(), memory.growth_by_phase.end());
  const auto phase = static_cast<Phase>(most - memory.growth_by_phase.begin());
  return fmt::format("{} a step of it allocated in {}", megabytes(*most), phase_name(phase));
}

// "; 16.0 GB of the device are full after 63 more steps".
std::string until_full(const MemoryOfRank& memory) {
  if (!memory.device_bytes) return {};
  const double left = static_cast<double>(*memory.device_bytes - memory.most_bytes());
  if (left <= 0) return {};
  return fmt::format("; the device's {:.1f} GB are full after some {:.0f} more steps",
                     static_cast<double>(*memory.device_bytes) / 1e9, std::ceil(left / *memory.growth_per_step));
}

}  // namespace

void add_memory_findings(const RunFacts&, const RunMetrics& metrics, std::vector<Finding>& found) {
  const MemoryOfRank* fastest = nullptr;
  std::vector<int32_t> ranks;
  for (const MemoryOfRank& memory : metrics.devices.memory) {
    if (!memory.is_growing) continue;
    ranks.push_back(memory.rank);
    if (fastest == nullptr || *memory.growth_per_step > *fastest->growth_per_step) fastest = &memory;
  }
  if (fastest == nullptr) return;
  Finding finding(FindingId::kMemoryGrowth, Severity::kWarning);
  finding.evidence = fmt::format("{} a step on rank {}, {}{}{}", megabytes(*fastest->growth_per_step), fastest->rank,
                                 growing_phase(*fastest), until_full(*fastest),
                                 ranks.size() > 1 ? "; it grows on " + ranks_in_words(ranks) : "");
  if (ranks.size() < metrics.ranks.size()) finding.ranks = ranks;
  finding.repair.reason = "growing memory makes no step longer until the device is full";
  finding.saves_reason = finding.repair.reason;
  found.push_back(std::move(finding));
}

}  // namespace tauprof
