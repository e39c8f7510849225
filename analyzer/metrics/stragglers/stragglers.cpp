#include "metrics/stragglers/stragglers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <future>
#include <map>
#include <set>
#include <utility>

#include "limits/analysis_limits.h"
#include "metrics/statistics/distributions.h"
#include "metrics/statistics/statistics.h"
#include "metrics/stragglers/more_than_chance.h"
#include "metrics/stragglers/own_excess.h"
#include "metrics/stragglers/telemetry_causes.h"

namespace tauprof {
namespace {

class StragglerSearch {
 public:
  StragglerSearch(const std::vector<RankTimeline>& ranks, const StepSelection& steps, const TelemetryCauses& telemetry,
                  BlameTable blame, OwnTimes own_times)
      : ranks_(ranks), steps_(steps), telemetry_(telemetry), total_ns_(blame.total_ns), own_(std::move(own_times)) {
    report_.ranks = std::move(blame.ranks);
    report_.unblamed_ns = blame.unblamed_ns;
    report_.unblamed_in = std::move(blame.unblamed_in);
    report_.has_work = blame.has_work;
    timed_ = static_cast<size_t>(
        std::count_if(report_.ranks.begin(), report_.ranks.end(), [](const RankBlame& rank) { return rank.is_timed; }));
  }

  StragglerReport find() {
    apply_rules();
    choose();
    suspect();
    report_.pattern = pattern_of(report_.found, steps_.analysed.size());
    return std::move(report_);
  }

 private:
  void apply_rules() {
    report_.has_z = report_.has_work && ranks_.size() > kRuleRanks;
    if (!report_.has_work) return;
    const auto n = static_cast<double>(ranks_.size());
    double sum = 0, squares = 0;
    for (const RankBlame& rank : report_.ranks) sum += rank.work_ns;
    const double mean = sum / n;
    for (const RankBlame& rank : report_.ranks) squares += (rank.work_ns - mean) * (rank.work_ns - mean);
    const double deviation = std::sqrt(squares / n);
    for (const RankBlame& rank : report_.ranks) {
      if (rank.work_ns > kRuleOverMean * mean) report_.mean_over_1_1.push_back(rank.rank);
      if (report_.has_z && deviation > 0 && (rank.work_ns - mean) / deviation > kRuleDeviations)
        report_.z_over_2.push_back(rank.rank);
    }
  }

  void choose() {
    if (total_ns_ <= 0 || timed_ < 2) return;
    const bool is_single_step = steps_.analysed.size() == 1;  // which tells nothing of how much chance varies
    const size_t steps = steps_.analysed.size();
    const std::vector<RankBlame> lasting = without_passing_slowness();
    const std::vector<bool> is_no_chance = blamed_for_more_than_chance(report_.ranks, steps, total_ns_),
                            is_lasting_no_chance = blamed_for_more_than_chance(lasting, steps, total_ns_);
    for (size_t i = 0; i < lasting.size(); ++i) {
      const bool is_whole = lasting[i].total_ns() == report_.ranks[i].total_ns();
      const bool is_large = is_single_step && lasting[i].total_ns() >= kStragglerLargeShare * total_ns_;
      const bool is_significant = is_whole ? is_no_chance[i] || is_slow_device(i) : is_lasting_no_chance[i];
      if (lasting[i].is_timed && (is_significant || is_large))
        report_.found.push_back(describe(i, lasting[i].main_cause()));
    }
    std::sort(report_.found.begin(), report_.found.end(),
              [](const Straggler& a, const Straggler& b) { return a.score > b.score; });
  }

  // Whether others wait for it, and it computes longer than the ranks that do the same, step by step: so much and so
  // steadily that chance would find such a rank in at most kFalseAlarms of runs. Of a group of ranks that are all slow,
  // each is; beside each other none is blamed for more than chance.
  bool is_slow_device(size_t rank) const {
    const RankBlame& blame = report_.ranks[rank];
    if (blame.main_cause() != Cause::kSlowCompute || blame.total_ns() < kStragglerShare * total_ns_) return false;
    double sum = 0, squares = 0;
    std::set<size_t> all;
    for (const auto& [step, computing] : own_.computing[rank]) {
      const double longer = computing.own_ns - computing.expected_ns;
      sum += longer;
      squares += longer * longer;
      all.insert(step);
    }
    const auto n = static_cast<double>(all.size());
    if (n < 2 || !computes_longer(rank, all)) return false;
    // Student's t, whose square is F.
    const double variance = std::max((squares - sum * sum / n) / (n - 1), sum * sum / n / n / kMostShape);
    return f_tail(sum * sum / n / variance, 1, n - 1) / 2 < kFalseAlarms / static_cast<double>(timed_);
  }

  // A device may gain at some kernels what it loses at others. If it is slow, it is so over its steps; if it is slow
  // for good, over all. Else its blame for slowness is chance, which this leaves out.
  std::vector<RankBlame> without_passing_slowness() const {
    std::vector<RankBlame> lasting = report_.ranks;
    for (size_t rank = 0; rank < lasting.size(); ++rank) {
      if (lasting[rank].total_ns() < kStragglerShare * total_ns_) continue;
      const bool varies = varies_by_chance(rank);
      if (varies || !is_as_slow_as_blamed(rank)) leave_out(Cause::kSlowCompute, lasting[rank]);
      if (varies) leave_out(Cause::kMoreCompute, lasting[rank]);
    }
    return lasting;
  }

  static void leave_out(Cause cause, RankBlame& blame) {
    const auto number = static_cast<size_t>(cause);
    blame.by_cause[number] = 0;
    for (auto& [step, by_cause] : blame.by_step) by_cause[number] = 0;
  }

  // Where no other rank does the same, what it computes longer in some steps stands against its own other steps alone:
  // then only its ledger tells noise from an excess (own_excess.h).
  bool varies_by_chance(size_t rank) const {
    if (own_.alike[own_.group[rank]].size() > 1) return false;
    const CauseTimes& blame = report_.ranks[rank];
    for (const Cause cause : {Cause::kSlowCompute, Cause::kMoreCompute})
      if (blame.by_cause[static_cast<size_t>(cause)] > 0 && is_most(steps_of(blame, cause))) return false;
    return std::none_of(own_.excess.begin(), own_.excess.end(), [&](const OwnExcess& one) {
      return one.rank == rank && (one.cause == Cause::kSlowCompute || one.cause == Cause::kMoreCompute);
    });
  }

  bool is_as_slow_as_blamed(size_t rank) const {
    const std::vector<int64_t> slow = steps_of(report_.ranks[rank], Cause::kSlowCompute);
    std::set<size_t> in;
    for (const auto& [step, computing] : own_.computing[rank])
      if (is_most(slow) || std::find(slow.begin(), slow.end(), steps_.analysed[step].number) != slow.end())
        in.insert(step);
    return computes_longer(rank, in);
  }

  // In these steps together. By sums: step by step, the faster of two is sometimes the one and sometimes the other.
  bool computes_longer(size_t rank, const std::set<size_t>& in) const {
    const auto sum = [&](uint32_t which, double ComputingInStep::*what) {
      double total = 0;
      for (const auto& [step, computing] : own_.computing[which])
        if (in.contains(step)) total += computing.*what;
      return total;
    };
    const auto self = static_cast<uint32_t>(rank);
    std::vector<double> of_alike;
    for (const uint32_t other : own_.alike[own_.group[rank]]) of_alike.push_back(sum(other, &ComputingInStep::own_ns));
    const double typical = sum(self, &ComputingInStep::typical_ns);
    const double expected = typical > 0 ? sum(self, &ComputingInStep::expected_ns) / typical : 0;  // as a share
    return sum(self, &ComputingInStep::own_ns) > kLonger * expected * lower_median(of_alike);
  }

  void suspect() {
    if (total_ns_ <= 0 || timed_ < 2) return;
    double waited = 0;  // by all ranks
    for (const RankBlame& rank : report_.ranks) waited += rank.exposed_wait_ns;
    std::map<uint32_t, CauseTimes> by_rank;
    for (const OwnExcess& one : own_.excess) by_rank[one.rank].add(one.step, one.cause, one.ns);
    // An excess in one step only may be chance; then more is needed.
    std::erase_if(by_rank, [&](const auto& entry) {
      const double share = entry.second.by_step.size() == 1 ? kStragglerLargeShare : kStragglerShare;
      const double least = share * total_ns_ / static_cast<double>(timed_);
      // Whoever delays others makes them wait, if not for itself then for those that it delays.
      const double of_others = waited - report_.ranks[entry.first].exposed_wait_ns;
      return entry.second.total_ns() < least || (report_.has_work && of_others < least);
    });
    for (const auto& [rank, times] : by_rank) {
      const RankBlame& blame = report_.ranks[rank];
      const auto found = std::find_if(report_.found.begin(), report_.found.end(),
                                      [&](const Straggler& one) { return one.rank == blame.rank; });
      if (found != report_.found.end()) {
        if (found->cause == times.main_cause()) take_steps_unless_fewer(times, *found);
        continue;
      }
      Straggler& suspect = report_.suspects.emplace_back(describe(rank, times.main_cause()));
      suspect.excess_ns = times.total_ns();
      suspect.is_within_clock_bound = false;  // its ledger needs no other rank's clock
      set_cause(times.main_cause(), times, rank, suspect);
      suspect.steps.clear();
      take_steps_unless_fewer(times, suspect);
    }
    std::stable_sort(report_.suspects.begin(), report_.suspects.end(),
                     [](const Straggler& a, const Straggler& b) { return a.excess_ns > b.excess_ns; });
  }

  Straggler describe(size_t rank, Cause cause) const {
    const RankBlame& blame = report_.ranks[rank];
    Straggler straggler;
    straggler.rank = blame.rank;
    straggler.blamed_ns = blame.total_ns();
    straggler.score = straggler.blamed_ns / total_ns_;
    // Waiting hidden by computation costs nothing. Without this rank's lateness, its peers' steps would lose their
    // exposed waiting, in proportion to this rank's blame.
    const auto n = static_cast<double>(timed_);
    double exposed = 0, all_blame = 0;
    for (const RankBlame& other : report_.ranks) {
      if (other.rank != blame.rank) exposed += other.exposed_wait_ns;
      all_blame += other.total_ns();
    }
    all_blame += report_.unblamed_ns;
    const double share = all_blame > 0 ? straggler.blamed_ns / all_blame : 0;
    const auto steps = static_cast<double>(std::max<size_t>(1, steps_.analysed.size()));
    straggler.set_cost(exposed / (n - 1) * share / steps, total_ns_ / n / steps, timed_, steps_.analysed.size());
    straggler.last_share = blame.last_share;
    straggler.lateness_ns = blame.lateness_mean_ns;
    straggler.by_cause = blame.by_cause;
    set_cause(cause, blame, rank, straggler);
    set_steps(steps_of(blame, cause), straggler);
    straggler.is_within_clock_bound = blame.total_ns() > 0 && !blame.is_beyond_clocks;
    return straggler;
  }

  void set_cause(Cause cause, const CauseTimes& times, size_t rank, Straggler& straggler) const {
    straggler.cause = cause;
    const bool is_throttled = times.by_cause[static_cast<size_t>(Cause::kThrottled)] > 0;
    straggler.throttle_reasons = is_throttled ? telemetry_.throttle_reasons(rank) : 0;
  }

  // Those with at least half of the mean, by one cause.
  std::vector<int64_t> steps_of(const CauseTimes& times, Cause wanted) const {
    const auto cause = static_cast<size_t>(wanted);
    const double mean = times.by_cause[cause] / static_cast<double>(std::max<size_t>(1, steps_.analysed.size()));
    std::vector<int64_t> numbers;
    for (const auto& [step, by_cause] : times.by_step)
      if (is_as_much(by_cause[cause], mean)) numbers.push_back(steps_.analysed[step].number);
    return numbers;
  }

  void set_steps(std::vector<int64_t> numbers, Straggler& straggler) const {
    straggler.steps = std::move(numbers);
    straggler.is_persistent = is_most(straggler.steps);
  }

  bool is_most(const std::vector<int64_t>& numbers) const {
    return steps_.analysed.size() > 1 && are_most(numbers.size(), steps_.analysed.size());
  }

  // Of its excess, unless others were seen to wait for it in more steps: they may do so a step after the excess.
  void take_steps_unless_fewer(const CauseTimes& excess, Straggler& straggler) const {
    std::vector<int64_t> numbers = steps_of(excess, excess.main_cause());
    if (numbers.size() < straggler.steps.size()) return;
    set_steps(std::move(numbers), straggler);
    straggler.are_windows = true;
  }

  const std::vector<RankTimeline>& ranks_;
  const StepSelection& steps_;
  const TelemetryCauses& telemetry_;
  const double total_ns_;  // of all ranks' analysed steps
  const OwnTimes own_;
  size_t timed_ = 0;  // ranks with device times; only they wait, and are waited for, in what follows
  StragglerReport report_;
};

}  // namespace

void Straggler::set_cost(double ns, double step_ns, size_t ranks, size_t step_count) {
  cost_ns_per_step = ns;
  gpu_hours = ns * static_cast<double>(ranks * step_count) / 3.6e12;
  slowdown = ns < step_ns ? std::optional(step_ns / (step_ns - ns)) : std::nullopt;
}

StragglerPattern pattern_of(const std::vector<Straggler>& found, size_t steps) {
  if (found.empty() || steps < 2) return StragglerPattern::kNone;
  std::set<int64_t> hurt;
  for (const Straggler& straggler : found) {
    if (straggler.is_persistent) return StragglerPattern::kPersistent;
    hurt.insert(straggler.steps.begin(), straggler.steps.end());
  }
  return are_most(hurt.size(), steps) ? StragglerPattern::kWandering : StragglerPattern::kTransient;
}

StragglerReport find_stragglers(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                                const StepSelection& steps) {
  const TelemetryCauses telemetry(ranks, steps);
  std::future<OwnTimes> own = std::async([&] { return own_times(ranks, matches, steps, telemetry); });
  BlameTable blame = blame_table(ranks, matches, steps, telemetry);
  return StragglerSearch(ranks, steps, telemetry, std::move(blame), own.get()).find();
}

}  // namespace tauprof
