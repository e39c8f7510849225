#include <algorithm>

#include "report/json_sections.h"

namespace tauprof {

// If gathered weights were kept between the passes.
struct KeptWeights {
  const ShardingBalance& balance;
};

Fields<KeptWeights> fields_of(const KeptWeights*) {
  return {"KeptWeights",
          "What keeping gathered weights between the passes would take and spare",
          {
              {"more_bytes", [](const KeptWeights& k) { return k.balance.kept_bytes.value_or(0); },
               "of each device, at most"},
              {"share_of_device", [](const KeptWeights& k) { return k.balance.kept_share_of_device; },
               "of the fullest device with it; `null`, as `fits`: its memory is not known"},
              {"fits", [](const KeptWeights& k) { return k.balance.would_fit(); }, "in 90 % of it"},
              {"gone_ns", [](const KeptWeights& k) { return rounded(k.balance.gone_ns); },
               "gathers of the backward pass without waiting, which would be gone"},
              {"gone_exposed_ns", [](const KeptWeights& k) { return rounded(k.balance.gone_exposed_ns); },
               "what of that nothing hides"},
          }};
}

Fields<ShardingBalance> fields_of(const ShardingBalance*) {
  return {"ShardingBalance",
          "Gathering of sharded weights against what could hide it, per rank and step",
          {
              {"gather_ns", rounded(&ShardingBalance::gather_ns), "gathering, without waiting"},
              {"compute_ns", rounded(&ShardingBalance::compute_ns), "computing"},
              {"gathers_over_compute", &ShardingBalance::gathers_over_compute, "above 1, no prefetch hides it"},
              {"if_weights_were_kept",
               [](const ShardingBalance& b) { return when(b.kept_bytes.has_value(), KeptWeights{b}); },
               "`null`: they are not gathered for each pass"},
          }};
}

namespace {

template <class T>
auto of_groups(T ParallelGroups::*member) {
  return [member](const GroupsAndBalance& balance) { return balance.groups.*member; };
}

auto whole(double ParallelGroups::*member) {
  return [member](const GroupsAndBalance& balance) { return rounded(balance.groups.*member); };
}

}  // namespace

Fields<GroupsAndBalance> fields_of(const GroupsAndBalance*) {
  return {"ParallelGroups",
          "Communicators that serve one purpose; times, calls and bytes per rank and step",
          {
              {"kind", of_groups(&ParallelGroups::kind), "what they are for"},
              {"evidence", [](const GroupsAndBalance& g) { return g.groups.is_by_name ? "name" : "traffic"; },
               "what tells: the communicator's `name`, or its `traffic`"},
              {"sequences", of_groups(&ParallelGroups::has_sequences), "tensor parallelism that scatters sequences"},
              {"sharding",
               [](const GroupsAndBalance& g) { return when(g.groups.sharding != Sharding::kNone, g.groups.sharding); },
               "of `sharded` ones: what is gathered, and when"},
              {"ranks", of_groups(&ParallelGroups::size), "of a group"},
              {"groups", of_groups(&ParallelGroups::groups), "how many there are"},
              {"comms", of_groups(&ParallelGroups::communicators), "their names"},
              {"calls_per_step", of_groups(&ParallelGroups::calls), "operations"},
              {"bytes_per_step",
               [](const GroupsAndBalance& g) { return when(g.groups.bytes > 0, rounded(g.groups.bytes)); },
               "counted as `size_bytes`"},
              {"span_ns_per_step", whole(&ParallelGroups::span_ns), "while they ran"},
              {"wait_ns_per_step", whole(&ParallelGroups::wait_ns), "of that, waiting"},
              {"exposed_ns_per_step", whole(&ParallelGroups::exposed_ns), "while they ran and nothing computed"},
              {"share_of_step", of_groups(&ParallelGroups::share_of_step), "of the time in which they ran"},
              {"exposed_share", of_groups(&ParallelGroups::exposed_share), "of that in which nothing computed"},
              {"balance", &GroupsAndBalance::balance, "`null` unless weights are sharded"},
          }};
}

std::vector<GroupsAndBalance> groups_with_balance(const RunMetrics& metrics) {
  std::vector<GroupsAndBalance> rows;
  for (size_t i = 0; i < metrics.communication.parallelism.size(); ++i) {
    const auto balance = std::find_if(metrics.communication.sharding.begin(), metrics.communication.sharding.end(),
                                      [&](const ShardingBalance& one) { return one.groups == i; });
    rows.push_back({metrics.communication.parallelism[i],
                    balance == metrics.communication.sharding.end() ? std::nullopt : std::optional(*balance)});
  }
  return rows;
}

}  // namespace tauprof
