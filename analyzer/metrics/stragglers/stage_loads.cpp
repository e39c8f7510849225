#include "metrics/stragglers/stage_loads.h"

#include <algorithm>
#include <numeric>

#include "limits/analysis_limits.h"
#include "metrics/statistics/statistics.h"
#include "metrics/stragglers/kernel_times.h"
#include "metrics/stragglers/typical_spending.h"

namespace tauprof {
namespace {

constexpr auto kCopying = static_cast<size_t>(LedgerRow::kExposedCopy);

void add(SpentTime& sum, const SpentTime& load) {
  for (size_t row = 0; row < kLedgerRowCount; ++row) sum.rows[row] += load.rows[row];
  sum.work += load.work;
  sum.copied_bytes += load.copied_bytes;
}

double total(const SpentTime& load) {
  return static_cast<double>(std::accumulate(load.rows.begin(), load.rows.end(), Nanoseconds{0}));
}

// The load if its kernels took no longer than on the other stages.
SpentTime without_slowness(SpentTime load, double slowdown) {
  for (const LedgerRow row : {LedgerRow::kCompute, LedgerRow::kUnclassified}) {
    Nanoseconds& time = load.rows[static_cast<size_t>(row)];
    time = static_cast<Nanoseconds>(static_cast<double>(time) / slowdown);
  }
  return load;
}

double share(double typical, double load) { return typical < load ? typical / load : 1; }

double computing_time(const SpentTime& load) {
  return static_cast<double>(load.rows[static_cast<size_t>(LedgerRow::kCompute)] +
                             load.rows[static_cast<size_t>(LedgerRow::kUnclassified)]);
}

}  // namespace

StageLoads::StageLoads(const std::vector<RankTimeline>& ranks, const PipelineStages& stages)
    : ranks_(ranks), stages_(stages) {
  find_slowdowns();
  std::map<int32_t, std::map<int64_t, std::map<int32_t, std::vector<SpentTime>>>> replicas;
  for (uint32_t rank = 0; rank < ranks.size(); ++rank) {
    const StageOfRank place = stages.place(rank);
    if (!place.is_known()) continue;
    for (const RankStep& step : ranks[rank].steps)
      if (step.device) replicas[place.stages][step.number][place.number].push_back(load_of(step));
  }
  for (const auto& [number, steps_of_pipeline] : replicas)
    for (const auto& [step, of_stages] : steps_of_pipeline) {
      if (static_cast<int32_t>(of_stages.size()) != number) continue;
      for (const auto& [stage, of_replicas] : of_stages)
        loads_[number][step].push_back(without_slowness(lower_median(of_replicas), slowdowns_.at(number)[stage]));
    }
  find_usual();
}

void StageLoads::find_slowdowns() {
  bool has_stages = false;
  for (uint32_t rank = 0; rank < ranks_.size(); ++rank) has_stages |= stages_.place(rank).is_known();
  if (!has_stages) return;
  const std::vector<double> of_ranks = kernel_slowdowns(ranks_);
  std::map<int32_t, std::map<int32_t, std::vector<double>>> by_stage;
  for (uint32_t rank = 0; rank < ranks_.size(); ++rank)
    if (const StageOfRank place = stages_.place(rank); place.is_known())
      by_stage[place.stages][place.number].push_back(of_ranks[rank]);
  for (auto& [stages, of_stages] : by_stage) {
    slowdowns_[stages].assign(stages, 1);
    for (auto& [stage, of_replicas] : of_stages) {
      const double slowdown = lower_median(of_replicas);
      if (slowdown > kLonger) slowdowns_[stages][stage] = slowdown;
    }
  }
}

void StageLoads::find_usual() {
  for (const auto& [stages, steps] : loads_)
    for (int32_t stage = 0; stage < stages; ++stage) {
      std::vector<double> computing;
      std::vector<Nanoseconds> copying;
      for (const auto& [step, loads] : steps) {
        computing.push_back(computing_time(loads[stage]));
        copying.push_back(loads[stage].rows[kCopying]);
      }
      usual_computing_[stages].push_back(lower_median(computing));
      usual_copying_[stages].push_back(lower_median(copying));
    }
}

std::vector<double> StageLoads::varied(int32_t stages, const std::vector<SpentTime>& loads, size_t steps) const {
  std::vector<double> growth;
  for (int32_t stage = 0; stage < stages; ++stage) {
    const double usual = usual_computing_.at(stages)[stage] * static_cast<double>(steps);
    growth.push_back(usual > 0 ? computing_time(loads[stage]) / usual : 1);
  }
  std::vector<double> sorted = growth;
  const double common = lower_median(sorted);
  for (double& one : growth) one = one > kLonger * common ? common / one : 1;
  return growth;
}

double StageLoads::unusual_computing(StageOfRank place, int64_t step) const {
  const auto steps = loads_.find(place.stages);
  if (steps == loads_.end()) return 0;
  const auto loads = steps->second.find(step);
  if (loads == steps->second.end()) return 0;
  return computing_time(loads->second[place.number]) - usual_computing_.at(place.stages)[place.number];
}

const std::vector<StageLoads::Remainder>& StageLoads::remainders(int32_t stages, int64_t from, int64_t to) const {
  const std::lock_guard lock(finding_);
  const auto [known, is_new] = remainders_.try_emplace({stages, from, to});
  const auto steps = loads_.find(stages);
  if (!is_new || steps == loads_.end()) return known->second;
  std::vector<SpentTime> loads(stages);
  size_t summed = 0;
  for (auto step = steps->second.lower_bound(from); step != steps->second.end() && step->first <= to; ++step, ++summed)
    for (int32_t stage = 0; stage < stages; ++stage) add(loads[stage], step->second[stage]);
  const SpentTime typical = lower_median(loads);
  const std::vector<double> varied_shares = varied(stages, loads, summed);
  for (int32_t stage = 0; stage < stages; ++stage)
    known->second.push_back(remainder(loads[stage], typical,
                                      {.varied = varied_shares[stage],
                                       .slowdown = slowdowns_.at(stages)[stage],
                                       .copying = usual_copying_.at(stages)[stage] * static_cast<Nanoseconds>(summed),
                                       .has_input = stage == 0 || stage + 1 == stages,
                                       .steps = summed}));
  return known->second;
}

StageLoads::Remainder StageLoads::remainder(const SpentTime& load, const SpentTime& typical, const Nature& nature) {
  Remainder left;
  // After a blocking call every host launches again; that shows on the stage that waits for no message then.
  const auto launching = static_cast<double>(kLaunchAgain) * static_cast<double>(nature.steps);
  const double layers = (kLoadedStage - 1) * total(typical);
  for (size_t row = 0; row < kLedgerRowCount; ++row) {
    const Nanoseconds expected = row == kCopying ? std::max(typical.rows[row], nature.copying) : typical.rows[row];
    const auto own = static_cast<double>(load.rows[row]), usual = static_cast<double>(expected);
    const bool is_input = nature.has_input && row == static_cast<size_t>(LedgerRow::kIdleDataWait);
    const double in_nature = row == static_cast<size_t>(LedgerRow::kIdleHostSync)   ? launching
                             : is_of_host(static_cast<LedgerRow>(row)) && !is_input ? 0
                                                                                    : layers;
    left.rows[row] = own - usual > in_nature ? share(usual, own) : 1;
    if (row == static_cast<size_t>(LedgerRow::kCompute) || row == static_cast<size_t>(LedgerRow::kUnclassified))
      left.rows[row] = std::min(left.rows[row], nature.varied) / nature.slowdown;
  }
  for (const auto measure : kWorkMeasures) left.work.*measure = share(typical.work.*measure, load.work.*measure);
  left.copied_bytes = share(static_cast<double>(typical.copied_bytes), static_cast<double>(load.copied_bytes));
  return left;
}

void StageLoads::take_excess(uint32_t rank, uint32_t from, uint32_t to, SpentTime& spent) const {
  const int32_t first = ranks_[rank].collectives[from].step, last = ranks_[rank].collectives[to].step;
  const StageOfRank place = stages_.place(rank);
  if (first == kNoStep || last == kNoStep || !place.is_known()) return;
  const auto& steps = ranks_[rank].steps;
  take_excess(place, steps[first].number, steps[last].number, spent);
}

void StageLoads::take_excess(StageOfRank place, int64_t first, int64_t last, SpentTime& spent) const {
  const auto& of_stages = remainders(place.stages, first, last);
  if (of_stages.empty()) return;
  const Remainder& left = of_stages[place.number];
  for (size_t row = 0; row < kLedgerRowCount; ++row)
    spent.rows[row] = static_cast<Nanoseconds>(left.rows[row] * static_cast<double>(spent.rows[row]));
  for (const auto measure : kWorkMeasures) spent.work.*measure *= left.work.*measure;
  spent.copied_bytes = static_cast<uint64_t>(left.copied_bytes * static_cast<double>(spent.copied_bytes));
}

}  // namespace tauprof
