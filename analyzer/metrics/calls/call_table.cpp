#include "metrics/calls/call_table.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace tauprof {
namespace {

// The table of each host step; kNoIndex: it does not count.
std::vector<uint32_t> tables_of_steps(const ProcessTrace& trace, const std::vector<StepWindow>& steps,
                                      const std::optional<StepRange>& choice) {
  std::vector<uint32_t> tables(trace.steps.size(), kNoIndex);
  for (size_t i = 0; i < steps.size(); ++i)
    if (!choice || choice->has(trace.steps[steps[i].host_step].number))
      tables[steps[i].host_step] = static_cast<uint32_t>(std::min(i, kLeadingSteps));
  return tables;
}

}  // namespace

void total_calls(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<StepWindow>& steps,
                 const std::optional<StepRange>& choice, RankTimeline& timeline) {
  auto& tables = timeline.call_totals;
  tables.resize(std::min(steps.size(), kLeadingSteps + 1));
  const std::vector<uint32_t> table_of_step = tables_of_steps(trace, steps, choice);
  std::vector<uint32_t> function_name(trace.names.size(), kNoIndex);
  std::vector<std::vector<uint32_t>> row_of(tables.size());
  for (const HostCall& call : trace.calls) {
    if (call.step == kNoStep || table_of_step[call.step] == kNoIndex || call.function == kNoName) continue;
    if (trace.devices.size() > 1 && call.device != device.device) continue;
    const uint32_t table = table_of_step[call.step];
    if (row_of[table].empty()) row_of[table].assign(trace.names.size(), kNoIndex);
    uint32_t& row = row_of[table][call.function];
    const Nanoseconds length = call.end - call.start;
    if (row == kNoIndex) {
      uint32_t& name = function_name[call.function];
      if (name == kNoIndex) {
        name = static_cast<uint32_t>(timeline.function_names.size());
        timeline.function_names.emplace_back(trace.names[call.function]);
      }
      row = static_cast<uint32_t>(tables[table].size());
      tables[table].push_back({name, call.call_class, 0, 0, length, length});
    }
    CallTotal& sum = tables[table][row];
    ++sum.count;
    sum.total += length;
    sum.shortest = std::min(sum.shortest, length);
    sum.longest = std::max(sum.longest, length);
  }
}

// Steps that the user left out never entered the ranks' tables. Each step that may be warm-up has a table of its own.
std::vector<CallMetrics> call_table(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) {
  std::map<std::string, CallMetrics> sums;
  for (const RankTimeline* const rank : ranks)
    for (size_t table = 0; table < rank->call_totals.size(); ++table) {
      if (table < kLeadingSteps && !steps.has(rank->steps[table].number)) continue;
      for (const CallTotal& calls : rank->call_totals[table]) {
        const std::string& function = rank->function_names[calls.function];
        const auto [found, is_new] =
            sums.try_emplace(function, CallMetrics{function, calls.call_class, 0, 0, calls.shortest, calls.longest});
        CallMetrics& sum = found->second;
        sum.count += calls.count;
        sum.total += calls.total;
        sum.shortest = std::min(sum.shortest, calls.shortest);
        sum.longest = std::max(sum.longest, calls.longest);
      }
    }
  std::vector<CallMetrics> result;
  for (auto& [function, calls] : sums) result.push_back(std::move(calls));
  std::stable_sort(result.begin(), result.end(),
                   [](const CallMetrics& a, const CallMetrics& b) { return a.total > b.total; });
  return result;
}

}  // namespace tauprof
