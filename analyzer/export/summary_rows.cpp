#include <algorithm>
#include <optional>
#include <string>

#include "export/located_events.h"
#include "export/run_tables.h"
#include "findings/finding_words.h"
#include "metrics/stragglers/blame_rows.h"
#include "metrics/stragglers/cause.h"
#include "metrics/stragglers/rank_blame.h"
#include "model/operation_names.h"
#include "report/statement_text.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

std::string_view or_nothing(log::DataType type) {
  return type == log::DataType::kUnknown ? std::string_view() : name_of(type);
}

Cell text_or_null(std::string_view text) { return text.empty() ? Cell(std::nullopt) : Cell(text); }

template <class Number>
std::string listed(const std::vector<Number>& numbers) {
  std::string text;
  for (const Number number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

void add_run(const RunView& run, TableSink& sink) {
  const RunFacts& facts = run.report.facts;
  const auto add = [&](std::string_view key, std::string_view value) {
    if (!value.empty()) sink.add(tables::kRun, {key, value});
  };
  add("id", facts.id);
  add("source", facts.source);
  add("command", facts.command);
  if (facts.started_realtime_ns != 0) add("started", iso_time(facts.started_realtime_ns));
  add("ranks", std::to_string(facts.ranks));
  if (facts.world_size > 0) add("world_size", std::to_string(facts.world_size));
  add("unit", run.report.unit());
  add("steps_found_by", facts.steps_source);
  if (run.report.verdict) add("verdict", text_of(run.report.verdict->title));
  for (const auto& [name, version] : facts.versions) add("version." + name, version);
}

const RankTimeline& timeline_of(const RunView& run, int32_t number) {
  return *std::find_if(run.ranks.begin(), run.ranks.end(),
                       [&](const RankTimeline& rank) { return rank.rank == number; });
}

void add_ranks(const RunView& run, TableSink& sink) {
  for (const RankMetrics& metrics : run.report.metrics.ranks) {
    const RankTimeline& rank = timeline_of(run, metrics.rank);
    sink.add(tables::kRanks, {rank.rank, rank.host, rank.device, rank.device_name, rank.named_file, metrics.windows,
                              metrics.step_ns, name_of(rank.clock_basis), rank.run_clock.uncertainty(),
                              text_or_null(rank.untimed_because), rank.unmatched_spans});
  }
}

void add_ledger(const RankTimeline& rank, const RankStep& step, TableSink& sink) {
  Ledger ledger;
  for (const LedgerCell& cell : step.cells) ledger.add(cell.phase, cell.row, cell.length);
  for (size_t phase = 0; phase < kPhaseCount; ++phase)
    for (size_t row = 0; row < kLedgerRowCount; ++row)
      if (const Nanoseconds time = ledger.cells[phase][row]; time != 0)
        sink.add(tables::kLedger, {rank.rank, step.number, kPhaseNames[phase], kLedgerRowNames[row], time});
}

void add_step(const RunView& run, const RankTimeline& rank, const RankStep& step, TableSink& sink) {
  const auto at = [&](Nanoseconds local) { return rank.run_clock.to_run(local); };
  const bool is_timed = step.device.has_value();
  const Interval window = step.device.value_or(Interval());
  const auto timed = [&](Nanoseconds value) { return is_timed ? Cell(value) : Cell(std::nullopt); };
  sink.add(tables::kSteps,
           {rank.rank, step.number, run.report.metrics.steps.selection.has(step.number), at(step.host.start),
            at(step.host.end), step.host.length(), timed(at(window.start)), timed(at(window.end)),
            timed(window.length()), timed(step.compute), timed(step.comm), timed(step.busy), step.batches});
  for (size_t phase = 0; phase < kPhaseCount; ++phase)
    sink.add(tables::kPhases, {rank.rank, step.number, kPhaseNames[phase], step.host_by_phase[phase],
                               timed(step.device_by_phase[phase])});
  add_ledger(rank, step, sink);
}

void add_collective_sizes(const RunMetrics& metrics, TableSink& sink) {
  for (const CollectiveMetrics& line : metrics.communication.collectives)
    sink.add(tables::kCollectiveSizes,
             {line.communicator, name_of(line.operation), text_or_null(or_nothing(line.datatype)), line.ranks,
              line.size_bytes, line.count, line.algbw_gb_per_s, line.busbw_gb_per_s, line.busbw_transfer_gb_per_s,
              line.wait_ns, line.transfer_ns, line.skew_ns, line.exposed_ns});
}

void add_stragglers(const StragglerReport& stragglers, TableSink& sink) {
  for (const Straggler& one : stragglers.found)
    sink.add(tables::kStragglers, {one.rank, one.score, kCauseNames[static_cast<size_t>(one.cause)], one.last_share,
                                   one.lateness_ns, one.cost_ns_per_step, one.is_persistent});
}

// Where a saving has none, it is as well known as the run.
struct Bounds {
  std::optional<double> low, high;
};
Bounds bounds_of(const Finding& finding) {
  if (!finding.saves_ns_per_step || !finding.saves_between)
    return {finding.saves_ns_per_step, finding.saves_ns_per_step};
  return {finding.saves_between->low, finding.saves_between->high};
}

void add_findings(const std::vector<Finding>& findings, TableSink& sink) {
  for (size_t i = 0; i < findings.size(); ++i) {
    const Finding& one = findings[i];
    const FindingWhere where = where_of(one);
    const Bounds bounds = bounds_of(one);
    sink.add(tables::kFindings,
             {i + 1, name_of(one.id), name_of(one.severity), text_of(one.title), text_of(evidence_of(one)),
              text_of(advice_of(one)), listed(one.ranks), listed(one.steps), one.saves_ns_per_step, bounds.low,
              bounds.high, text_or_null(text_of(one.saves_reason)), text_or_null(where.place)});
  }
}

void add_member(const RunView& run, uint32_t collective, const CollectiveMember& member, TableSink& sink) {
  const RankTimeline& rank = run.ranks[member.rank];
  const RankCollective& own = rank.collectives[member.collective];
  const auto split = [&](Nanoseconds value) { return own.is_split ? Cell(value) : Cell(std::nullopt); };
  sink.add(tables::kMembers,
           {collective, event_id(member.rank, member.collective), rank.rank,
            own.step == kNoStep ? Cell(std::nullopt) : Cell(rank.steps[static_cast<size_t>(own.step)].number),
            phase_name(own.phase), rank.run_clock.to_run(own.start), rank.run_clock.to_run(own.end), split(own.wait()),
            split(own.transfer()), own.exposed, own.is_upper_bound});
}

// With all its members, since who came last is said of all, though a member may start in another step.
bool is_covered(const RunView& run, const MatchedCollective& match) {
  if (run.report.metrics.steps.selection.outside == 0) return true;
  return std::any_of(match.members.begin(), match.members.end(), [&](const CollectiveMember& member) {
    const RankTimeline& rank = run.ranks[member.rank];
    const int32_t step = rank.collectives[member.collective].step;
    return step != kNoStep && run.covers(rank.steps[static_cast<size_t>(step)].number);
  });
}

void add_collectives(const RunView& run, TableSink& sink) {
  for (uint32_t i = 0; i < run.matches.size(); ++i) {
    const MatchedCollective& match = run.matches[i];
    if (match.members.empty() || !is_covered(run, match)) continue;
    const CollectiveMember& first = match.members.front();
    const RankTimeline& rank = run.ranks[first.rank];
    sink.add(tables::kCollectives,
             {i, communicator_of(rank, rank.collectives[first.collective]), name_of(match.operation),
              text_or_null(or_nothing(match.datatype)), match.count, match.expected, match.members.size()});
    for (const CollectiveMember& member : match.members) add_member(run, i, member, sink);
  }
}

Cell number_or_null(const RunView& run, uint32_t rank) {
  return rank == kNoIndex ? Cell(std::nullopt) : Cell(run.ranks[rank].rank);
}

void add_blame_row(const RunView& run, const BlameRow& row, double ns, uint32_t waiter, TableSink& sink) {
  sink.add(tables::kBlame,
           {row.match, run.report.metrics.steps.selection.analysed[row.step].number, number_or_null(run, row.late_rank),
            row.late_rank == kNoIndex ? Cell(std::nullopt) : Cell(kCauseNames[static_cast<size_t>(row.cause)]), ns,
            row.inherited_from == kNoIndex ? Cell(std::nullopt) : Cell(row.inherited_from),
            number_or_null(run, row.came_late), number_or_null(run, waiter)});
}

void add_blame(const RunView& run, TableSink& sink) {
  const std::vector<BlameRow> rows = blame_rows(run.ranks, run.matches, run.report.metrics.steps.selection);
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::find_if(first, rows.end(), [&](const BlameRow& row) { return row.match != first->match; });
    if (run.waiting.empty())
      for (auto row = first; row != last; ++row) add_blame_row(run, *row, row->ns, kNoIndex, sink);
    else
      for (const WaiterRow& wait : by_waiting_rank(run.ranks, run.matches[first->match], {first, last}, run.waiting))
        add_blame_row(run, *wait.row, wait.ns, wait.waiter, sink);
    first = last;
  }
}

}  // namespace

void add_summary_rows(const RunView& run, TableSink& sink) {
  add_run(run, sink);
  add_ranks(run, sink);
  for (const RankMetrics& rank : run.report.metrics.ranks)
    for (const RankStep& step : timeline_of(run, rank.rank).steps)
      if (run.covers(step.number)) add_step(run, timeline_of(run, rank.rank), step, sink);
  add_collective_sizes(run.report.metrics, sink);
  add_stragglers(run.report.metrics.stragglers, sink);
  add_findings(run.report.findings, sink);
  add_collectives(run, sink);
  add_blame(run, sink);
}

}  // namespace tauprof
