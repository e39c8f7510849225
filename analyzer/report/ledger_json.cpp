#include "report/json_sections.h"

namespace tauprof {
namespace {

using TimesByRow = Named<std::optional<Nanoseconds>>;

TimesByRow by_row(const LedgerRows& times, bool is_timed) {
  TimesByRow rows;
  for (size_t row = 0; row < kLedgerRowCount; ++row)
    rows.emplace_back(kLedgerRowNames[row], when(is_timed, times[row]));
  return rows;
}

}  // namespace

struct RowEvidence {
  std::optional<Nanoseconds> recorded, inferred;
};

Fields<RowEvidence> fields_of(const RowEvidence*) {
  return {"Evidence",
          "What a row of the ledger rests on",
          {
              {"recorded", &RowEvidence::recorded, "the log says it"},
              {"inferred", &RowEvidence::inferred, "it follows from other records"},
          }};
}

namespace {

Named<TimesByRow> by_phase(const RunMetrics& metrics) {
  Named<TimesByRow> phases;
  for (size_t phase = 0; phase < kPhaseCount; ++phase)
    phases.emplace_back(kPhaseNames[phase], by_row(metrics.time.ledger.cells[phase], metrics.is_timed()));
  return phases;
}

Named<RowEvidence> evidence(const RunMetrics& metrics) {
  const LedgerRows all = metrics.time.ledger.rows();
  const LedgerRows& inferred = metrics.time.inferred;
  const bool is_timed = metrics.is_timed();
  Named<RowEvidence> rows;
  for (size_t row = 0; row < kLedgerRowCount; ++row)
    if (is_idle(static_cast<LedgerRow>(row)))
      rows.emplace_back(kLedgerRowNames[row],
                        RowEvidence{when(is_timed, all[row] - inferred[row]), when(is_timed, inferred[row])});
  return rows;
}

}  // namespace

Fields<LedgerOfRun> fields_of(const LedgerOfRun*) {
  return {"Ledger",
          "Where the time goes: over the analysed steps of all ranks, or of those that `--ranks` chose",
          {
              {"rows", [](const LedgerOfRun& l) { return by_row(l.metrics.time.ledger.rows(), l.metrics.is_timed()); },
               "time by row"},
              {"by_phase", [](const LedgerOfRun& l) { return by_phase(l.metrics); }, "rows of each phase"},
              {"evidence", [](const LedgerOfRun& l) { return evidence(l.metrics); },
               "of each idle row, what was recorded and what inferred"},
              {"sum_ns", [](const LedgerOfRun& l) { return when(l.metrics.is_timed(), l.metrics.time.ledger.sum()); },
               "the sum of the rows, which equals `step_ns`"},
              {"step_ns", [](const LedgerOfRun& l) { return when(l.metrics.is_timed(), l.metrics.step_ns()); },
               "the sum of the device windows"},
          }};
}

Fields<TimedOverlap> fields_of(const TimedOverlap*) {
  return {
      "Overlap",
      "How far computation hides communication; totals as of the ledger",
      {
          {"overlap_fraction", [](const TimedOverlap& o) { return o.of.fraction(); },
           "`hidden_comm_ns` over `comm_ns`"},
          {"overlap_efficiency", [](const TimedOverlap& o) { return o.of.efficiency(); },
           "of what could be hidden, what is: 1 is perfect, 0 none"},
          {"overlap_efficiency_step", [](const TimedOverlap& o) { return o.of.efficiency_step(); },
           "the same with the step's duration in place of the busy time; may be negative"},
          {"comm_ns", [](const TimedOverlap& o) { return when(o.is_timed, o.of.comm); }, "M: communication ran"},
          {"compute_ns", [](const TimedOverlap& o) { return when(o.is_timed, o.of.compute); }, "C: computation ran"},
          {"hidden_comm_ns", [](const TimedOverlap& o) { return when(o.is_timed, o.of.hidden_comm()); }, "both did"},
          {"exposed_comm_ns", [](const TimedOverlap& o) { return when(o.is_timed, o.of.exposed_comm()); },
           "communication alone"},
      }};
}

Fields<HtaBreakdown> fields_of(const HtaBreakdown*) {
  return {"Hta",
          "By the definitions of Holistic Trace Analysis, in its window",
          {
              {"kernel_time_us", &HtaBreakdown::kernel_time_us, "from the first start to the last end"},
              {"idle_time_us", &HtaBreakdown::idle_time_us, "of that, when nothing ran"},
              {"compute_time_us", &HtaBreakdown::compute_time_us, "when something computed"},
              {"non_compute_time_us", &HtaBreakdown::non_compute_time_us, "the remainder"},
              {"comp_comm_overlap_pctg", [](const HtaBreakdown& h) { return when(h.has_overlap, h.overlap_percent); },
               "communication beside computation, in per cent; `null` without communication"},
          }};
}

namespace {

constexpr const char* kStepShort =
    "HTA itself keeps one step more: the trace has GPU copies of ProfilerStep# without a stream, which it takes for "
    "steps of the host";

bool is_timed(const RankMetrics& rank) { return rank.untimed_because.empty(); }

}  // namespace

Fields<RankMetrics> fields_of(const RankMetrics*) {
  return {"RankReport",
          "The time of one rank",
          {
              {"rank", &RankMetrics::rank, "its number"},
              {"devices", &RankMetrics::devices, "the numbers of its devices on its host"},
              {"host", known(&RankMetrics::host), "its host's name"},
              {"no_device_times", known(&RankMetrics::untimed_because),
               "why it has none, in which case what follows is `null`; `null` if it has"},
              {"step_ns", [](const RankMetrics& r) { return when(is_timed(r), r.step_ns); },
               "the sum of its analysed device windows"},
              {"ledger", [](const RankMetrics& r) { return by_row(r.ledger.rows(), is_timed(r)); }, "time by row"},
              {"overlap",
               [](const RankMetrics& r) {
                 return TimedOverlap{r.overlap, is_timed(r)};
               },
               "of this rank"},
              {"hta", [](const RankMetrics& r) { return when(r.hta.is_defined, r.hta); },
               "HTA's numbers; `null` without device work"},
              {"hta_differs", [](const RankMetrics& r) { return when(r.hta.is_a_step_short, kStepShort); },
               "why HTA itself prints other numbers for this trace; `null`: it does not"},
          }};
}

}  // namespace tauprof
