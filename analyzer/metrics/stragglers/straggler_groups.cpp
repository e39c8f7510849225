#include "metrics/stragglers/straggler_groups.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace tauprof {

std::vector<int32_t> StragglerGroup::ranks() const {
  std::vector<int32_t> ranks;
  for (const Straggler* const one : members) ranks.push_back(one->rank);
  return ranks;
}

bool StragglerGroup::is_within_clock_bound() const {
  return std::all_of(members.begin(), members.end(), [](const Straggler* one) { return one->is_within_clock_bound; });
}

std::set<int64_t> StragglerGroup::steps() const {
  std::set<int64_t> steps;
  for (const Straggler* const one : members) steps.insert(one->steps.begin(), one->steps.end());
  return steps;
}

namespace {

void add(const Straggler& one, StragglerGroup& group) {
  if (group.foremost == nullptr) group.foremost = &one;
  group.members.push_back(&one);
  group.score += one.score;
  group.blamed_ns += one.blamed_ns;
  group.excess_ns += one.excess_ns;
  group.cost_ns_per_step += one.cost_ns_per_step;
}

template <class Story>
std::vector<StragglerGroup> costliest_first(std::map<Story, StragglerGroup>& groups) {
  std::vector<StragglerGroup> result;
  for (auto& [story, group] : groups) {
    std::sort(group.members.begin(), group.members.end(),
              [](const Straggler* a, const Straggler* b) { return a->rank < b->rank; });
    result.push_back(std::move(group));
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const StragglerGroup& a, const StragglerGroup& b) { return a.score > b.score; });
  return result;
}

}  // namespace

std::vector<StragglerGroup> straggler_groups(const StragglerReport& report) {
  using Story = std::tuple<std::optional<Cause>, bool, std::vector<int64_t>>;  // cause, persistent, steps
  std::map<Story, StragglerGroup> groups;
  for (const Straggler& one : report.found) {
    const bool is_one_step = one.steps.size() == 1;
    const Story story{is_one_step ? std::nullopt : std::optional(one.cause), one.is_persistent,
                      one.is_persistent ? std::vector<int64_t>() : one.steps};
    StragglerGroup& group = groups[story];
    add(one, group);
    if (is_one_step && one.last_share > group.foremost->last_share) group.foremost = &one;
    group.is_one_step = is_one_step && group.members.size() > 1;
  }
  return costliest_first(groups);
}

std::vector<StragglerGroup> straggler_groups_of_hosts(const StragglerReport& report,
                                                      const std::function<std::string(int32_t rank)>& host_of) {
  using Story = std::tuple<std::string, Cause, bool, bool>;  // host, cause, persistent, seen by its own time alone
  std::map<Story, StragglerGroup> groups;
  for (const Straggler& one : report.found)
    add(one, groups[{host_of(one.rank), one.cause, one.is_persistent, one.is_suspect()}]);
  return costliest_first(groups);
}

}  // namespace tauprof
