#include "report/communication_json.h"

#include "report/value_names.h"

namespace tauprof {
namespace {

Json totals(Json row, const WaitTotals& of) {
  const bool is_known = of.untimed == 0 || of.is_timed();
  row.update({{"count", of.count},
              {"untimed", of.untimed},
              {"span_ns", time_or_null(of.span, is_known)},
              {"wait_ns", time_or_null(of.wait, is_known)},
              {"transfer_ns", time_or_null(of.transfer, is_known)},
              {"unsplit_ns", time_or_null(of.unsplit, is_known)},
              {"exposed_ns", time_or_null(of.exposed, is_known)},
              {"exposed_wait_ns", time_or_null(of.exposed_wait, is_known)},
              {"wait_is_upper_bound", of.is_upper_bound},
              {"wait_within_clock_bound", of.is_within_clock_bound()}});
  return row;
}

Json channel_json(const MessageChannel& channel) {
  const bool has_times = channel.split > 0;
  return {{"comm", valid_utf8(channel.communicator)},
          {"source", channel.source},
          {"destination", channel.destination},
          {"count", channel.count},
          {"bytes", channel.bytes},
          {"source_wait_ns", time_or_null(channel.source_wait, has_times)},
          {"destination_wait_ns", time_or_null(channel.destination_wait, has_times)},
          {"transfer_ns", time_or_null(channel.transfer, has_times)}};
}

Json pipeline_json(const Pipeline& pipeline) {
  Json stages = Json::array();
  for (const PipelineStage& stage : pipeline.stages)
    stages.push_back({{"rank", stage.rank},
                      {"compute_ns", stage.compute},
                      {"wait_previous_ns", stage.wait_previous},
                      {"wait_next_ns", stage.wait_next},
                      {"caused_ns", stage.caused},
                      {"bubble", stage.bubble()}});
  return {{"stages", stages},
          {"critical_rank", pipeline.stages[pipeline.critical].rank},
          {"most_waited_for", pipeline.stages[pipeline.most_waited_for].caused > 0
                                  ? Json(pipeline.stages[pipeline.most_waited_for].rank)
                                  : Json(nullptr)},
          {"imbalance", pipeline.imbalance},
          {"bubble", pipeline.bubble},
          {"ideal_bubble", or_null(pipeline.ideal_bubble)},
          {"messages_per_step", pipeline.messages_per_step}};
}

}  // namespace

Json collectives_json(const RunMetrics& metrics) {
  Json result = Json::array();
  for (const CollectiveMetrics& line : metrics.collectives)
    result.push_back(
        {{"comm", valid_utf8(line.communicator)},
         {"named", line.is_named},
         {"op", name_of(line.operation)},
         {"dtype", line.datatype == log::DataType::kUnknown ? Json(nullptr) : Json(name_of(line.datatype))},
         {"ranks", line.ranks},
         {"size_bytes", or_null(line.size_bytes)},
         {"count", line.count},
         {"untimed", line.untimed},
         {"enqueue_ns", statistics_json(line.enqueue)},
         {"algbw_gb_per_s", or_null(line.algbw_gb_per_s)},
         {"busbw_gb_per_s", or_null(line.busbw_gb_per_s)},
         {"busbw_transfer_gb_per_s", or_null(line.busbw_transfer_gb_per_s)},
         {"link_peak_gb_per_s", or_null(line.link_peak_gb_per_s)},
         {"share_of_link_peak", or_null(line.share_of_link())},
         {"wait_ns", or_null(line.wait_ns)},
         {"wait_at_least_ns", or_null(line.wait_at_least_ns)},
         {"wait_is_upper_bound", line.wait_is_upper_bound},
         {"wait_within_clock_bound", line.wait_within_clock_bound},
         {"transfer_ns", or_null(line.transfer_ns)},
         {"skew_ns", or_null(line.skew_ns)},
         {"imbalance", or_null(line.imbalance)},
         {"imbalance_received", or_null(line.imbalance_received)},
         {"heaviest_receiver", line.heaviest_receiver < 0 ? Json() : Json(line.heaviest_receiver)},
         {"exposed_ns", or_null(line.exposed_ns)}});
  return result;
}

Json communication_json(const RunMetrics& metrics) {
  const WaitTable& table = metrics.communication;
  Json communicators = Json::array(), phases = Json::array(), ranks = Json::array();
  for (const auto& [name, of] : table.by_communicator)
    communicators.push_back(totals({{"comm", valid_utf8(name)}}, of));
  for (size_t phase = 0; phase < kPhaseCount; ++phase)
    if (table.by_phase[phase].count > 0)
      phases.push_back(totals({{"phase", kPhaseNames[phase]}}, table.by_phase[phase]));
  for (const auto& [rank, of] : table.by_rank) ranks.push_back(totals({{"rank", rank}}, of));
  return {{"total", totals(Json::object(), table.total)},
          {"by_comm", communicators},
          {"by_phase", phases},
          {"by_rank", ranks}};
}

Json messages_json(const MessageTable& messages) {
  Json channels = Json::array(), pipelines = Json::array();
  for (const MessageChannel& channel : messages.channels) channels.push_back(channel_json(channel));
  for (const Pipeline& pipeline : messages.pipelines) pipelines.push_back(pipeline_json(pipeline));
  return {{"channels", channels}, {"pipelines", pipelines}};
}

}  // namespace tauprof
