// Which stragglers are one story.
//
// Ranks that are late for the same reason, persistently or in the same steps, are one group: sixteen ranks with a slow
// loader are one slow loader. In a single step whoever is late is late for the last one to arrive, whatever the
// reasons: without it, the others would have gone on as soon as the one before came. So the stragglers of one single
// step are a group, too, and its last arrival is the one that matters.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "metrics/stragglers/stragglers.h"

namespace tauprof {

struct StragglerGroup {
  std::vector<const Straggler*> members;  // by rank
  const Straggler* foremost = nullptr;    // the costliest; in a single step, the one that arrived last most often
  bool is_one_step = false;               // several, for whatever reasons
  double score = 0;                       // sums
  double blamed_ns = 0;
  double excess_ns = 0;
  double cost_ns_per_step = 0;

  std::vector<int32_t> ranks() const;
  // In which any of them is late.
  std::set<int64_t> steps() const;
  // Every member's clock may be off by more than it is late.
  bool is_within_clock_bound() const;
};

// The costliest first.
std::vector<StragglerGroup> straggler_groups(const StragglerReport& report);

// Those of one host that are late for the same reason, whatever the steps: a list that is no longer than the hosts and
// their reasons are many.
std::vector<StragglerGroup> straggler_groups_of_hosts(const StragglerReport& report,
                                                      const std::function<std::string(int32_t rank)>& host_of);

}  // namespace tauprof
