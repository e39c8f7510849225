#include "diff/diff_forms.h"
#include "diff/diff_values.h"
#include "limits/analysis_limits.h"
#include "report/fields.h"

namespace tauprof {

Fields<JudgedTime> fields_of(const JudgedTime*) {
  using Time = JudgedTime;
  return {"JudgedTime",
          "A time of both sides, per rank and step, and whether it differs by more than chance",
          {
              {"a_ns", &Time::a_ns, "in A"},
              {"b_ns", &Time::b_ns, "in B"},
              {"difference_ns", &Time::difference_ns, "A − B"},
              {"change", [](const Time& t) { return t.means.ratio(); }, "A/B − 1; `null` if B has none"},
              {"p", [](const Time& t) { return t.means.test ? std::optional(t.means.test->p) : std::nullopt; },
               "the probability of such a difference by chance; `null`: there is too little to judge"},
              {"p_adjusted", &Time::p_adjusted, "the same for the number of times in its table"},
              {"significant", [](const Time& t) { return when(t.p_adjusted.has_value(), t.is_significant); },
               "it differs by more than chance"},
          }};
}

namespace {

using Times = Named<JudgedTime>;

Times times(const std::vector<NamedTime>& parts) {
  Times times;
  for (const NamedTime& part : parts) times.emplace_back(part.name, part.time);
  return times;
}

std::optional<Times> known(const std::vector<NamedTime>& parts) { return when(!parts.empty(), times(parts)); }

}  // namespace

struct DiffVerdict {
  const Diff& diff;
};

Fields<DiffVerdict> fields_of(const DiffVerdict*) {
  return {"DiffVerdict",
          "What the comparison says",
          {
              {"outcome", [](const DiffVerdict& v) { return v.diff.step.outcome; },
               "of the step of A, see [above](#when-is-a-difference-more-than-chance)"},
              {"text", [](const DiffVerdict& v) { return verdict_text(v.diff); }, "the first line"},
              {"not_judged_because", [](const DiffVerdict& v) { return known(not_judged_because(v.diff)); },
               "why it is not judged; `null`: it is"},
          }};
}

struct ChangeInterval {
  const StepDiff& step;
};

Fields<ChangeInterval> fields_of(const ChangeInterval*) {
  return {"ChangeInterval",
          "Between which bounds a change lies",
          {
              {"low", [](const ChangeInterval& i) { return i.step.interval->low; }, "the lower bound"},
              {"high", [](const ChangeInterval& i) { return i.step.interval->high; }, "the upper one"},
              {"level", [](const ChangeInterval&) { return kConfidence; }, "how sure that is"},
              {"method", [](const ChangeInterval& i) { return i.step.interval_method; }, "how it was found"},
          }};
}

Fields<StepDiff> fields_of(const StepDiff*) {
  const auto of_test = [](double MeanTest::*value) {
    return [value](const StepDiff& s) {
      const std::optional<MeanTest>& test = s.time.means.test;
      return test ? std::optional((*test).*value) : std::nullopt;
    };
  };
  return {
      "StepDiff",
      "The steps of both sides",
      {
          {"times", [](const StepDiff& s) { return s.is_on_host ? "host" : "device"; },
           "which are compared: `device`, or `host` where some run has no device times"},
          {kAllFieldsOf, &StepDiff::time},
          {"interval", [](const StepDiff& s) { return s.interval ? std::optional(ChangeInterval{s}) : std::nullopt; },
           "of `change`"},
          {"units", [](const StepDiff& s) { return s.time.means.units; }, "what the test counts"},
          {"t", of_test(&MeanTest::t), "the test's statistic; `null`: there is too little to judge"},
          {"degrees_of_freedom", of_test(&MeanTest::degrees), "of the test"},
          {"standard_error_ns", [of_test](const StepDiff& s) { return rounded(of_test(&MeanTest::standard_error)(s)); },
           "of the difference"},
          {"detectable_change", &StepDiff::detectable, "a share of B; a difference as large would have been seen"},
      }};
}

Fields<RunSummary> fields_of(const RunSummary*) {
  return {"DiffRun",
          "A run of a side",
          {
              {"path", &RunSummary::path, "as it was named"},
              {"id", known(&RunSummary::id), "its id; `null`: not recorded"},
              {"ranks", &RunSummary::ranks, "how many"},
              {"steps", &RunSummary::steps, "how many are compared"},
              {"warmup", &RunSummary::warmup, "how many were left out before them"},
              {"effective_steps", &RunSummary::effective_steps, "how many independent ones they are worth"},
              {"step_ns", rounded(&RunSummary::step_ns), "their mean"},
              {"detected_by", &RunSummary::steps_source, "how steps were found"},
              {"confidence", &RunSummary::steps_confidence, "how sure that is"},
          }};
}

struct SideOfDiff {
  const Side& side;
  Nanoseconds step_ns;
};

Fields<SideOfDiff> fields_of(const SideOfDiff*) {
  const auto rate = [](std::optional<double> SideThroughput::*which) {
    return [which](const SideOfDiff& s) { return s.side.throughput.*which; };
  };
  return {"DiffSide",
          "One or more runs",
          {
              {"runs", [](const SideOfDiff& s) { return s.side.runs; }, "each of them"},
              {"step_ns", &SideOfDiff::step_ns, "the mean of their means"},
              {"steps_per_s", rate(&SideThroughput::steps_per_s),
               "of all ranks together, the mean of the runs; `null` unless known for all"},
              {"samples_per_s", rate(&SideThroughput::samples_per_s), "the same"},
              {"tokens_per_s", rate(&SideThroughput::tokens_per_s), "the same"},
          }};
}

struct DiffOfLedger {
  const Diff& diff;
};

Fields<DiffOfLedger> fields_of(const DiffOfLedger*) {
  return {"DiffOfLedger",
          "Times that sum to the step's; `null` without device times",
          {
              {"rows", [](const DiffOfLedger& l) { return known(l.diff.rows); }, "by row"},
              {"by_phase", [](const DiffOfLedger& l) { return known(l.diff.phase_parts); }, "by phase"},
          }};
}

struct RankOfDiff {
  const RankDiff& rank;
  const Diff& diff;

  std::optional<double> explains() const {
    const auto whole = static_cast<double>(diff.step.time.difference_ns());
    return when(whole != 0, static_cast<double>(rank.time.difference_ns()) / whole);
  }
  std::optional<std::string> row() const { return rank.row ? std::optional(rank.rows[*rank.row].name) : std::nullopt; }
};

Fields<RankOfDiff> fields_of(const RankOfDiff*) {
  return {"RankDiff",
          "What a rank makes of the step",
          {
              {"rank", [](const RankOfDiff& r) { return r.rank.rank; }, "its number"},
              {"host", [](const RankOfDiff& r) { return known(r.rank.host); }, "where it ran; `null`: not recorded"},
              {"explains", &RankOfDiff::explains, "of the step's difference; `null`: there is none"},
              {"named", [](const RankOfDiff& r) { return r.rank.is_named; },
               "the difference is this rank's, and not one that all share"},
              {"row", &RankOfDiff::row,
               "of the ledger, that changed most beyond the other ranks'; `null`: none of its own did"},
              {"cause", [](const RankOfDiff& r) { return r.rank.cause; }, "of the waiting whose blame changed most"},
              {"ledger", [](const RankOfDiff& r) { return times(r.rank.rows); }, "its own rows per step, not tested"},
              {kAllFieldsOf, [](const RankOfDiff& r) { return r.rank.time; }},
          }};
}

Fields<PhaseDiff> fields_of(const PhaseDiff*) {
  return {"PhaseDiff",
          "A phase of the step",
          {
              {"name", &PhaseDiff::name, "its name"},
              {"derived", &PhaseDiff::is_derived, "it is concluded, and not launched"},
              {"host", &PhaseDiff::host, "on the host"},
              {"device", &PhaseDiff::device, "on the device; `null`: not known"},
          }};
}

Fields<KernelDiff> fields_of(const KernelDiff*) {
  return {"KernelDiff",
          "Device work of one name",
          {
              {"name", &KernelDiff::name, "its name"},
              {"class", &KernelDiff::span_class, "what it does"},
              {"a_count_per_step", &KernelDiff::a_count, "how often it ran in A, per rank and step"},
              {"b_count_per_step", &KernelDiff::b_count, "in B"},
              {kAllFieldsOf, &KernelDiff::time},
          }};
}

Fields<CollectiveDiff> fields_of(const CollectiveDiff*) {
  return {
      "CollectiveDiff",
      "A kind of collective",
      {
          {"comm", known(&CollectiveDiff::communicator), "the communicator; `null`: no name that sides could share"},
          {"op", &CollectiveDiff::operation, "the operation"},
          {"dtype", known(&CollectiveDiff::datatype), "type of the elements"},
          {"ranks", &CollectiveDiff::ranks, "members"},
          {"size_bytes", &CollectiveDiff::size_bytes, "of a rank's buffer"},
          {"a_count", &CollectiveDiff::a_count, "how many in all runs of A"},
          {"b_count", &CollectiveDiff::b_count, "of B"},
          {"a_busbw_gb_per_s", &CollectiveDiff::a_busbw_gb_per_s, "bus bandwidth in A"},
          {"b_busbw_gb_per_s", &CollectiveDiff::b_busbw_gb_per_s, "in B"},
          {"running", &CollectiveDiff::time, "how long it ran"},
          {"exposed", &CollectiveDiff::exposed, "how long of that nothing computed"},
      }};
}

Fields<MemoryDiff> fields_of(const MemoryDiff*) {
  return {"MemoryDiff",
          "Of the rank that takes most, on average over a side's runs",
          {
              {"a", &MemoryDiff::a, "in A"},
              {"b", &MemoryDiff::b, "in B"},
          }};
}

Fields<SettingDiff> fields_of(const SettingDiff*) {
  return {"SettingDiff",
          "A fact that the sides do not share",
          {
              {"group", &SettingDiff::group, "`run`, `versions` or `settings`"},
              {"name", &SettingDiff::name, "which"},
              {"a", &SettingDiff::a, "the values of A's runs, each once; empty: not recorded"},
              {"b", &SettingDiff::b, "of B's"},
          }};
}

namespace {

std::optional<std::vector<RankOfDiff>> ranks(const Diff& diff) {
  std::vector<RankOfDiff> ranks;
  for (const RankDiff& rank : diff.ranks.ranks) ranks.push_back({rank, diff});
  return when(!ranks.empty(), std::move(ranks));
}

Named<MemoryDiff> memory(const Diff& diff) {
  Named<MemoryDiff> memory;
  for (const MemoryDiff& of_name : diff.memory) memory.emplace_back(of_name.name, of_name);
  return memory;
}

}  // namespace

Fields<Diff> fields_of(const Diff*) {
  return {
      "Diff",
      "What differs between the runs of side A and those of side B",
      {
          {"schema", [](const Diff&) { return "tauprof.diff/1"; }, "`tauprof.diff/1`"},
          {"verdict", [](const Diff& d) { return DiffVerdict{d}; }, "in a line"},
          {"step", &Diff::step, "the step"},
          {"a",
           [](const Diff& d) {
             return SideOfDiff{d.a, d.step.time.a_ns};
           },
           "the side that is judged"},
          {"b",
           [](const Diff& d) {
             return SideOfDiff{d.b, d.step.time.b_ns};
           },
           "what it is compared with"},
          {"notes", &Diff::notes, "what to know before believing the numbers"},
          {"ledger", [](const Diff& d) { return DiffOfLedger{d}; }, "the parts of the step"},
          {"ranks", ranks, "by rank; `null`: not compared"},
          {"nobody", [](const Diff& d) { return when(!d.ranks.ranks.empty(), d.ranks.nobody); },
           "the time that no rank makes; `null`: ranks are not compared"},
          {"phases", &Diff::phases, "each phase"},
          {"kernels", &Diff::kernels, "device work by name, the largest difference first"},
          {"collectives", &Diff::collectives, "the largest difference of exposed time first"},
          {"memory", memory,
           "`peak_bytes`, `peak_reserved_bytes`, `growth_bytes_per_step`, `allocations_per_step`: those that are known "
           "for every run"},
          {"settings", &Diff::settings, "what differs"},
      }};
}

std::string diff_json(const Diff& diff) { return document_of(diff); }

std::string diff_schema() { return schema_of<Diff>("tauprof diff"); }

}  // namespace tauprof
