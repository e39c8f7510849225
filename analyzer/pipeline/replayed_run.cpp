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

}  // namespace

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
  LogDirectory directory;
  const Status found = find_logs(options.paths, directory);
  notes.insert(notes.end(), directory.complaints.begin(), directory.complaints.end());
  if (!found.is_ok()) return found;
  const LogRun* run = nullptr;
  if (const Status chosen = choose_run(options.name(), options.run, directory, run, notes); !chosen.is_ok())
    return chosen;

  LoadedRanks loaded = load_ranks(run->files, options.steps, rules, options.progress);
  notes.insert(notes.end(), loaded.skipped.begin(), loaded.skipped.end());
  notes.insert(notes.end(), loaded.damaged.begin(), loaded.damaged.end());
  for (const auto& [wish, logs] : loaded.unmet_wishes)
    notes.push_back(options.name() + ": " + wish.what + " in " + std::to_string(logs) +
                    (logs == 1 ? " log; " : " logs; ") + wish.instead);
  if (loaded.ranks.empty() && !loaded.operations.empty()) {
    replayed.operations = std::move(loaded.operations);
    replayed.facts.id = run->id;
    replayed.facts.files_skipped = directory.unreadable + directory.foreign + run->files.size() - 1;
    return Status::ok();
  }
  if (loaded.ranks.empty()) return Status::error(options.name() + ": no log of this run holds anything to analyse");
  RunFacts& facts = replayed.facts;
  std::vector<RankTimeline>& ranks = replayed.ranks;
  ranks = std::move(loaded.ranks);
  unite_grown_communicators(ranks);
  const std::vector<RecordedLog> logs = recorded_logs(ranks);
  for (std::string& note : number_ranks(ranks)) notes.push_back(std::move(note));
  count_recording(logs, ranks, facts);
  use_recorded_clocks(ranks);
  facts.id = run->id;
  facts.started_realtime_ns = run->started_ns;
  std::set<std::string> used;
  for (const RankTimeline& rank : ranks) used.insert(rank.file);
  facts.files_read = used.size();
  facts.files_skipped = directory.unreadable + directory.foreign + run->files.size() - used.size();
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
  replayed.graph.emplace(ranks, replayed.matches, replayed.metrics.steps.selection,
                         memory_budget() / kMemoryPerOperation);
  if (!replayed.graph->limited_to().empty())
    notes.push_back(options.name() + ": replayed are only " + replayed.graph->limited_to());
  replayed.metrics.stragglers = confirmed_stragglers(*replayed.graph, replayed.metrics);
  share_steps(replayed);
  replayed.findings = find_findings(facts, replayed.metrics);
  return Status::ok();
}

}  // namespace tauprof
