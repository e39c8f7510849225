#include "pipeline/replayed_run.h"

#include <algorithm>
#include <set>

#include "align/align_clocks.h"
#include "findings/confirm_stragglers.h"
#include "findings/find_findings.h"
#include "limits/analysis_limits.h"
#include "metrics/run/rank_shares.h"
#include "model/regular_file.h"
#include "pipeline/chosen_run.h"
#include "pipeline/each_log.h"
#include "pipeline/grown_communicators.h"
#include "pipeline/load_ranks.h"
#include "pipeline/rank_numbers.h"
#include "read/log_directory.h"
#include "undisturbed/host_work.h"
#include "undisturbed/undisturbed_run.h"

namespace tauprof {
namespace {

void add_unique(std::vector<std::string>& list, const std::string& text) {
  if (!text.empty() && std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

// The recording of a log, which counts whether or not one of its devices is left out.
struct RecordedLog {
  std::string file;
  int32_t rank = -1;
  RecordingQuality quality;
  uint64_t unmatched_spans = 0;
  uint64_t clamped_latencies = 0;
};

std::vector<RecordedLog> recorded_logs(const std::vector<RankTimeline>& ranks) {
  std::vector<RecordedLog> logs;
  for (const RankTimeline& rank : ranks)
    logs.push_back({rank.file, rank.rank, rank.quality, rank.unmatched_spans, rank.clamped_latencies});
  return logs;
}

// Adds up the logs of which something counts: a second log of a rank, or a helper's, is not part of the report.
void count_recording(const std::vector<RecordedLog>& logs, const std::vector<RankTimeline>& ranks, RunFacts& facts) {
  std::set<std::string> counts;
  for (const RankTimeline& rank : ranks) counts.insert(rank.file);
  for (const RecordedLog& rank : logs) {
    if (counts.count(rank.file) == 0) continue;
    facts.events += rank.quality.events;
    facts.bytes += rank.quality.bytes;
    facts.lost_records += rank.quality.lost_records;
    facts.lost_bytes += rank.quality.lost_bytes;
    facts.files_damaged += rank.quality.damaged_regions > 0;
    facts.files_cut_short += rank.quality.is_cut_short;
    facts.cost.add(rank.quality.cost);
    facts.unmatched_spans += rank.unmatched_spans;
    facts.clamped_latencies += rank.clamped_latencies;
    for (const auto& [reason, count] : rank.quality.dropped) facts.dropped[reason] += count;
    for (const RecordingGap& gap : rank.quality.gaps) facts.gaps.push_back({rank.rank, gap});
    for (const ImplausibleValue& implausible : rank.quality.implausible_values)
      facts.implausible_values.try_emplace(implausible.what, ImplausibleValue{implausible.what, implausible.value, 0})
          .first->second.count += implausible.count;
  }
}

// "world size 100000000 in 2 rows of the logs, 2 ranks have a log: not believed"
std::string describe_implausible(const std::string& path, const ImplausibleValue& implausible, const RunFacts& facts) {
  return path + ": " + implausible.what + " " + std::to_string(implausible.value) + " in " +
         (implausible.count == 1 ? "the log" : std::to_string(implausible.count) + " rows of the logs") + ", " +
         std::to_string(facts.ranks) + (facts.ranks == 1 ? " rank has" : " ranks have") + " a log: not believed";
}

// Adds "13.2" to "13.0": "13.0, 13.2".
void add_version(std::string& known, const std::string& version) {
  if ((", " + known + ", ").find(", " + version + ", ") != std::string::npos) return;
  known += (known.empty() ? "" : ", ") + version;
}

void describe_run(const std::vector<RankTimeline>& ranks, RunFacts& facts) {
  facts.ranks = static_cast<int32_t>(ranks.size());
  for (const RankTimeline& rank : ranks) facts.device_count += rank.device_count();
  facts.source = ranks.front().source;
  const RankTimeline& least_sure = *std::min_element(
      ranks.begin(), ranks.end(),
      [](const RankTimeline& a, const RankTimeline& b) { return a.steps_confidence < b.steps_confidence; });
  facts.steps_origin = least_sure.steps_origin;
  facts.steps_source = least_sure.steps_source;
  facts.steps_confidence = least_sure.steps_confidence;
  facts.steps_reason = least_sure.steps_reason;
  std::set<int32_t> present;
  for (const RankTimeline& rank : ranks) {
    facts.world_size = std::max(facts.world_size, rank.world_size);
    facts.steps_sources_agree &= rank.steps_source == facts.steps_source;
    if (facts.command.empty()) facts.command = rank.command;
    if (!rank.is_timed()) facts.untimed_ranks[rank.untimed_because].push_back(rank.rank);
    for (const auto& [name, version] : rank.versions) add_version(facts.versions[name], version);
    for (const auto& [name, value] : rank.settings) facts.settings[name][value].push_back(rank.rank);
    add_unique(facts.hosts, rank.host);
    add_unique(facts.devices, rank.device_name);
    present.insert(rank.rank);
  }
  for (int32_t rank = 0; rank < facts.world_size; ++rank)
    if (present.count(rank) == 0) facts.missing_ranks.push_back(rank);
}

// "; they are numbered 4 to 6"
std::string numbers_of(const std::vector<RankTimeline>& ranks) {
  int64_t first = INT64_MAX, last = INT64_MIN;
  for (const RankTimeline& rank : ranks)
    for (const RankStep& step : rank.steps) first = std::min(first, step.number), last = std::max(last, step.number);
  return first > last ? "" : "; they are numbered " + std::to_string(first) + " to " + std::to_string(last);
}

std::string describe_missing(const std::string& path, const RunFacts& facts) {
  constexpr size_t kMostNamed = 8;
  std::string text = path + ": " + std::to_string(facts.missing_ranks.size()) + " of " +
                     std::to_string(facts.world_size) + " ranks have no log here:";
  for (size_t i = 0; i < std::min(kMostNamed, facts.missing_ranks.size()); ++i)
    text += " " + std::to_string(facts.missing_ranks[i]);
  return text + (facts.missing_ranks.size() > kMostNamed ? " ...; " : "; ") +
         "waiting and moving data cannot be told apart without them";
}

// Which rank makes how much of each step, as far as the ranks are reported.
void share_steps(ReplayedRun& replayed) {
  std::vector<const RankTimeline*> chosen;
  for (const RankTimeline& rank : replayed.ranks)
    if (std::any_of(replayed.metrics.ranks.begin(), replayed.metrics.ranks.end(),
                    [&](const RankMetrics& one) { return one.rank == rank.rank; }))
      chosen.push_back(&rank);
  add_rank_shares(chosen, replayed.metrics.steps.selection, replayed.metrics.stragglers,
                  replayed.graph->contention().waiting_loss(), replayed.metrics.steps.series);
}

// The logs of one run.
struct FoundRun {
  LogDirectory directory;
  LogSource source;
  const LogRun* run = nullptr;  // of the directory

  uint64_t files_skipped(size_t used) const {
    return directory.unreadable + directory.foreign + run->files.size() - used;
  }
};

Status find_run(const std::string& name, const OpenedInputs& inputs, const std::optional<std::string>& id,
                FoundRun& found, std::vector<std::string>& notes) {
  const Status status = found.source.find(inputs, found.directory, notes);
  notes.insert(notes.end(), found.directory.complaints.begin(), found.directory.complaints.end());
  found.directory.foreign += inputs.failed_files();
  return status.is_ok() ? choose_run(name, id, found.directory, found.source, found.run, notes) : status;
}

// `retimings`: the events of its logs take place then; null: as recorded.
Status read_run(const RunChoice& options, const PhaseRules& rules, const FoundRun& found, const Retimings* retimings,
                ReplayedRun& replayed, std::vector<std::string>& notes) {
  LoadedRanks loaded = load_ranks(found.run->files, found.source, rules,
                                  {options.steps, options.step_ns || !options.host_times.empty(), retimings,
                                   options.rules.has_value(), options.has_paths, options.progress});
  notes.insert(notes.end(), loaded.skipped.begin(), loaded.skipped.end());
  notes.insert(notes.end(), loaded.damaged.begin(), loaded.damaged.end());
  for (const auto& [wish, logs] : loaded.unmet_wishes)
    notes.push_back(options.name() + ": " + wish.what + " in " + std::to_string(logs) +
                    (logs == 1 ? " log; " : " logs; ") + wish.instead);
  if (loaded.ranks.empty() && !loaded.operations.empty()) {
    replayed.operations = std::move(loaded.operations);
    for (OperationLog& log : replayed.operations) log.file = replayed.inputs.name_of(log.file);
    replayed.facts.id = found.run->id;
    replayed.facts.files_skipped = found.files_skipped(1);
    return Status::ok();
  }
  if (loaded.ranks.empty()) return Status::error(options.name() + ": no log of this run holds anything to analyse");
  RunFacts& facts = replayed.facts;
  std::vector<RankTimeline>& ranks = replayed.ranks;
  ranks = std::move(loaded.ranks);
  for (RankTimeline& rank : ranks) rank.named_file = replayed.inputs.name_of(rank.file);
  unite_grown_communicators(ranks);
  const std::vector<RecordedLog> logs = recorded_logs(ranks);
  for (std::string& note : number_ranks(ranks)) notes.push_back(std::move(note));
  count_recording(logs, ranks, facts);
  use_recorded_clocks(ranks);
  facts.id = found.run->id;
  facts.started_realtime_ns = found.run->started_ns;
  std::set<std::string> used;
  for (const RankTimeline& rank : ranks) used.insert(rank.file);
  facts.files_read = used.size();
  facts.files_skipped = found.files_skipped(used.size());
  describe_run(ranks, facts);
  if (!facts.missing_ranks.empty()) notes.push_back(describe_missing(options.name(), facts));
  for (const auto& [what, implausible] : facts.implausible_values)
    notes.push_back(describe_implausible(options.name(), implausible, facts));
  if (options.ranks)
    for (const int32_t rank : *options.ranks)
      if (std::none_of(ranks.begin(), ranks.end(), [&](const RankTimeline& r) { return r.rank == rank; }))
        notes.push_back(options.name() + ": rank " + std::to_string(rank) + " has no log in this run");
  replayed.matches = match_collectives(ranks);
  replayed.metrics = run_metrics(ranks, replayed.matches, options.steps, options.ranks, options.efficiency);
  if (replayed.metrics.ranks.empty()) return Status::error(options.name() + ": none of the chosen ranks has a log");
  if (options.steps && replayed.metrics.steps.selection.analysed.empty())
    return Status::error(options.name() + ": none of its " + std::to_string(replayed.metrics.steps.selection.outside) +
                         " steps is in the chosen range" + numbers_of(ranks));
  replayed.known_steps = known_steps(ranks, replayed.matches, replayed.metrics.steps.selection);
  replayed.graph.emplace(ranks, replayed.matches, replayed.known_steps.steps, memory_budget() / kMemoryPerOperation);
  replayed.graph->stand_for(replayed.metrics.steps.selection);
  if (const std::string limited_to = replayed.limited_to(); !limited_to.empty())
    notes.push_back(options.name() + ": replayed are only " + limited_to);
  replayed.metrics.stragglers = confirmed_stragglers(*replayed.graph, ranks, replayed.metrics);
  share_steps(replayed);
  replayed.findings = find_findings(facts, replayed.metrics);
  return Status::ok();
}

// Ranks of a run with hooks alone, numbered as those of the run that it belongs to.
Status read_second_run(const RunChoice& options, const PhaseRules& rules, std::vector<RankTimeline>& ranks,
                       std::vector<std::string>& notes) {
  OpenedInputs inputs;
  if (const Status opened = inputs.open(options.host_times, options.progress, notes); !opened.is_ok()) return opened;
  FoundRun found;
  const std::string& name = options.host_times.front();
  if (const Status status = find_run(name, inputs, std::nullopt, found, notes); !status.is_ok()) return status;
  LoadedRanks loaded = load_ranks(found.run->files, found.source, rules,
                                  {std::nullopt, true, nullptr, options.rules.has_value(), false, options.progress});
  notes.insert(notes.end(), loaded.skipped.begin(), loaded.skipped.end());
  if (loaded.ranks.empty()) return Status::error(name + ": no log of this run holds anything to analyse");
  ranks = std::move(loaded.ranks);
  for (std::string& note : number_ranks(ranks)) notes.push_back(std::move(note));
  for (const RankTimeline& rank : ranks)
    if (rank.is_timed())
      return Status::error(name + ": rank " + std::to_string(rank.rank) +
                           " has device times, whose recording slows the host; record it with "
                           "TAUPROF_DEVICE_TIMING=off");
  return Status::ok();
}

// Steps that only device work tells are those of the first run.
void adopt_steps_of(const std::vector<RankTimeline>& ranks, std::vector<RankTimeline>& second_run) {
  for (RankTimeline& rank : second_run) {
    const auto twin = std::find_if(ranks.begin(), ranks.end(), [&](const RankTimeline& one) {
      return one.rank == rank.rank && one.operations != nullptr;
    });
    if (twin == ranks.end() || rank.operations == nullptr || rank.steps_source == twin->steps_source) continue;
    auto operations = std::make_shared<ProcessOperations>(*rank.operations);
    adopt_steps(*twin->operations, *operations);
    rank.operations = std::move(operations);
  }
}

// How the run would be without the recorder, from what the options or the run itself tell.
Status find_undisturbed(const RunChoice& options, const PhaseRules& rules, ReplayedRun& replayed,
                        UndisturbedRun& undisturbed, std::vector<std::string>& notes) {
  RunGraph& graph = *replayed.graph;
  const bool is_asked = options.step_ns || !options.host_times.empty();
  std::vector<RankTimeline> second_run;
  if (!options.host_times.empty())
    if (const Status read = read_second_run(options, rules, second_run, notes); !read.is_ok()) return read;
  std::string& reason = undisturbed.disturbance.reason;
  if (!graph.reason().empty()) {
    reason = graph.reason();
  } else if (!graph.limited_to().empty()) {
    reason = "the run is too large to be replayed whole";
  } else if (graph.step_numbers().empty()) {
    reason = "no step of this run can be replayed";
  } else if (options.step_ns) {
    undisturbed = undisturbed_by_step_time(graph, *options.step_ns);
  } else if (is_asked || has_light_steps(graph)) {
    adopt_steps_of(replayed.ranks, second_run);
    undisturbed = undisturbed_by_light_steps(graph, second_run);
  } else {
    reason = "no step was recorded without device times";
  }
  if (is_asked && !undisturbed.disturbance.is_corrected())
    notes.push_back(options.name() + ": the host's times stay as recorded: " + undisturbed.disturbance.reason);
  return Status::ok();
}

Status load_opened_run(const RunChoice& options, const PhaseRules& rules, ReplayedRun& replayed,
                       std::vector<std::string>& notes) {
  FoundRun found;
  if (const Status status = find_run(options.name(), replayed.inputs, options.run, found, notes); !status.is_ok())
    return status;
  if (const Status read = read_run(options, rules, found, nullptr, replayed, notes); !read.is_ok()) return read;
  replayed.given = found.source.given_for(found.run->files);
  if (!replayed.operations.empty() || options.is_as_recorded) return Status::ok();
  UndisturbedRun undisturbed;
  if (const Status status = find_undisturbed(options, rules, replayed, undisturbed, notes); !status.is_ok())
    return status;
  if (!undisturbed.schedule.empty()) {
    const Retimings retimings = retimings_of(*replayed.graph, replayed.ranks, undisturbed.schedule);
    undisturbed.disturbance.recorded = replayed.metrics.time.ledger.rows();
    replayed.clear();
    std::vector<std::string> said_before;
    if (const Status read = read_run(options, rules, found, &retimings, replayed, said_before); !read.is_ok())
      return read;
    replayed.retimings = retimings;
  }
  replayed.disturbance = std::move(undisturbed.disturbance);
  return Status::ok();
}

}  // namespace

void ReplayedRun::clear() {
  graph.reset();
  facts = {};
  ranks.clear();
  metrics = {};
  findings.clear();
  matches.clear();
  known_steps = {};
}

std::string ReplayedRun::limited_to() const {
  const std::string by_size = graph->limited_to(),
                    by_evidence = graph->reason().empty() ? known_steps.limited_to() : "";
  return by_size + (by_size.empty() || by_evidence.empty() ? "" : "; ") + by_evidence;
}

Status read_rules(const std::optional<std::string>& path, PhaseRules& rules) {
  rules = PhaseRules::shipped();
  if (!path) return Status::ok();
  std::string text;
  if (const Status status = read_regular_file(*path, kMostRuleBytes, text); !status.is_ok())
    return Status::error(*path + ": " + status.message() + "; name a file of rules (docs/phases.md)");
  return PhaseRules::read(text, *path, rules);
}

Status load_run(const RunChoice& options, ReplayedRun& replayed, std::vector<std::string>& notes) {
  PhaseRules rules;
  if (const Status read = read_rules(options.rules, rules); !read.is_ok()) return read;
  if (const Status opened = replayed.inputs.open(options.paths, options.progress, notes); !opened.is_ok())
    return opened;
  const Status loaded = load_opened_run(options, rules, replayed, notes);
  for (std::string& note : notes) note = replayed.inputs.in_words(std::move(note));
  return loaded.is_ok() ? loaded : Status::error(replayed.inputs.in_words(loaded.message()));
}

}  // namespace tauprof
