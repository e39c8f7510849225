#include "pipeline/analyze_run.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "align/align_clocks.h"
#include "findings/find_findings.h"
#include "metrics/run/run_metrics.h"
#include "pipeline/load_ranks.h"
#include "pipeline/rank_numbers.h"
#include "read/bystander.h"
#include "read/log_directory.h"

namespace tauprof {
namespace {

std::string listed(const std::vector<LogRun>& runs) {
  std::string text;
  for (const LogRun& run : runs) text += (text.empty() ? "" : ", ") + (run.id.empty() ? "(unnamed)" : run.id);
  return text;
}

// The newest run that did something. A later process that only queried the devices is not a run.
const LogRun& newest_run(const std::vector<LogRun>& runs) {
  for (auto run = runs.rbegin(); run != runs.rend(); ++run)
    if (run->files.size() > 1 || !is_bystander(run->files.front())) return *run;
  return runs.back();
}

Status choose_run(const AnalysisOptions& options, const LogDirectory& directory, const LogRun*& chosen,
                  std::vector<std::string>& notes) {
  if (options.run) {
    const auto found = std::find_if(directory.runs.begin(), directory.runs.end(),
                                    [&](const LogRun& run) { return run.id == *options.run; });
    if (found == directory.runs.end())
      return Status::error(options.path + ": no run '" + *options.run + "'; there are: " + listed(directory.runs));
    chosen = &*found;
    return Status::ok();
  }
  chosen = directory.runs.size() > 1 ? &newest_run(directory.runs) : &directory.runs.front();
  if (directory.runs.size() > 1)
    notes.push_back(options.path + ": " + std::to_string(directory.runs.size()) + " runs; analysing the newest, " +
                    (chosen->id.empty() ? "(unnamed)" : chosen->id) +
                    "; --run ID picks another of: " + listed(directory.runs));
  return Status::ok();
}

void add_unique(std::vector<std::string>& list, const std::string& text) {
  if (!text.empty() && std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

// Adds up what each log recorded, before any of its devices is left out.
void count_recording(const std::vector<RankTimeline>& ranks, RunFacts& facts) {
  for (const RankTimeline& rank : ranks) {
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
    for (const Disbelief& doubt : rank.quality.not_believed)
      facts.not_believed.try_emplace(doubt.what, Disbelief{doubt.what, doubt.value, 0}).first->second.count +=
          doubt.count;
  }
}

// "world size 100000000 in 2 rows of the logs, 2 ranks have a log: not believed"
std::string describe_doubt(const std::string& path, const Disbelief& doubt, const RunFacts& facts) {
  return path + ": " + doubt.what + " " + std::to_string(doubt.value) + " in " +
         (doubt.count == 1 ? "the log" : std::to_string(doubt.count) + " rows of the logs") + ", " +
         std::to_string(facts.ranks) + (facts.ranks == 1 ? " rank has" : " ranks have") + " a log: not believed";
}

// Adds "13.2" to "13.0": "13.0, 13.2".
void add_version(std::string& known, const std::string& version) {
  if ((", " + known + ", ").find(", " + version + ", ") != std::string::npos) return;
  known += (known.empty() ? "" : ", ") + version;
}

void describe_run(const std::vector<RankTimeline>& ranks, RunFacts& facts) {
  facts.ranks = static_cast<int32_t>(ranks.size());
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

Status read_rules(const std::optional<std::string>& path, PhaseRules& rules) {
  rules = PhaseRules::shipped();
  if (!path) return Status::ok();
  std::ifstream file(*path);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.is_open() || file.bad()) return Status::error(*path + ": cannot read the rules");
  return PhaseRules::read(text, *path, rules);
}

}  // namespace

Status analyze_run(const AnalysisOptions& options, Report& report, std::vector<std::string>& notes) {
  PhaseRules rules;
  if (const Status read = read_rules(options.rules, rules); !read.is_ok()) return read;
  LogDirectory directory;
  const Status found = find_logs(options.path, directory);
  notes.insert(notes.end(), directory.complaints.begin(), directory.complaints.end());
  if (!found.is_ok()) return found;
  const LogRun* run = nullptr;
  if (const Status chosen = choose_run(options, directory, run, notes); !chosen.is_ok()) return chosen;

  LoadedRanks loaded = load_ranks(run->files, options.steps, rules, options.progress);
  notes.insert(notes.end(), loaded.skipped.begin(), loaded.skipped.end());
  notes.insert(notes.end(), loaded.damaged.begin(), loaded.damaged.end());
  if (loaded.ranks.empty()) return Status::error(options.path + ": no log of this run holds anything to analyse");
  RunFacts& facts = report.facts;
  count_recording(loaded.ranks, facts);
  for (std::string& note : number_ranks(loaded.ranks)) notes.push_back(std::move(note));
  use_recorded_clocks(loaded.ranks);
  facts.id = run->id;
  facts.started_realtime_ns = run->started_ns;
  facts.files_read = run->files.size() - loaded.skipped.size();
  facts.files_skipped = directory.unreadable + directory.foreign + loaded.skipped.size();
  describe_run(loaded.ranks, facts);
  if (!facts.missing_ranks.empty()) notes.push_back(describe_missing(options.path, facts));
  for (const auto& [what, doubt] : facts.not_believed) notes.push_back(describe_doubt(options.path, doubt, facts));
  if (options.ranks)
    for (const int32_t rank : *options.ranks)
      if (std::none_of(loaded.ranks.begin(), loaded.ranks.end(), [&](const RankTimeline& r) { return r.rank == rank; }))
        notes.push_back(options.path + ": rank " + std::to_string(rank) + " has no log in this run");
  report.batch = options.batch;
  report.tokens = options.tokens;
  report.metrics = run_metrics(loaded.ranks, options.steps, options.ranks);
  if (report.metrics.ranks.empty()) return Status::error(options.path + ": none of the chosen ranks has a log");
  if (options.steps && report.metrics.steps.analysed.empty())
    return Status::error(options.path + ": none of its " + std::to_string(report.metrics.steps.outside) +
                         " steps is in the chosen range" + numbers_of(loaded.ranks));
  report.findings = find_findings(facts, report.metrics);
  return Status::ok();
}

}  // namespace tauprof
