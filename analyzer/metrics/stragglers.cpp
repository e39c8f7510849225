#include "metrics/stragglers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "metrics/blame.h"
#include "metrics/statistics.h"
#include "metrics/telemetry_causes.h"
#include "metrics/thresholds.h"

namespace tauprof {
namespace {

class Search {
 public:
  Search(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
         const StepSelection& steps)
      : ranks_(ranks), matches_(matches), steps_(steps), telemetry_(ranks, steps) {
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
    blame_late_hosts();
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
      const auto waiters = static_cast<double>(matches_[blame.match].members.size() - 1);
      std::map<uint32_t, double> lateness;
      for (const BlameShare& share : blame.shares) {
        report_.unblamed_ns -= share.share;
        add_blame(share, step, share.share / waiters);
        lateness[share.rank] += share.share / waiters;
      }
      for (const auto& [rank, ns] : lateness) worst_lateness_[rank] = std::max(worst_lateness_[rank], ns);
    });
  }

  void add_blame(const BlameShare& share, size_t step, double lateness_ns) {
    RankBlame& rank = report_.ranks[share.rank];
    rank.by_step[step] += share.share;
    const auto cause = std::find(kHostCauses.begin(), kHostCauses.end(), share.cause);
    if (cause != kHostCauses.end()) {
      LateHost& late = late_hosts_[{share.rank, step}];
      late.lateness_ns += lateness_ns;
      late.blamed_ns[static_cast<size_t>(cause - kHostCauses.begin())] += share.share;
      return;
    }
    const bool is_throttled = share.cause == Cause::kSlowCompute && telemetry_.is_throttled(share.rank, step);
    rank.by_cause[static_cast<size_t>(is_throttled ? Cause::kThrottled : share.cause)] += share.share;
  }

  // Only a step's lateness as a whole can be compared with its wait for a CPU.
  void blame_late_hosts() {
    for (const auto& [where, late] : late_hosts_) {
      const auto& [rank, step] = where;
      const bool lacked_cpu = telemetry_.lacked_cpu(rank, step, late.lateness_ns);
      for (size_t i = 0; i < kHostCauses.size(); ++i) {
        const Cause cause = lacked_cpu ? Cause::kCpuContention : kHostCauses[i];
        report_.ranks[rank].by_cause[static_cast<size_t>(cause)] += late.blamed_ns[i];
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
    const auto rank = static_cast<size_t>(&blame - report_.ranks.data());
    if (blame.by_cause[static_cast<size_t>(Cause::kThrottled)] > 0)
      straggler.throttle_reasons = telemetry_.throttle_reasons(rank);
    const double mean = straggler.blamed_ns / static_cast<double>(std::max<size_t>(1, blame.by_step.size()));
    for (size_t i = 0; i < blame.by_step.size(); ++i)
      if (blame.by_step[i] >= mean / 2) straggler.steps.push_back(steps_.analysed[i].number);
    straggler.is_within_clock_bound = is_within_clock_bound(rank);
    straggler.is_persistent = 2 * straggler.steps.size() > blame.by_step.size();
    return straggler;
  }

  // The first rank's clock is the run's: only the others' can be wrong.
  bool is_within_clock_bound(size_t rank) const {
    Nanoseconds others = INT64_MAX;
    for (size_t i = 0; i < ranks_.size(); ++i)
      if (i != rank) others = std::min(others, ranks_[i].run_clock.uncertainty());
    const Nanoseconds uncertainty = std::max(ranks_[rank].run_clock.uncertainty(), ranks_.size() > 1 ? others : 0);
    const auto worst = worst_lateness_.find(static_cast<uint32_t>(rank));
    return worst != worst_lateness_.end() && worst->second < static_cast<double>(uncertainty);
  }

  static constexpr size_t kNone = ~size_t{0};
  // What a thread without a CPU looks like from outside.
  static constexpr std::array kHostCauses{Cause::kHostStall, Cause::kHostLaunch, Cause::kHostSync, Cause::kDataWait};
  struct LateHost {
    double lateness_ns = 0;
    std::array<double, kHostCauses.size()> blamed_ns{};
  };
  const std::vector<RankTimeline>& ranks_;
  const std::vector<MatchedCollective>& matches_;
  const StepSelection& steps_;
  std::map<int64_t, size_t> step_index_;
  TelemetryCauses telemetry_;
  std::map<uint32_t, double> worst_lateness_;  // by rank: what others waited for it at most, at one collective
  std::map<std::pair<uint32_t, size_t>, LateHost> late_hosts_;  // by rank and analysed step
  double total_ns_ = 0;                                         // of all ranks' analysed steps
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
