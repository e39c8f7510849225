#include "metrics/run/run_metrics.h"

#include <cmath>
#include <future>

#include "metrics/collectives/collective_evidence.h"
#include "metrics/collectives/collective_table.h"
#include "metrics/hangs/progress_of_job.h"
#include "metrics/ledger/exposed_communication.h"
#include "metrics/run/peaks.h"

namespace tauprof {
namespace {

RankMetrics metrics_of(const RankTimeline& rank, const StepSelection& steps) {
  RankMetrics metrics;
  metrics.rank = rank.rank;
  metrics.devices = rank.devices();
  metrics.host = rank.host;
  metrics.hta = rank.hta;
  metrics.untimed_because = rank.untimed_because;
  for (const RankStep& step : rank.steps) {
    if (!steps.has(step.number) || !step.device) continue;
    ++metrics.windows;
    metrics.step_ns += step.device->length();
    metrics.overlap.add(step);
    for (const LedgerCell& cell : step.cells) metrics.ledger.add(cell.phase, cell.row, cell.length);
  }
  return metrics;
}

// Those whose graphs' nodes have no records.
uint64_t collectives_in_graphs(const std::vector<RankTimeline>& ranks, const StepSelection& steps) {
  uint64_t count = 0;
  for (const RankTimeline& rank : ranks)
    for (const RankCollective& unit : rank.untimed_collectives)
      count += rank.is_timed() && unit.step != kNoStep && steps.has(rank.steps[unit.step].number);
  return count;
}

using Timelines = std::vector<const RankTimeline*>;

void add_durations(RunSteps& steps) {
  std::vector<Nanoseconds> device, host;
  for (const StepDuration& step : steps.selection.analysed) {
    if (step.device_ns) device.push_back(std::llround(*step.device_ns));
    host.push_back(std::llround(step.host_ns));
  }
  steps.step_duration = statistics_of(std::move(device));
  steps.host_duration = statistics_of(std::move(host));
}

using PlaceTimes = LedgerRows PlaceTotal::*;

// Where a cause shows, the likeliest first: a row of the ledger, and whose time of it. The device of a late rank need
// not idle meanwhile, for it may be waiting for its peers. A thread that lacks a CPU is not always known to be off it;
// then its silences are long.
std::vector<std::pair<LedgerRow, PlaceTimes>> traces_of(Cause cause) {
  const LedgerRow row = shown_in(cause);
  if (!is_of_host(row)) return {};
  std::vector<std::pair<LedgerRow, PlaceTimes>> traces = {{row, &PlaceTotal::charged}, {row, &PlaceTotal::spent}};
  if (cause == Cause::kCpuContention)
    for (const PlaceTimes times : {&PlaceTotal::spent, &PlaceTotal::charged})
      traces.emplace_back(LedgerRow::kIdleHostLaunch, times);
  return traces;
}

int32_t devices_of_job(const std::vector<RankTimeline>& ranks) {
  int32_t devices = 0, world = 0;
  for (const RankTimeline& rank : ranks) {
    devices += rank.device_count();
    world = std::max(world, rank.world_size);
  }
  return std::max(devices, world);
}

std::string where_of(const Straggler& straggler, const Timelines& ranks, const StepSelection& steps) {
  const auto traces = traces_of(straggler.cause);
  for (const RankTimeline* const rank : ranks)
    for (const auto& [row, times] : traces)
      if (rank->rank == straggler.rank)
        if (std::string line = costliest_line(*rank, steps, row); !line.empty()) return line;
  // Host work before a step lies in its device's window of the step before.
  for (const std::vector<int64_t>& numbers : {straggler.steps, std::vector<int64_t>()})
    for (const auto& [row, times] : traces)
      if (CostliestPlace place = costliest_place(ranks, steps, {straggler.rank}, numbers, row, 0, times);
          !place.where.empty())
        return std::move(place.where);
  return {};
}

void locate(const Timelines& ranks, RunMetrics& metrics) {
  for (size_t row = 0; row < kLedgerRowCount; ++row) {
    const RowPlace& place = metrics.time.row_places[row];
    metrics.time.where[row] = costliest_place(ranks, metrics.steps.selection, place.ranks, place.steps,
                                              static_cast<LedgerRow>(row), place.time);
  }
  for (std::vector<Straggler>* const stragglers : {&metrics.stragglers.found, &metrics.stragglers.suspects})
    for (Straggler& straggler : *stragglers) straggler.where = where_of(straggler, ranks, metrics.steps.selection);
}

// The user's, else what PyTorch says.
EfficiencyInput with_tokens(EfficiencyInput input, const std::optional<StepTokens>& asked) {
  if (input.tokens || !asked) return input;
  input.tokens = asked->tokens;
  input.batch = asked->sequences;
  return input;
}

// Sums over the chosen ranks.
void add_ranks(const Timelines& chosen, RunMetrics& metrics) {
  for (const RankTimeline* const rank : chosen) {
    metrics.steps.unwanted_steps += rank->unwanted_steps;
    metrics.steps.steps_in_gaps += rank->steps_in_gaps;
    metrics.steps.outside_steps.add(rank->outside_steps);
    metrics.ranks.push_back(metrics_of(*rank, metrics.steps.selection));
    metrics.time.windows += metrics.ranks.back().windows;
    metrics.time.ledger.add(metrics.ranks.back().ledger);
    metrics.time.overlap.add(metrics.ranks.back().overlap);
    for (const RankStep& step : rank->steps) {
      if (!metrics.steps.selection.has(step.number)) continue;
      metrics.work.graph_nodes += step.graph_nodes;
      metrics.work.conditional_nodes += step.conditional_nodes;
      for (size_t row = 0; row < kLedgerRowCount; ++row) metrics.time.inferred[row] += step.inferred[row];
    }
  }
}

// Fills the tables of the chosen ranks' work, by name.
void add_work(const Timelines& chosen, const StepSelection& steps, const std::optional<double>& peak_flops,
              RunWork& work) {
  work.calls = call_table(chosen, steps);
  work.source_lines = source_line_table(chosen, steps);
  work.kernels = kernel_table(chosen, steps, peak_flops);
  for (const KernelMetrics& kernel : work.kernels) work.kernel_total += kernel.total;
  work.call_tree = call_tree(chosen, steps);
  work.operators = times_of_operators(work.call_tree);
  work.modules = times_of_modules(work.call_tree);
  work.lines = times_of_lines(work.call_tree);
}

}  // namespace

RunMetrics run_metrics(std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                       const std::optional<StepRange>& choice, const std::optional<std::set<int32_t>>& chosen_ranks,
                       const EfficiencyInput& efficiency) {
  RunMetrics metrics;

  // Which steps: collectives that happened together say which steps of different ranks are the same, and number them;
  // all that follows counts by these numbers.
  metrics.steps.agreement = agree_on_steps(ranks, matches);
  metrics.steps.selection = select_steps(ranks, choice);
  add_durations(metrics.steps);
  const StepSelection& steps = metrics.steps.selection;

  // One clock for all ranks. From here on, times of different ranks may be compared.
  metrics.clocks.alignment = align_clocks(ranks, evidence_of(ranks, matches));
  for (const RankTimeline& rank : ranks) metrics.clocks.ranks.push_back({rank.rank, rank.clock_basis, rank.run_clock});

  // How far the job came, and who called something else.
  RunCommunication& communication = metrics.communication;
  metrics.progress = progress_of_job(ranks);
  communication.mismatches = find_mismatches(ranks, matches);

  // Waiting apart from moving data: needs the clocks. The ledger books both while nothing computes: needs the waits.
  communication.waits = split_waits(ranks, matches);
  for (RankTimeline& rank : ranks) book_exposed_communication(rank);

  // Who delays the others takes about as long as all the rest, which does not need it.
  std::future<StragglerReport> stragglers = std::async([&] { return find_stragglers(ranks, matches, steps); });

  // Of the chosen ranks: where the time went.
  Timelines chosen;
  for (RankTimeline& rank : ranks)
    if (!chosen_ranks || chosen_ranks->count(rank.rank) != 0) chosen.push_back(&rank);
  add_ranks(chosen, metrics);
  metrics.steps.series = step_series(chosen, steps);
  metrics.steps.step_changes = step_changes(chosen, steps);
  metrics.steps.step_tokens = step_tokens(chosen, steps);
  metrics.time.row_places = row_places(chosen, steps);
  metrics.time.phases = phase_table(chosen, steps);
  metrics.input = data_pipeline(chosen, steps);
  add_work(chosen, steps, efficiency.peak_flops, metrics.work);
  metrics.devices.memory = memory_table(chosen, steps);
  metrics.devices.telemetry = telemetry_table(chosen, steps);

  // Of all ranks, since communication is everybody's.
  communication.collectives_in_graphs = collectives_in_graphs(ranks, steps);
  communication.collectives = collective_table(ranks, matches, steps, communication.waits.clocks_agree);
  set_link_peaks(ranks, efficiency.link_gb_per_s, communication.collectives);
  communication.links = link_model(ranks, matches, steps);
  communication.wait_table = wait_table(ranks, matches, steps);
  communication.messages = message_table(ranks, matches, steps);
  communication.parallelism = parallelism_of(ranks, steps);

  // Metrics that depend on the above: blame on the waits, places on the blame, sharding on the memory, efficiency on
  // the ledger's sum.
  metrics.stragglers = stragglers.get();
  locate(chosen, metrics);
  communication.sharding = sharding_balance(communication.parallelism, metrics.devices.memory);
  metrics.devices.efficiency = efficiency_of(chosen, steps, metrics.time.ledger, metrics.step_ns(),
                                             devices_of_job(ranks), with_tokens(efficiency, metrics.steps.step_tokens));
  find_bounds(metrics.work.kernels, metrics.devices.efficiency.gemms);
  return metrics;
}

}  // namespace tauprof
