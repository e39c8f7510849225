#include <algorithm>
#include <cmath>
#include <utility>

#include "findings/finders.h"

namespace tauprof {
namespace {

// Which phase's calls allocate most of what stays.
Statement growing_phase(const MemoryOfRank& memory) {
  const auto most = std::max_element(memory.growth_by_phase.begin(), memory.growth_by_phase.end());
  const auto phase = static_cast<Phase>(most - memory.growth_by_phase.begin());
  return said(Volume{*most}, " a step of it allocated in ", phase_name(phase));
}

// "the device's 16.0 GB are full after some 63 more steps"; empty: its size is not known.
Statement until_full(const MemoryOfRank& memory) {
  if (!memory.device_bytes) return {};
  const double left = static_cast<double>(*memory.device_bytes - memory.most_bytes());
  if (left <= 0) return {};
  return said("the device's ", Volume{static_cast<double>(*memory.device_bytes)}, " are full after some ",
              Count{std::ceil(left / *memory.growth_per_step)}, " more steps");
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
  finding.evidence =
      said(Volume{*fastest->growth_per_step}, " a step on rank ", fastest->rank, ", ", growing_phase(*fastest));
  finding.evidence.also(until_full(*fastest));
  if (ranks.size() > 1) finding.evidence.also(said("it grows on ", Ranks{ranks}));
  if (ranks.size() < metrics.ranks.size()) finding.ranks = ranks;
  finding.repair.reason = "growing memory makes no step longer until the device is full";
  finding.saves_reason = finding.repair.reason;
  found.push_back(std::move(finding));
}

}  // namespace tauprof
