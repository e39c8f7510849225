#include <algorithm>

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
      "A rank that holds up the others",
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
  const StragglerReport& of;
};

Fields<PublishedRules> fields_of(const PublishedRules*) {
  return {"PublishedRules",
          "Ranks that two simple rules from the literature find",
          {
              {"mean_over_1_1", [](const PublishedRules& r) { return when(r.of.has_work, r.of.mean_over_1_1); },
               "those whose work time is over 1.1 times the mean; `null` where some rank's is not known"},
              {"z_over_2", [](const PublishedRules& r) { return when(r.of.has_z, r.of.z_over_2); },
               "those more than two standard deviations above it; `null` for five ranks or fewer, too"},
          }};
}

Fields<RankBlame> fields_of(const RankBlame*) {
  return {
      "RankBlame",
      "What the others waited for a rank",
      {
          {"rank", &RankBlame::rank, "its number"},
          {"blamed_ns", [](const RankBlame& r) { return when(r.is_timed, rounded(r.total_ns())); },
           "waiting of others that it is to blame for"},
          {"last_share", [](const RankBlame& r) { return when(r.collectives > 0, r.last_share); },
           "share of its collectives at which it arrived last; `null`, as its lateness: none could be split"},
          {"lateness_mean_ns", [](const RankBlame& r) { return when(r.collectives > 0, rounded(r.lateness_mean_ns)); },
           "time behind the median arrival, 0 where it came earlier: the mean"},
          {"lateness_p95_ns", [](const RankBlame& r) { return when(r.collectives > 0, rounded(r.lateness_p95_ns)); },
           "its 95th percentile"},
          {"work_ns", [](const RankBlame& r) { return when(r.has_work, rounded(r.work_ns)); },
           "mean duration of its steps without exposed waiting"},
      }};
}

Fields<StragglerReport> fields_of(const StragglerReport*) {
  return {"Stragglers",
          "Who holds up the others, always over all ranks",
          {
              {"found", &StragglerReport::found, "the costliest first"},
              {"pattern", [](const StragglerReport& r) { return when(is_timed(r), r.pattern); }, "how their steps lie"},
              {"unblamed_ns", [](const StragglerReport& r) { return when(is_timed(r), rounded(r.unblamed_ns)); },
               "waiting that lies in the nature of a pipeline, or of starting up"},
              {"rules", [](const StragglerReport& r) { return PublishedRules{r}; }, "for comparison"},
              {"ranks", &StragglerReport::ranks, "every rank"},
          }};
}

}  // namespace tauprof
