#include <algorithm>
#include <numeric>

#include "metrics/stragglers/throttle_reasons.h"
#include "report/json_sections.h"

namespace tauprof {
namespace {

Named<int64_t> blamed_by_cause(const Straggler& straggler) {
  Named<int64_t> times;
  for (size_t cause = 0; cause < kCauseCount; ++cause)
    if (straggler.by_cause[cause] > 0) times.emplace_back(kCauseNames[cause], rounded(straggler.by_cause[cause]));
  return times;
}

bool is_timed(const StragglerReport& report) {
  return std::any_of(report.ranks.begin(), report.ranks.end(), [](const RankBlame& rank) { return rank.is_timed; });
}

}  // namespace

Fields<Straggler> fields_of(const Straggler*) {
  return {
      "Straggler",
      "A rank that delays the others",
      {
          {"rank", &Straggler::rank, "its number"},
          {"score", &Straggler::score, "the waiting that it caused, as a share of all ranks' step time"},
          {"slowdown", &Straggler::slowdown, "the step's time over its time without that waiting"},
          {"blamed_ns", rounded(&Straggler::blamed_ns), "the waiting that it caused, over the others"},
          {"last_share", &Straggler::last_share, "share of its collectives at which it arrived last"},
          {"lateness_ns", rounded(&Straggler::lateness_ns), "mean time behind the median arrival"},
          {"cause", &Straggler::cause, "the one behind most of it"},
          {"blamed_ns_by_cause", blamed_by_cause, "by cause, those that occur"},
          {"excess_ns", [](const Straggler& s) { return when(s.is_suspect(), rounded(s.excess_ns)); },
           "of a suspect that the replay confirmed: what it did for longer than it should have; `null`: others waited "
           "for it"},
          {"cost_ns_per_step", rounded(&Straggler::cost_ns_per_step), "what it adds to a step"},
          {"gpu_hours", &Straggler::gpu_hours, "the same of all ranks over the analysed steps"},
          {"throttle_reasons", [](const Straggler& s) { return throttle_reason_names(s.throttle_reasons); },
           "where a part is `throttled`: NVML's reasons in those steps, such as `sw_thermal_slowdown` or "
           "`sw_power_cap`; empty: none was read"},
          {"steps", &Straggler::steps,
           "in which it caused at least half of its mean blame per step; of a suspect, of its mean excess"},
          {"persistent", &Straggler::is_persistent, "these are most of the steps"},
          {"confidence", &Straggler::confidence, "that it is no chance: n / (n + 1) for n steps"},
          {"within_clock_bound", &Straggler::is_within_clock_bound,
           "at no collective did the others wait for it longer than clocks may put wrong"},
      }};
}

// Two rules from the literature, applied to the work times of ranks.
struct PublishedRules {
  const StragglerReport& stragglers;
};

Fields<PublishedRules> fields_of(const PublishedRules*) {
  return {"PublishedRules",
          "Ranks that two simple rules from the literature find",
          {
              {"mean_over_1_1",
               [](const PublishedRules& r) { return when(r.stragglers.has_work, r.stragglers.mean_over_1_1); },
               "those whose work time is over 1.1 times the mean; `null` where some rank's is not known"},
              {"z_over_2", [](const PublishedRules& r) { return when(r.stragglers.has_z, r.stragglers.z_over_2); },
               "those more than two standard deviations above it; `null` for five ranks or fewer, too"},
          }};
}

// How long the others waited for a rank, and its contribution to the mean step.
struct BlameAndShare {
  const RankBlame& blame;
  std::optional<int64_t> makes_ns;
};

namespace {

// Per step; none: not known.
std::optional<int64_t> mean_per_step(const std::vector<double>& by_step) {
  if (by_step.empty()) return std::nullopt;
  return rounded(std::accumulate(by_step.begin(), by_step.end(), 0.0) / static_cast<double>(by_step.size()));
}

std::vector<BlameAndShare> shares_of_ranks(const StragglersOfRun& run) {
  std::vector<BlameAndShare> ranks;
  for (const RankBlame& blame : run.report.ranks) {
    const auto share = std::find_if(run.series.ranks.begin(), run.series.ranks.end(),
                                    [&](const RankShare& one) { return one.rank == blame.rank; });
    ranks.push_back({blame, share == run.series.ranks.end() ? std::nullopt : mean_per_step(share->ns)});
  }
  return ranks;
}

}  // namespace

Fields<BlameAndShare> fields_of(const BlameAndShare*) {
  return {"RankBlame",
          "What the others waited for a rank",
          {
              {"rank", [](const BlameAndShare& r) { return r.blame.rank; }, "its number"},
              {"blamed_ns", [](const BlameAndShare& r) { return when(r.blame.is_timed, rounded(r.blame.total_ns())); },
               "waiting of others that it is to blame for"},
              {"last_share", [](const BlameAndShare& r) { return when(r.blame.collectives > 0, r.blame.last_share); },
               "share of its collectives at which it arrived last; `null`, as its lateness: none could be split"},
              {"lateness_mean_ns",
               [](const BlameAndShare& r) { return when(r.blame.collectives > 0, rounded(r.blame.lateness_mean_ns)); },
               "time behind the median arrival, 0 where it came earlier: the mean"},
              {"lateness_p95_ns",
               [](const BlameAndShare& r) { return when(r.blame.collectives > 0, rounded(r.blame.lateness_p95_ns)); },
               "its 95th percentile"},
              {"work_ns", [](const BlameAndShare& r) { return when(r.blame.has_work, rounded(r.blame.work_ns)); },
               "mean duration of its steps without exposed waiting"},
              {"makes_ns_per_step", &BlameAndShare::makes_ns,
               "[its part of the mean step](diff.md#which-ranks-explain-it): its own time, and what waiting for it "
               "cost all "
               "ranks"},
          }};
}

Fields<StragglersOfRun> fields_of(const StragglersOfRun*) {
  return {
      "Stragglers",
      "Who delays the others, always over all ranks",
      {
          {"found", [](const StragglersOfRun& r) { return r.report.found; }, "the costliest first"},
          {"pattern", [](const StragglersOfRun& r) { return when(is_timed(r.report), r.report.pattern); },
           "how their steps lie"},
          {"unblamed_ns",
           [](const StragglersOfRun& r) { return when(is_timed(r.report), rounded(r.report.unblamed_ns)); },
           "waiting that lies in the nature of a pipeline, or of starting up"},
          {"rules", [](const StragglersOfRun& r) { return PublishedRules{r.report}; }, "for comparison"},
          {"ranks", shares_of_ranks, "every rank"},
          {"nobody_makes_ns_per_step", [](const StragglersOfRun& r) { return mean_per_step(r.series.nobody_ns); },
           "what no rank makes of the mean step: waiting that nobody is to blame for, and communication that cannot be "
           "split. With `makes_ns_per_step` of all ranks it sums to the mean step; `null` without device times"},
      }};
}

}  // namespace tauprof
