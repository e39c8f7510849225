#include "report/communication_text.h"

#include <fmt/format.h>

#include "report/section_lengths.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

std::string time(Nanoseconds ns) { return duration_text(static_cast<double>(ns)); }

std::string totals_line(const std::string& name, const WaitTotals& of) {
  if (!of.is_timed()) return fmt::format("  {:<28} {:>7} {:>12}\n", name.substr(0, 28), of.count, "-");
  return fmt::format("  {:<28} {:>7} {:>12} {:>2}{:>12} {:>12} {:>12} {:>12} {:>14}{}\n", name.substr(0, 28), of.count,
                     time(of.span), of.is_upper_bound ? "<=" : "", time(of.wait), time(of.transfer), time(of.unsplit),
                     time(of.exposed), time(of.exposed_wait), of.is_within_clock_bound() ? "  *" : "");
}

std::string more_lines(size_t count) {
  return count > kMostCommunicationLines
             ? fmt::format("  ... {} more in the JSON report\n", count - kMostCommunicationLines)
             : std::string();
}

std::string pipeline_text(const Pipeline& pipeline) {
  std::string text =
      fmt::format("\nPIPELINE   ({} stages, {:.1f} messages a step; bubble {:.1f} %, of equal stages {})\n",
                  pipeline.stages.size(), pipeline.messages_per_step, 100 * pipeline.bubble,
                  pipeline.ideal_bubble ? fmt::format("{:.1f} %", 100 * *pipeline.ideal_bubble) : "-");
  text += fmt::format("  {:>5} {:>5} {:>12} {:>24} {:>24} {:>9}\n", "stage", "rank", "compute",
                      "waits for the one before", "waits for the one after", "bubble");
  for (size_t i = 0; i < pipeline.stages.size() && i < kMostCommunicationLines; ++i) {
    const PipelineStage& stage = pipeline.stages[i];
    text += fmt::format("  {:>5} {:>5} {:>12} {:>24} {:>24} {:>7.1f} %{}\n", i, stage.rank, time(stage.compute),
                        time(stage.wait_previous), time(stage.wait_next), 100 * stage.bubble(),
                        i == pipeline.critical ? fmt::format("  critical, {:.2f} x the mean", pipeline.imbalance) : "");
  }
  const PipelineStage& maker = pipeline.stages[pipeline.most_waited_for];
  if (maker.caused > 0)
    text += fmt::format("  neighbours wait longest for rank {}: {}\n", maker.rank, time(maker.caused));
  return text + more_lines(pipeline.stages.size());
}

}  // namespace

std::string communication_text(const RunMetrics& metrics) {
  const WaitTable& table = metrics.communication;
  if (!table.total.is_timed()) return {};
  std::string text = "\nCOMMUNICATION   (time of its kernels over all ranks: waiting + moving data + unsplit)\n";
  text += fmt::format("  {:<28} {:>7} {:>12} {:>14} {:>12} {:>12} {:>12} {:>14}\n", "", "count", "kernels", "wait",
                      "transfer", "unsplit", "exposed", "exposed wait");
  text += totals_line("all", table.total);
  for (size_t i = 0; i < table.by_communicator.size() && i < kMostCommunicationLines; ++i)
    text += totals_line("on " + terminal_text(table.by_communicator[i].first), table.by_communicator[i].second);
  text += more_lines(table.by_communicator.size());
  for (size_t phase = 0; phase < kPhaseCount; ++phase)
    if (table.by_phase[phase].count > 0)
      text += totals_line(fmt::format("in {}", kPhaseNames[phase]), table.by_phase[phase]);
  for (size_t i = 0; i < table.by_rank.size() && i < kMostCommunicationLines; ++i)
    text += totals_line(fmt::format("rank {}", table.by_rank[i].first), table.by_rank[i].second);
  text += more_lines(table.by_rank.size());
  if (table.total.untimed > 0)
    text += fmt::format("  {} of {} have no device times; the times are those of the others\n", table.total.untimed,
                        table.total.count);
  if (table.total.is_upper_bound) text += "  <=: messages and rooted operations may have waited less\n";
  if (text.find("  *\n") != std::string::npos) text += "  *: less waiting than the clocks may be wrong\n";
  size_t pipelines = 0;
  for (const Pipeline& pipeline : metrics.messages.pipelines)
    if (++pipelines <= 4) text += pipeline_text(pipeline);
  return text;
}

}  // namespace tauprof
