#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "report/section_lengths.h"
#include "report/text_lines.h"
#include "report/text_sections.h"
#include "report/text_table.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

std::string time(Nanoseconds ns) { return duration_text(static_cast<double>(ns)); }

void totals_row(TextTable& table, const std::string& name, const WaitTotals& totals, bool is_unsplit) {
  std::vector<std::string> cells = {name, std::to_string(totals.count)};
  if (totals.is_timed())
    cells.insert(cells.end(), {time(totals.span), (totals.is_upper_bound ? "<=" : "") + time(totals.wait),
                               time(totals.transfer), is_unsplit ? time(totals.unsplit) : "-", time(totals.exposed),
                               time(totals.exposed_wait), totals.is_within_clock_bound() ? "*" : ""});
  else
    cells.insert(cells.end(), {"-", "-", "-", "-", "-", "-"});
  table.row(std::move(cells));
}

std::string pipeline_text(const Pipeline& pipeline, size_t width) {
  TextLines lines;
  lines.line(
      "\nPIPELINE   ({} stages, {:.1f} messages a step; bubble {:.1f} %, of equal stages {}; times of all steps)",
      pipeline.stages.size(), pipeline.messages_per_step, 100 * pipeline.bubble, percent_text(pipeline.ideal_bubble));
  TextTable table({{"stage"}, {"rank"}, {"compute"}, {"waits: before"}, {"after"}, {"bubble"}, {"", true}});
  for (size_t i = 0; i < pipeline.stages.size() && i < kMostCommunicationLines; ++i) {
    const PipelineStage& stage = pipeline.stages[i];
    table.row({std::to_string(i), std::to_string(stage.rank), time(stage.compute), time(stage.wait_previous),
               time(stage.wait_next), percent_text(stage.bubble()),
               i == pipeline.critical ? fmt::format("critical, {:.2f} x mean", pipeline.imbalance) : ""});
  }
  std::string text = lines.take() + table.text(width);
  lines.left_out(pipeline.stages.size(), kMostCommunicationLines);
  lines.line("  waits: for the stages before and after it");
  const PipelineStage& maker = pipeline.stages[pipeline.most_waited_for];
  if (maker.caused > 0) lines.line("  neighbours wait longest for rank {}: {}", maker.rank, time(maker.caused));
  return text + lines.take();
}

}  // namespace

std::string communication_text(const RunMetrics& metrics, size_t width) {
  const WaitTable& table = metrics.communication.wait_table;
  if (!table.total.is_timed()) return {};
  TextTable totals({{"", true, 0, Fit::kName},
                    {"count", false, 2},
                    {"kernels"},
                    {"wait"},
                    {"transfer", false, 3},
                    {"unsplit"},
                    {"exposed"},
                    {"exposed wait", false, 1},
                    {"", true}});
  TextLines lines;
  const bool is_unsplit = table.total.unsplit > 0;
  totals_row(totals, "all", table.total, is_unsplit);
  for (size_t i = 0; i < std::min(table.by_communicator.size(), kMostCommunicationLines); ++i)
    totals_row(totals, "on " + table.by_communicator[i].first, table.by_communicator[i].second, is_unsplit);
  for (size_t phase = 0; phase < kPhaseCount; ++phase)
    if (table.by_phase[phase].count > 0)
      totals_row(totals, fmt::format("in {}", kPhaseNames[phase]), table.by_phase[phase], is_unsplit);
  for (size_t i = 0; i < std::min(table.by_rank.size(), kMostCommunicationLines); ++i)
    totals_row(totals, fmt::format("rank {}", table.by_rank[i].first), table.by_rank[i].second, is_unsplit);
  if (table.by_communicator.size() > kMostCommunicationLines)
    lines.line("  {} more communicators in the JSON report", table.by_communicator.size() - kMostCommunicationLines);
  if (table.by_rank.size() > kMostCommunicationLines)
    lines.line("  {} more ranks in the JSON report", table.by_rank.size() - kMostCommunicationLines);
  if (table.total.untimed > 0)
    lines.line("  {} of {} have no device times; the times are those of the others", table.total.untimed,
               table.total.count);
  if (table.total.is_upper_bound) lines.line("  <=: messages and rooted operations may have waited less");
  const std::string rows = totals.text(width);
  if (rows.find("  *\n") != rows.npos) lines.line("  *: less waiting than the clocks may be wrong");
  std::string text =
      "\nCOMMUNICATION   (time of its kernels over all ranks: waiting + moving data + unsplit)\n" + rows + lines.take();
  size_t pipelines = 0;
  for (const Pipeline& pipeline : metrics.communication.messages.pipelines)
    if (++pipelines <= 4) text += pipeline_text(pipeline, width);
  return text;
}

}  // namespace tauprof
