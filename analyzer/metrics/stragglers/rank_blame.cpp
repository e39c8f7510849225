#include "metrics/stragglers/rank_blame.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "metrics/collectives/clock_doubts.h"
#include "metrics/statistics/statistics.h"
#include "metrics/stragglers/blame.h"
#include "metrics/stragglers/blame_rows.h"

namespace tauprof {
namespace {

class BlameTableBuilder {
 public:
  BlameTableBuilder(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                    const StepSelection& steps, const TelemetryCauses& telemetry, std::vector<BlameRow>* rows)
      : ranks_(ranks), matches_(matches), steps_(steps), telemetry_(telemetry), rows_(rows) {
    for (size_t i = 0; i < steps_.analysed.size(); ++i) step_index_[steps_.analysed[i].number] = i;
    for (const RankTimeline& rank : ranks_) {
      RankBlame blame;
      blame.rank = rank.rank;
      blame.is_timed = rank.is_timed();
      table_.ranks.push_back(std::move(blame));
    }
    table_.unblamed_in.resize(steps_.analysed.size());
    late_hosts_.resize(ranks_.size());
    lateness_.resize(ranks_.size());
    throttled_.assign(ranks_.size(), {kNone, false});
  }

  BlameTable build() {
    share_blame();
    blame_late_hosts();
    measure_lateness();
    measure_work();
    return std::move(table_);
  }

 private:
  // The analysed step in which a rank's collective starts; kNone: none.
  size_t step_of(uint32_t rank, uint32_t collective) const {
    const int32_t step = ranks_[rank].collectives[collective].step;
    if (step == kNoStep) return kNone;
    const auto found = step_index_.find(ranks_[rank].steps[step].number);
    return found == step_index_.end() ? kNone : found->second;
  }

  void share_blame() {
    BlameTracer(ranks_, matches_, rows_ != nullptr).trace([&](const BlameTracer::Blame& blame) {
      const size_t step = step_of(blame.late_rank, blame.collective);
      if (step == kNone) return;
      const auto waiters = static_cast<double>(matches_[blame.match].members.size() - 1);
      double unblamed = blame.waited;
      for (const BlameShare& share : blame.shares) {
        const double ns = share.share * blame.waited;
        unblamed -= ns;
        add_blame(share, ns, step, blame);
        if (rows_) keep_rows(share, ns, step, blame);
        lateness_[share.rank] += ns / waiters;
      }
      table_.unblamed_ns += unblamed;
      table_.unblamed_in[step] += unblamed;
      // The rest of a sum that is all blamed is its rounding.
      if (rows_ && unblamed > kRounding * blame.waited)
        rows_->push_back(row_of(blame, step, kNoIndex, kNoIndex, Cause::kUnknown, unblamed));
      const auto doubt =
          static_cast<double>(doubts_about(blame.match).of_lateness({blame.late_rank, blame.collective}));
      for (const BlameShare& share : blame.shares)
        if (const double ns = std::exchange(lateness_[share.rank], 0); ns > 0)
          table_.ranks[share.rank].is_beyond_clocks |= ns >= doubt;
    });
  }

  // The blames of a match come one after another.
  const ClockDoubts& doubts_about(uint32_t match) {
    if (std::exchange(doubted_match_, match) != match) doubts_.emplace(ranks_, matches_[match]);
    return *doubts_;
  }

  void add_blame(const BlameShare& share, double ns, size_t step, const BlameTracer::Blame& blame) {
    if (const std::optional<LedgerRow> row = host_row_of(share.cause)) {
      LateHost& late = late_hosts_[share.rank][step];
      late.excess_ns[peers_of(blame)] += share.own_excess;
      late.blamed_ns[place_in_host_rows(*row)] += ns;
      return;
    }
    table_.ranks[share.rank].add(step, final_cause(share, step), ns);
  }

  // But for a late host's, of which only the whole step tells.
  Cause final_cause(const BlameShare& share, size_t step) {
    return share.cause == Cause::kSlowCompute && is_throttled(share.rank, step) ? Cause::kThrottled : share.cause;
  }

  bool is_throttled(uint32_t rank, size_t step) {
    auto& [judged, is_throttled] = throttled_[rank];
    if (std::exchange(judged, step) != step) is_throttled = telemetry_.is_throttled(rank, step);
    return is_throttled;
  }

  static BlameRow row_of(const BlameTracer::Blame& blame, size_t step, uint32_t late_rank, uint32_t from, Cause cause,
                         double ns) {
    return {blame.match, static_cast<uint32_t>(step), blame.late_rank, late_rank, from, cause, ns};
  }

  // One for each collective that it was brought from, and one for the rest.
  void keep_rows(const BlameShare& share, double ns, size_t step, const BlameTracer::Blame& blame) {
    if (ns <= 0) return;
    double rest = ns;
    for (const auto& [from, part] : *share.brought) {
      const double brought = part * blame.waited;
      if (brought <= kRounding * ns) continue;
      rest -= brought;
      rows_->push_back(row_of(blame, step, share.rank, from, final_cause(share, step), brought));
    }
    if (rest > kRounding * ns)
      rows_->push_back(row_of(blame, step, share.rank, kNoIndex, final_cause(share, step), rest));
    else
      rows_->back().ns += rest;
  }

  // Those that reach collectives from a common origin: a message's other rank, or a communicator's members.
  using Peers = std::pair<bool, uint64_t>;
  Peers peers_of(const BlameTracer::Blame& blame) const {
    const MatchedCollective& match = matches_[blame.match];
    if (!match.is_point_to_point) return {false, match.communicator};
    const uint32_t first = match.members.front().rank;
    return {true, first == blame.late_rank ? match.members.back().rank : first};
  }

  struct LateHost {
    FlatMap<Peers, double> excess_ns;
    std::array<double, kHostRowCount> blamed_ns{};  // as kHostRows
  };

  // Only a step's total stall can be compared with its wait for a CPU. One stall makes the rank late once for each of
  // its peers, and those pass it on, so neither its lateness nor its blame is the stall's length: what it lost on the
  // way to the collectives with the same peers is.
  void blame_late_hosts() {
    for (uint32_t rank = 0; rank < ranks_.size(); ++rank)
      for (const auto& [step, late] : late_hosts_[rank]) blame_late_host(rank, step, late);
    if (rows_)
      for (BlameRow& row : *rows_)
        if (without_cpu_.contains({row.late_rank, row.step}) && is_of_host(row.cause))
          row.cause = Cause::kCpuContention;
  }

  void blame_late_host(uint32_t rank, size_t step, const LateHost& late) {
    double stall_ns = 0;
    for (const auto& [peers, excess_ns] : late.excess_ns) stall_ns = std::max(stall_ns, excess_ns);
    const bool lacked_cpu = telemetry_.lacked_cpu(rank, step, stall_ns);
    for (size_t row = 0; row < kHostRowCount; ++row)
      table_.ranks[rank].add(step, lacked_cpu ? Cause::kCpuContention : cause_of_more(kHostRows[row]),
                             late.blamed_ns[row]);
    if (lacked_cpu) without_cpu_.insert({rank, step});
  }

  void measure_lateness() {
    std::vector<std::vector<Nanoseconds>> lateness(ranks_.size());
    std::vector<size_t> last(ranks_.size(), 0);
    for (const MatchedCollective& match : matches_) {
      if (match.members.size() < 2 || !match.is_complete()) continue;
      std::vector<std::pair<Nanoseconds, uint32_t>> arrivals;
      bool is_split = true;
      for (const CollectiveMember& member : match.members) {
        const RankCollective& collective = ranks_[member.rank].collectives[member.collective];
        is_split &= collective.is_split;
        if (step_of(member.rank, member.collective) != kNone)
          arrivals.emplace_back(ranks_[member.rank].arrival(collective), member.rank);
      }
      if (!is_split || arrivals.size() != match.members.size()) continue;
      std::sort(arrivals.begin(), arrivals.end());
      const size_t n = arrivals.size();
      // In half nanoseconds, since the median of an even number of arrivals lies between two of them.
      const Nanoseconds twice_median = arrivals[(n - 1) / 2].first + arrivals[n / 2].first;
      for (const auto& [time, rank] : arrivals)
        lateness[rank].push_back(std::max<Nanoseconds>(0, 2 * time - twice_median));
      // A tie names nobody.
      if (arrivals[n - 1].first > arrivals[n - 2].first) ++last[arrivals[n - 1].second];
    }
    for (size_t rank = 0; rank < ranks_.size(); ++rank) {
      RankBlame& blame = table_.ranks[rank];
      blame.collectives = lateness[rank].size();
      if (blame.collectives == 0) continue;
      blame.last_share = static_cast<double>(last[rank]) / static_cast<double>(blame.collectives);
      const Statistics statistics = statistics_of(std::move(lateness[rank]));
      blame.lateness_mean_ns = statistics.mean / 2;
      blame.lateness_p95_ns = statistics.p95 / 2;
    }
  }

  void measure_work() {
    table_.has_work = true;
    for (size_t i = 0; i < ranks_.size(); ++i) {
      RankBlame& blame = table_.ranks[i];
      blame.has_work = true;
      size_t steps = 0;
      for (const RankStep& step : ranks_[i].steps) {
        if (!steps_.has(step.number) || !step.device) continue;
        ++steps;
        table_.total_ns += static_cast<double>(step.device->length());
        blame.work_ns += static_cast<double>(step.device->length());
        for (const LedgerCell& cell : step.cells) {
          if (cell.row == LedgerRow::kExposedCommWait) blame.exposed_wait_ns += static_cast<double>(cell.length);
          if (cell.row == LedgerRow::kExposedCommUnsplit) blame.has_work = false;
        }
      }
      blame.has_work &= ranks_[i].is_timed();
      blame.work_ns -= blame.exposed_wait_ns;
      if (steps > 0) blame.work_ns /= static_cast<double>(steps);
      table_.has_work &= blame.has_work && steps > 0;
    }
  }

  static constexpr size_t kNone = ~size_t{0};
  static constexpr double kRounding = 1e-9;  // of a sum
  const std::vector<RankTimeline>& ranks_;
  const std::vector<MatchedCollective>& matches_;
  const StepSelection& steps_;
  const TelemetryCauses& telemetry_;
  std::map<int64_t, size_t> step_index_;
  std::vector<FlatMap<size_t, LateHost>> late_hosts_;  // by rank, by analysed step
  std::vector<double> lateness_;                       // by rank; of the member that is being judged
  std::set<std::pair<uint32_t, size_t>> without_cpu_;  // of those
  std::vector<std::pair<size_t, bool>> throttled_;     // of each rank in the step that was judged last
  std::optional<ClockDoubts> doubts_;
  uint32_t doubted_match_ = kNoIndex;
  BlameTable table_;
  std::vector<BlameRow>* const rows_;
};

}  // namespace

BlameTable blame_table(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                       const StepSelection& steps, const TelemetryCauses& telemetry) {
  return BlameTableBuilder(ranks, matches, steps, telemetry, nullptr).build();
}

std::vector<BlameRow> blame_rows(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                                 const StepSelection& steps) {
  std::vector<BlameRow> rows;
  const TelemetryCauses telemetry(ranks, steps);
  BlameTableBuilder(ranks, matches, steps, telemetry, &rows).build();
  return rows;
}

}  // namespace tauprof
