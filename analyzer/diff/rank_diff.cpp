#include <cmath>
#include <set>

#include "diff/apportion.h"
#include "diff/comparisons.h"
#include "limits/analysis_limits.h"
#include "metrics/statistics/statistics.h"

namespace tauprof {
namespace {

using Runs = std::vector<AnalyzedRun>;

std::set<int32_t> ranks_of(const AnalyzedRun& run) {
  std::set<int32_t> ranks;
  for (const RankShare& rank : run.report.metrics.steps.series.ranks) ranks.insert(rank.rank);
  return ranks;
}

bool have_the_same_ranks(const Runs& a, const Runs& b) {
  const std::set<int32_t> first = ranks_of(a.front());
  const auto has_them = [&](const AnalyzedRun& run) { return ranks_of(run) == first; };
  return std::all_of(a.begin(), a.end(), has_them) && std::all_of(b.begin(), b.end(), has_them);
}

template <class Of>
double mean_over(const Runs& runs, Of&& of) {
  double sum = 0;
  for (const AnalyzedRun& run : runs) sum += of(run.report.metrics);
  return sum / static_cast<double>(runs.size());
}

// Of a rank, per step of its own.
double row_time(const RunMetrics& metrics, int32_t rank, size_t row) {
  for (const RankMetrics& one : metrics.ranks)
    if (one.rank == rank && one.windows > 0)
      return static_cast<double>(one.ledger.rows()[row]) / static_cast<double>(one.windows);
  return 0;
}

double blamed_for(const RunMetrics& metrics, int32_t rank, size_t cause) {
  const double steps = static_cast<double>(std::max<size_t>(1, metrics.steps.selection.analysed.size()));
  for (const RankBlame& blame : metrics.stragglers.ranks)
    if (blame.rank == rank) return blame.by_cause[cause] / steps;
  return 0;
}

class Comparison {
 public:
  Comparison(const Runs& a, const Runs& b, Diff& diff)
      : a_(a), b_(b), step_(diff.step), of_(diff.ranks), sign_(step_.time.means.difference() < 0 ? -1 : 1) {}

  void compare() {
    for (const int32_t rank : ranks_of(a_.front())) compare_rank(rank);
    of_.nobody = judge_time(series(a_, [](const StepSeries& one) { return one.nobody_ns; }),
                            series(b_, [](const StepSeries& one) { return one.nobody_ns; }));
    fit();
    std::vector<JudgedTime*> table;
    for (RankDiff& rank : of_.ranks) table.push_back(&rank.time);
    adjust_for_many(table);
    find_rows();
    if (step_.outcome != Outcome::kNotShown && of_.ranks.size() > 1) name();
  }

 private:
  template <class Of>
  static SideSeries series(const Runs& runs, Of&& of) {
    SideSeries all;
    for (const AnalyzedRun& run : runs) all.push_back(of(run.report.metrics.steps.series));
    return all;
  }

  void compare_rank(int32_t number) {
    const auto of_rank = [&](const StepSeries& one) {
      return std::find_if(one.ranks.begin(), one.ranks.end(),
                          [&](const RankShare& rank) { return rank.rank == number; })
          ->ns;
    };
    RankDiff& rank = of_.ranks.emplace_back();
    rank.rank = number;
    rank.time = judge_time(series(a_, of_rank), series(b_, of_rank));
    for (const RankMetrics& metrics : a_.front().report.metrics.ranks)
      if (metrics.rank == number) rank.host = metrics.host;
    for (size_t row = 0; row < kLedgerRowCount; ++row) {
      const auto time = [&](const RunMetrics& metrics) { return row_time(metrics, number, row); };
      NamedTime& part = rank.rows.emplace_back(NamedTime{std::string(kLedgerRowNames[row]), {}});
      part.time.means.a = mean_over(a_, time);
      part.time.means.b = mean_over(b_, time);
      part.time.a_ns = std::llround(part.time.means.a);
      part.time.b_ns = std::llround(part.time.means.b);
    }
    double most = 0;
    for (size_t cause = 0; cause < kCauseCount; ++cause) {
      const auto blamed = [&](const RunMetrics& metrics) { return blamed_for(metrics, number, cause); };
      const double more = sign_ * (mean_over(a_, blamed) - mean_over(b_, blamed));
      if (more > most) most = more, rank.cause = static_cast<Cause>(cause);
    }
  }

  // Rounds what the ranks and nobody make so that it sums to the step.
  void fit() {
    std::vector<double> of_a, of_b;
    std::vector<JudgedTime*> parts;
    for (RankDiff& rank : of_.ranks) parts.push_back(&rank.time);
    parts.push_back(&of_.nobody);
    for (const JudgedTime* const part : parts) {
      of_a.push_back(part->means.a);
      of_b.push_back(part->means.b);
    }
    const std::vector<Nanoseconds> a = apportion(of_a, step_.time.a_ns), b = apportion(of_b, step_.time.b_ns);
    for (size_t i = 0; i < parts.size(); ++i) {
      parts[i]->a_ns = a[i];
      parts[i]->b_ns = b[i];
    }
  }

  double toward(const JudgedTime& time) const { return sign_ * time.means.difference(); }

  // By how much a rank goes beyond the typical other one.
  template <class Of>
  double beyond_others(size_t rank, Of&& of) const {
    std::vector<double> others;
    for (size_t i = 0; i < of_.ranks.size(); ++i)
      if (i != rank) others.push_back(toward(of(of_.ranks[i])));
    return toward(of(of_.ranks[rank])) - (others.empty() ? 0 : lower_median(others));
  }

  void find_rows() {
    for (size_t rank = 0; rank < of_.ranks.size(); ++rank) {
      double most = 0;
      for (size_t row = 0; row < kLedgerRowCount; ++row) {
        const auto kind = static_cast<LedgerRow>(row);
        if (kind == LedgerRow::kExposedCommWait || kind == LedgerRow::kExposedCommUnsplit) continue;
        const double more =
            beyond_others(rank, [&](const RankDiff& one) -> const JudgedTime& { return one.rows[row].time; });
        if (more > most) most = more, of_.ranks[rank].row = row;
      }
    }
  }

  void name() {
    const double whole = toward(step_.time);
    std::vector<double> beyond;
    for (size_t rank = 0; rank < of_.ranks.size(); ++rank)
      beyond.push_back(beyond_others(rank, [](const RankDiff& one) -> const JudgedTime& { return one.time; }));
    const double least = std::min(kOwnRankShare * whole, kAsMuch * *std::max_element(beyond.begin(), beyond.end()));
    std::vector<size_t> named;
    double explained = 0;
    for (size_t rank = 0; rank < of_.ranks.size(); ++rank) {
      const JudgedTime& time = of_.ranks[rank].time;
      if (beyond[rank] <= 0 || beyond[rank] < least || (time.p_adjusted && !time.is_significant)) continue;
      named.push_back(rank);
      explained += beyond[rank];
    }
    // A loss that most ranks share belongs to all of them.
    if (are_most(named.size(), of_.ranks.size()) || explained < kRanksShare * whole) return;
    for (const size_t rank : named) {
      of_.ranks[rank].is_named = true;
      of_.named_share += toward(of_.ranks[rank].time) / whole;
    }
  }

  const Runs& a_;
  const Runs& b_;
  const StepDiff& step_;
  RanksDiff& of_;
  const double sign_;
};

}  // namespace

void compare_ranks(const Runs& a, const Runs& b, Diff& diff) {
  const auto has_ranks = [](const AnalyzedRun& run) { return !run.report.metrics.steps.series.ranks.empty(); };
  if (diff.step.is_on_host)
    diff.ranks.unknown_because = "some run has no device times";
  else if (!std::all_of(a.begin(), a.end(), has_ranks) || !std::all_of(b.begin(), b.end(), has_ranks))
    diff.ranks.unknown_because = "some run does not say what each rank did";
  else if (!have_the_same_ranks(a, b))
    diff.ranks.unknown_because = "the runs have different ranks";
  else
    Comparison(a, b, diff).compare();
}

}  // namespace tauprof
