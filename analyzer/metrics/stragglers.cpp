#include "metrics/stragglers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "metrics/blame.h"
#include "metrics/statistics.h"
#include "metrics/thresholds.h"

namespace tauprof {
namespace {

class Search {
 public:
  Search(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
         const StepSelection& steps)
      : ranks_(ranks), matches_(matches), steps_(steps) {
    for (size_t i = 0; i < steps_.analysed.size(); ++i) step_index_[steps_.analysed[i].number] = i;
    for (const RankTimeline& rank : ranks_) {
      RankBlame blame;
      blame.rank = rank.rank;
      blame.by_step.resize(steps_.analysed.size());
      report_.ranks.push_back(std::move(blame));
    }
  }

  StragglerReport run() {
    share_blame();
    ask_telemetry();
    measure_lateness();
    measure_work();
    apply_rules();
    choose();
    return std::move(report_);
  }

 private:
  // The analysed step in which a rank's collective starts; npos: none.
  size_t step_of(uint32_t rank, uint32_t collective) const {
    const int32_t step = ranks_[rank].collectives[collective].step;
    if (step == kNoStep) return kNone;
    const auto found = step_index_.find(ranks_[rank].steps[step].number);
    return found == step_index_.end() ? kNone : found->second;
  }

  void share_blame() {
    BlameTracer(ranks_, matches_).trace([&](const BlameTracer::Blame& blame) {
      const size_t step = step_of(blame.late_rank, blame.collective);
      if (step == kNone) return;
      report_.unblamed_ns += blame.waited;
      for (const BlameShare& share : blame.shares) {
        report_.unblamed_ns -= share.share;
        RankBlame& rank = report_.ranks[share.rank];
        rank.by_cause[static_cast<size_t>(share.cause)] += share.share;
        rank.by_step[step] += share.share;
      }
    });
  }

  // The upper of the others' middle two, where all ranks have a value.
  template <class Value>
  std::optional<double> median_of_others(size_t rank, Value&& value) const {
    std::vector<double> others;
    for (size_t i = 0; i < ranks_.size(); ++i) {
      if (!value(ranks_[i])) return std::nullopt;
      if (i != rank) others.push_back(*value(ranks_[i]));
    }
    if (others.empty()) return std::nullopt;
    std::nth_element(others.begin(), others.begin() + others.size() / 2, others.end());
    return others[others.size() / 2];
  }

  void ask_telemetry() {
    for (size_t i = 0; i < ranks_.size(); ++i) {
      auto& by_cause = report_.ranks[i].by_cause;
      const auto move = [&](Cause from, Cause to) {
        by_cause[static_cast<size_t>(to)] += std::exchange(by_cause[static_cast<size_t>(from)], 0);
      };
      const auto clock = median_of_others(i, [](const RankTimeline& rank) { return rank.health.sm_clock_mhz; });
      if (clock && *ranks_[i].health.sm_clock_mhz < kThrottledClock * *clock)
        move(Cause::kSlowCompute, Cause::kThrottled);
      const auto wait = median_of_others(i, [](const RankTimeline& rank) { return rank.health.cpu_wait_share; });
      if (wait && *ranks_[i].health.cpu_wait_share > *wait + kContendedShare) {
        move(Cause::kHostStall, Cause::kCpuContention);
        move(Cause::kHostLaunch, Cause::kCpuContention);
      }
    }
  }

  void measure_lateness() {
    std::vector<std::vector<Nanoseconds>> lateness(ranks_.size());
    std::vector<size_t> last(ranks_.size(), 0);
    for (const MatchedCollective& match : matches_) {
      if (match.members.size() < 2 || !match.is_complete()) continue;
      std::vector<std::pair<Nanoseconds, uint32_t>> arrivals;
      bool is_split = true;
      for (const CollectiveMember& member : match.members) {
        const RankCollective& own = ranks_[member.rank].collectives[member.collective];
        is_split &= own.is_split;
        if (step_of(member.rank, member.collective) != kNone)
          arrivals.emplace_back(ranks_[member.rank].run_clock.to_run(own.start), member.rank);
      }
      if (!is_split || arrivals.size() != match.members.size()) continue;
      std::sort(arrivals.begin(), arrivals.end());
      const size_t n = arrivals.size();
      // In half nanoseconds, since the median of an even number lies between two arrivals.
      const Nanoseconds twice_median = arrivals[(n - 1) / 2].first + arrivals[n / 2].first;
      for (const auto& [time, rank] : arrivals)
        lateness[rank].push_back(std::max<Nanoseconds>(0, 2 * time - twice_median));
      // A tie names nobody.
      if (arrivals[n - 1].first > arrivals[n - 2].first) ++last[arrivals[n - 1].second];
    }
    for (size_t rank = 0; rank < ranks_.size(); ++rank) {
      RankBlame& blame = report_.ranks[rank];
      blame.collectives = lateness[rank].size();
      if (blame.collectives == 0) continue;
      blame.last_share = static_cast<double>(last[rank]) / static_cast<double>(blame.collectives);
      const Statistics statistics = statistics_of(std::move(lateness[rank]));
      blame.lateness_mean_ns = statistics.mean / 2;
      blame.lateness_p95_ns = statistics.p95 / 2;
    }
  }

  void measure_work() {
    report_.has_work = true;
    for (size_t i = 0; i < ranks_.size(); ++i) {
      RankBlame& blame = report_.ranks[i];
      blame.has_work = true;
      size_t steps = 0;
      for (const RankStep& step : ranks_[i].steps) {
        if (!steps_.has(step.number)) continue;
        ++steps;
        total_ns_ += static_cast<double>(step.device.length());
        blame.work_ns += static_cast<double>(step.device.length());
        for (const LedgerCell& cell : step.cells) {
          if (cell.row == LedgerRow::kExposedCommWait) blame.exposed_wait_ns += static_cast<double>(cell.length);
          if (cell.row == LedgerRow::kExposedCommUnsplit) blame.has_work = false;
        }
      }
      blame.work_ns -= blame.exposed_wait_ns;
      if (steps > 0) blame.work_ns /= static_cast<double>(steps);
      report_.has_work &= blame.has_work && steps > 0;
    }
  }

  void apply_rules() {
    report_.has_z = report_.has_work && ranks_.size() > 5;
    if (!report_.has_work) return;
    const auto n = static_cast<double>(ranks_.size());
    double sum = 0, squares = 0;
    for (const RankBlame& rank : report_.ranks) sum += rank.work_ns;
    const double mean = sum / n;
    for (const RankBlame& rank : report_.ranks) squares += (rank.work_ns - mean) * (rank.work_ns - mean);
    const double deviation = std::sqrt(squares / n);
    for (const RankBlame& rank : report_.ranks) {
      if (rank.work_ns > 1.1 * mean) report_.mean_over_1_1.push_back(rank.rank);
      if (report_.has_z && deviation > 0 && (rank.work_ns - mean) / deviation > 2)
        report_.z_over_2.push_back(rank.rank);
    }
  }

  bool stands_out(size_t rank) const {
    const double share = report_.ranks[rank].blamed_ns() / total_ns_;
    if (share < kStragglerShare) return false;
    if (share >= kStragglerLargeShare) return true;
    std::vector<double> others;
    for (size_t i = 0; i < report_.ranks.size(); ++i)
      if (i != rank) others.push_back(report_.ranks[i].blamed_ns());
    std::nth_element(others.begin(), others.begin() + others.size() / 2, others.end());
    return report_.ranks[rank].blamed_ns() > kStragglerOverOthers * others[others.size() / 2];
  }

  void choose() {
    if (total_ns_ <= 0 || ranks_.size() < 2) return;
    for (size_t i = 0; i < report_.ranks.size(); ++i)
      if (stands_out(i)) report_.found.push_back(describe(report_.ranks[i]));
    std::sort(report_.found.begin(), report_.found.end(),
              [](const Straggler& a, const Straggler& b) { return a.score > b.score; });
    find_pattern();
  }

  void find_pattern() {
    if (report_.found.empty()) return;
    report_.pattern = StragglerPattern::kTransient;
    std::set<int64_t> steps;
    for (const Straggler& straggler : report_.found) {
      steps.insert(straggler.steps.begin(), straggler.steps.end());
      if (straggler.is_persistent) report_.pattern = StragglerPattern::kPersistent;
    }
    if (report_.pattern == StragglerPattern::kTransient && 2 * steps.size() > steps_.analysed.size())
      report_.pattern = StragglerPattern::kWandering;
  }

  Straggler describe(const RankBlame& blame) const {
    Straggler straggler;
    straggler.rank = blame.rank;
    straggler.blamed_ns = blame.blamed_ns();
    straggler.score = straggler.blamed_ns / total_ns_;
    // Waiting that computation hid cost nothing: without this rank its peers' steps would lose their
    // exposed waiting, as far as that is its doing.
    const auto n = static_cast<double>(ranks_.size());
    double exposed = 0, all_blame = 0;
    for (const RankBlame& other : report_.ranks) {
      if (other.rank != blame.rank) exposed += other.exposed_wait_ns;
      all_blame += other.blamed_ns();
    }
    all_blame += report_.unblamed_ns;
    const double cost = exposed / (n - 1) * straggler.blamed_ns / all_blame, per_rank = total_ns_ / n;
    straggler.cost_ns_per_step = cost / static_cast<double>(std::max<size_t>(1, steps_.analysed.size()));
    straggler.gpu_hours = cost * n / 3.6e12;
    if (cost < per_rank) straggler.slowdown = per_rank / (per_rank - cost);
    straggler.last_share = blame.last_share;
    straggler.lateness_ns = blame.lateness_mean_ns;
    straggler.cause = blame.main_cause();
    straggler.by_cause = blame.by_cause;
    const double mean = straggler.blamed_ns / static_cast<double>(std::max<size_t>(1, blame.by_step.size()));
    for (size_t i = 0; i < blame.by_step.size(); ++i)
      if (blame.by_step[i] >= mean / 2) straggler.steps.push_back(steps_.analysed[i].number);
    for (const RankTimeline& rank : ranks_)
      if (rank.rank == blame.rank)
        straggler.is_within_clock_bound = rank.clock_basis != ClockBasis::kShared &&
                                          straggler.lateness_ns < static_cast<double>(rank.run_clock.uncertainty());
    straggler.is_persistent = 2 * straggler.steps.size() > blame.by_step.size();
    return straggler;
  }

  static constexpr size_t kNone = ~size_t{0};
  const std::vector<RankTimeline>& ranks_;
  const std::vector<MatchedCollective>& matches_;
  const StepSelection& steps_;
  std::map<int64_t, size_t> step_index_;
  double total_ns_ = 0;  // of all ranks' analysed steps
  StragglerReport report_;
};

}  // namespace

double RankBlame::blamed_ns() const { return std::accumulate(by_cause.begin(), by_cause.end(), 0.0); }

Cause RankBlame::main_cause() const {
  return static_cast<Cause>(std::max_element(by_cause.begin(), by_cause.end()) - by_cause.begin());
}

StragglerReport find_stragglers(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                                const StepSelection& steps) {
  return Search(ranks, matches, steps).run();
}

}  // namespace tauprof
