#include "report/json_sections.h"

namespace tauprof {

Fields<CollectiveMetrics> fields_of(const CollectiveMetrics*) {
  return {
      "Collective",
      "Calls of one operation and size on one communicator; times are sums over occurrences and ranks",
      {
          {"comm", &CollectiveMetrics::communicator, "the communicator"},
          {"named", &CollectiveMetrics::is_named, "the program gave it that name"},
          {"op", &CollectiveMetrics::operation, "the operation"},
          {"dtype", known(&CollectiveMetrics::datatype), "type of the elements"},
          {"ranks", &CollectiveMetrics::ranks, "members of the communicator, n"},
          {"size_bytes", &CollectiveMetrics::size_bytes, "as nccl-tests count it"},
          {"count", &CollectiveMetrics::count, "occurrences"},
          {"untimed", &CollectiveMetrics::untimed, "of these, how many no rank has device times of"},
          {"enqueue_ns", known(&CollectiveMetrics::enqueue), "how long the calls took on the host"},
          {"algbw_gb_per_s", &CollectiveMetrics::algbw_gb_per_s, "size over the mean time of a rank, in 10⁹ bytes/s"},
          {"busbw_gb_per_s", &CollectiveMetrics::busbw_gb_per_s, "the same, times nccl-tests' factor"},
          {"busbw_transfer_gb_per_s", &CollectiveMetrics::busbw_transfer_gb_per_s,
           "the same over the shortest span of all ranks, which holds no waiting"},
          {"link_peak_gb_per_s", &CollectiveMetrics::link_peak_gb_per_s, "what a device can send to the others"},
          {"share_of_link_peak", &CollectiveMetrics::share_of_link, "of that, `busbw_transfer_gb_per_s`"},
          {"wait_ns", &CollectiveMetrics::wait_ns, "waiting for the last to arrive"},
          {"wait_at_least_ns", &CollectiveMetrics::wait_at_least_ns, "a lower bound, of those that cannot be split"},
          {"wait_is_upper_bound", &CollectiveMetrics::wait_is_upper_bound, "some waits may be shorter"},
          {"wait_within_clock_bound", &CollectiveMetrics::wait_within_clock_bound,
           "the waits are smaller than what clocks may put wrong"},
          {"transfer_ns", &CollectiveMetrics::transfer_ns, "moving data, once all had arrived"},
          {"skew_ns", &CollectiveMetrics::skew_ns, "last arrival − first arrival"},
          {"imbalance", &CollectiveMetrics::imbalance,
           "of all-to-alls whose parts differ: the most bytes that a rank sent, over the mean"},
          {"imbalance_received", &CollectiveMetrics::imbalance_received, "the same of what ranks received"},
          {"heaviest_receiver",
           [](const CollectiveMetrics& c) { return when(c.heaviest_receiver >= 0, c.heaviest_receiver); },
           "the rank that received most"},
          {"exposed_ns", &CollectiveMetrics::exposed_ns, "while it ran and nothing computed"},
      }};
}

// A row of the table of waiting: of a communicator, a phase, a rank, or all.
struct WaitRow {
  const WaitTotals& totals;
  std::optional<std::string> communicator = std::nullopt;
  std::optional<Phase> phase = std::nullopt;
  std::optional<int32_t> rank = std::nullopt;
};

auto time_of(Nanoseconds WaitTotals::*time) {
  return
      [time](const WaitRow& row) { return when(row.totals.untimed == 0 || row.totals.is_timed(), row.totals.*time); };
}

Fields<WaitRow> fields_of(const WaitRow*) {
  return {"WaitTotals",
          "Of a communicator, a phase, a rank, or all; the key that applies is there",
          {
              {"comm", [](const WaitRow& r) { return OrAbsent(r.communicator); }, "the communicator"},
              {"phase", [](const WaitRow& r) { return OrAbsent(r.phase); }, "the phase of the calls"},
              {"rank", [](const WaitRow& r) { return OrAbsent(r.rank); }, "the rank"},
              {"count", [](const WaitRow& r) { return r.totals.count; }, "units: a group of messages is one"},
              {"untimed", [](const WaitRow& r) { return r.totals.untimed; }, "of these, how many have no device times"},
              {"span_ns", time_of(&WaitTotals::span), "from start to end: the sum of the next three"},
              {"wait_ns", time_of(&WaitTotals::wait), "waiting for the last to arrive"},
              {"transfer_ns", time_of(&WaitTotals::transfer), "moving data, once all had arrived"},
              {"unsplit_ns", time_of(&WaitTotals::unsplit), "one or the other: it cannot be told"},
              {"exposed_ns", time_of(&WaitTotals::exposed), "while nothing computed"},
              {"exposed_wait_ns", time_of(&WaitTotals::exposed_wait), "of that, waiting"},
              {"wait_is_upper_bound", [](const WaitRow& r) { return r.totals.is_upper_bound; },
               "some waits may be shorter"},
              {"wait_within_clock_bound", [](const WaitRow& r) { return r.totals.is_within_clock_bound(); },
               "the waits are smaller than what clocks may put wrong"},
          }};
}

namespace {

std::vector<WaitRow> waits_by_communicator(const WaitTable& table) {
  std::vector<WaitRow> rows;
  for (const auto& [name, totals] : table.by_communicator) rows.push_back({totals, name});
  return rows;
}

std::vector<WaitRow> waits_by_phase(const WaitTable& table) {
  std::vector<WaitRow> rows;
  for (size_t phase = 0; phase < kPhaseCount; ++phase)
    if (table.by_phase[phase].count > 0)
      rows.push_back({table.by_phase[phase], std::nullopt, static_cast<Phase>(phase)});
  return rows;
}

std::vector<WaitRow> waits_by_rank(const WaitTable& table) {
  std::vector<WaitRow> rows;
  for (const auto& [rank, totals] : table.by_rank) rows.push_back({totals, std::nullopt, std::nullopt, rank});
  return rows;
}

}  // namespace

Fields<WaitTable> fields_of(const WaitTable*) {
  return {"Communication",
          "Waiting and transferring, always over all ranks",
          {
              {"total", [](const WaitTable& t) { return WaitRow{t.total}; }, "all of it"},
              {"by_comm", waits_by_communicator, "by communicator, the longest first"},
              {"by_phase", waits_by_phase, "by phase, those that occur"},
              {"by_rank", waits_by_rank, "by rank"},
          }};
}

auto split_time(Nanoseconds MessageChannel::*time) {
  return [time](const MessageChannel& channel) { return when(channel.split > 0, channel.*time); };
}

Fields<MessageChannel> fields_of(const MessageChannel*) {
  return {
      "Channel",
      "Messages on a communicator from one rank to another; no times where none could be split",
      {
          {"comm", &MessageChannel::communicator, "the communicator"},
          {"source", &MessageChannel::source, "the rank that sends"},
          {"destination", &MessageChannel::destination, "the rank that receives"},
          {"count", &MessageChannel::count, "messages"},
          {"bytes", &MessageChannel::bytes, "in all"},
          {"source_wait_ns", split_time(&MessageChannel::source_wait), "the sender waited for the receiver, at most"},
          {"destination_wait_ns", split_time(&MessageChannel::destination_wait), "and the receiver for the sender"},
          {"transfer_ns", split_time(&MessageChannel::transfer), "the remainder of the receiver's time"},
      }};
}

Fields<PipelineStage> fields_of(const PipelineStage*) {
  return {"Stage",
          "A stage of a pipeline, over the analysed steps",
          {
              {"rank", &PipelineStage::rank, "its rank"},
              {"compute_ns", &PipelineStage::compute, "computing"},
              {"wait_previous_ns", &PipelineStage::wait_previous, "exposed waiting for the stage before"},
              {"wait_next_ns", &PipelineStage::wait_next, "and for the stage after"},
              {"caused_ns", &PipelineStage::caused, "what both of them wait for it"},
              {"bubble", &PipelineStage::bubble, "waiting over waiting and computing"},
          }};
}

namespace {

std::optional<int32_t> most_waited_for(const Pipeline& pipeline) {
  const PipelineStage& stage = pipeline.stages[pipeline.most_waited_for];
  return when(stage.caused > 0, stage.rank);
}

}  // namespace

Fields<Pipeline> fields_of(const Pipeline*) {
  return {"Pipeline",
          "A chain of ranks along which the first messages of a step go",
          {
              {"stages", &Pipeline::stages, "in their order"},
              {"critical_rank", [](const Pipeline& p) { return p.stages[p.critical].rank; },
               "whose stage computes longest and sets the pace"},
              {"most_waited_for", most_waited_for, "whose stage causes most of the waiting; `null`: nobody waits"},
              {"imbalance", &Pipeline::imbalance, "what the critical stage computes, over the mean"},
              {"bubble", &Pipeline::bubble, "the mean over its stages"},
              {"ideal_bubble", &Pipeline::ideal_bubble, "that of equal stages"},
              {"messages_per_step", &Pipeline::messages_per_step, "from the first stage to the second"},
          }};
}

Fields<MessageTable> fields_of(const MessageTable*) {
  return {"Messages",
          "Sends and receives",
          {
              {"channels", &MessageTable::channels, "the longest wait first"},
              {"pipelines", &MessageTable::pipelines, "by their first ranks"},
          }};
}

}  // namespace tauprof
