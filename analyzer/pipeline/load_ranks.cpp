#include "pipeline/load_ranks.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <memory>

#include "metrics/run/timeline_of_rank.h"
#include "phases/host_time.h"
#include "pipeline/complete_trace.h"
#include "pipeline/each_log.h"
#include "read/load_process.h"
#include "read/united_identities.h"
#include "replay/process_operations.h"
#include "timelines/host_timelines.h"

namespace tauprof {
namespace {

struct ProcessResult : ReducedLog {
  std::optional<OperationLog> operations;
};

std::vector<UnmetWish> unmet_wishes(const ProcessTrace& trace) {
  std::vector<UnmetWish> unmet;
  const auto marker = trace.attributes.find("step_marker");
  if (marker != trace.attributes.end() && trace.steps_origin != StepOrigin::kMarker)
    unmet.push_back(
        {"the step marker " + marker->second + " matches nothing", "the steps were looked for in other ways"});
  if (trace.attributes.count("nccl_phases") != 0 && !trace.collectives.empty() && trace.kernel_phases.empty())
    unmet.push_back({"NCCL reported no phases of its kernels (nccl-phases)",
                     "only NCCL 2.31 and newer reports them, only of symmetric kernels, to a single profiler plugin"});
  return unmet;
}

std::string describe_damage(const std::string& file, const ProcessTrace& trace) {
  const RecordingQuality& quality = trace.quality;
  if (quality.damaged_regions > 0)
    return file + ": damaged in " + std::to_string(quality.damaged_regions) + " place(s), " +
           std::to_string(quality.lost_records) + " record(s) lost; the rest is analysed (tauprof check tells where)";
  if (quality.is_cut_short && trace.attributes.count(log::kReplacedItself) != 0)
    return file + ": cut short; its process replaced itself by another program; what is there is analysed";
  if (quality.is_cut_short)
    return file +
           ": cut short; its process was killed or still runs, or the file was truncated; what is there is analysed";
  return {};
}

// "FILE: 3 records have impossible times and are left out: device work long before its launch (3)"
std::string describe_impossible(const std::string& file, const RecordingQuality& quality) {
  std::string reasons;
  uint64_t number = 0;
  for (const auto& [reason, count] : quality.impossible) {
    reasons += (reasons.empty() ? "" : ", ") + reason + " (" + std::to_string(count) + ")";
    number += count;
  }
  if (number == 0) return {};
  return file + ": " + std::to_string(number) +
         (number == 1 ? " record has impossible times and is left out: "
                      : " records have impossible times and are left out: ") +
         reasons;
}

std::string describe_move(const std::string& file, const MovedDevice& moved) {
  return file + ": device " + std::to_string(moved.device) + "'s clock is " + std::to_string(moved.by / 1'000) +
         " us behind the host's, its work would start before its launch; moved by that";
}

// Reads a log, without what needs phases. Fails if nothing of it can be used.
Status read_trace(const std::string& file, Progress* progress, ProcessTrace& trace) {
  LoadOptions options;
  if (progress) options.read_bytes = &progress->done;
  return load_process(file, trace, options);
}

void add_timelines(const std::string& file, const PhaseRules& rules, const std::optional<StepRange>& steps,
                   bool has_paths, const ProcessTrace& trace, ReducedLog& result) {
  result.unmet_wishes = unmet_wishes(trace);
  const std::vector<HostTimes> host_time = host_time_by_phase(trace, rules);
  for (const DeviceTrace& device : trace.devices) {
    result.ranks.push_back(timeline_of_rank(trace, device, host_time, steps, rules, has_paths));
    result.ranks.back().communicator_origins = communicator_origins(trace);
    result.ranks.back().operations_device = static_cast<uint8_t>(result.ranks.size() - 1);
  }
  result.is_replayed = std::any_of(result.ranks.begin(), result.ranks.end(),
                                   [](const RankTimeline& rank) { return rank.is_timed() && !rank.steps.empty(); });
  if (trace.devices.empty()) result.skipped.push_back(file + ": holds no host call and no device work, skipped");
}

void add_operations(const ProcessTrace& trace, const PhaseRules& rules, const LoadChoice& choice,
                    const Retiming* retiming, ReducedLog& result) {
  const bool keeps_places = choice.keeps_places || !trace.device_times.empty();
  const auto operations = std::make_shared<ProcessOperations>(process_operations(trace, rules, keeps_places));
  if (retiming != nullptr) operations->lags = retiming->lags;
  for (RankTimeline& rank : result.ranks) rank.operations = operations;
}

void add_words_on(const std::string& file, const ProcessTrace& trace, ReducedLog& result) {
  if (std::string line = describe_damage(file, trace); !line.empty()) result.damaged.push_back(line);
  if (std::string line = describe_impossible(file, trace.quality); !line.empty()) result.time_notes.push_back(line);
  for (const MovedDevice& moved : trace.quality.moved_devices) result.time_notes.push_back(describe_move(file, moved));
}

bool is_operation_trace(const ProcessTrace& trace) { return !trace.operations.is_empty() && trace.devices.empty(); }

class RankLoader {
 public:
  RankLoader(const LogSource& source, const PhaseRules& rules, const LoadChoice& choice)
      : source_(source), rules_(rules), choice_(choice) {}

  ProcessResult load(const std::string& file) {
    const TimelineEntry* const entry = source_.timelines_of(file);
    if (entry == nullptr) return load_log(file);
    // Timelines are of all steps, with the shipped rules, and of the events as they were recorded.
    const bool needs_log = choice_.steps || choice_.has_own_rules || choice_.retimings != nullptr;
    if (!needs_log) return load_timelines(file, *entry);
    if (source_.is_reachable(file)) return load_log(file);
    ProcessResult result;
    result.skipped.push_back(file +
                             ": is needed itself for chosen steps, own rules of phases and corrected times, and" +
                             source_.why_not_reachable(file) + "; skipped");
    return result;
  }

 private:
  ProcessResult load_log(const std::string& file) {
    ProcessResult result;
    ProcessTrace trace;
    if (const Status status = read_trace(file, choice_.progress, trace); !status.is_ok()) {
      result.skipped.push_back(status.message());
      return result;
    }
    add_words_on(file, trace, result);
    if (is_operation_trace(trace)) {
      result.operations = {file, trace.attributes["source"], std::move(trace.operations), std::move(trace.quality)};
      return result;
    }
    complete_trace(trace, rules_, symbols_);
    const Retiming* const retiming = retiming_of(file, choice_.retimings);
    if (retiming != nullptr) retime(*retiming, trace);
    add_timelines(file, rules_, choice_.steps, choice_.has_paths, trace, result);
    if (has_operations(result)) add_operations(trace, rules_, choice_, retiming, result);
    return result;
  }

  // Untimed ranks are replayed only to learn how long their hosts take.
  bool has_operations(const ReducedLog& result) const {
    return result.is_replayed || (choice_.keeps_places && !result.ranks.empty());
  }

  ProcessResult load_timelines(const std::string& file, const TimelineEntry& entry) {
    ProcessResult result;
    const bool is_log_there = source_.is_reachable(file);
    if (const Status status = read_timelines(entry, result); !status.is_ok()) {
      if (is_log_there) return load_log(file);
      result = {};
      result.skipped.push_back(status.message());
      return result;
    }
    for (RankTimeline& rank : result.ranks) rank.file = file;
    if (!has_operations(result)) return result;
    ProcessTrace trace;
    const Status status = is_log_there ? read_trace(file, choice_.progress, trace) : Status::error({});
    if (status.is_ok() && trace.devices.size() == result.ranks.size()) {
      complete_trace(trace, rules_, symbols_);
      add_operations(trace, rules_, choice_, nullptr, result);
    } else {
      for (RankTimeline& rank : result.ranks)
        rank.not_replayed_because = "a replay needs the logs themselves, not only timelines, and " + file +
                                    (is_log_there ? " cannot be read" : source_.why_not_reachable(file));
    }
    return result;
  }

  const LogSource& source_;
  const PhaseRules& rules_;
  const LoadChoice& choice_;
  NativeSymbols symbols_;
};

}  // namespace

Status reduce_log(const std::string& file, const PhaseRules& rules, NativeSymbols& symbols, Progress* progress,
                  ReducedLog& reduced) {
  ProcessTrace trace;
  if (const Status status = read_trace(file, progress, trace); !status.is_ok()) return status;
  if (is_operation_trace(trace))
    return Status::error(file + ": an operation trace, which has no timelines; analyse it");
  add_words_on(file, trace, reduced);
  complete_trace(trace, rules, symbols);
  add_timelines(file, rules, std::nullopt, true, trace, reduced);
  return Status::ok();
}

LoadedRanks load_ranks(const std::vector<std::string>& files, const LogSource& source, const PhaseRules& rules,
                       const LoadChoice& choice) {
  RankLoader loader(source, rules, choice);
  std::vector<ProcessResult> results(files.size());
  const auto load = [&](size_t file) {
    try {
      results[file] = loader.load(files[file]);
    } catch (const std::exception& error) {
      results[file].skipped.push_back(files[file] + ": cannot be analysed (" + error.what() + "), skipped");
    }
  };
  for_each_log(files, kAsManyAsFit, load, choice.progress);
  if (choice.progress) choice.progress->start("comparing ranks");
  LoadedRanks loaded;
  for (ProcessResult& result : results) {
    if (!result.ranks.empty())
      for (const UnmetWish& wish : result.unmet_wishes) ++loaded.unmet_wishes[wish];
    std::move(result.ranks.begin(), result.ranks.end(), std::back_inserter(loaded.ranks));
    if (result.operations) loaded.operations.push_back(std::move(*result.operations));
    std::move(result.skipped.begin(), result.skipped.end(), std::back_inserter(loaded.skipped));
    std::move(result.time_notes.begin(), result.time_notes.end(), std::back_inserter(loaded.damaged));
    std::move(result.damaged.begin(), result.damaged.end(), std::back_inserter(loaded.damaged));
  }
  return loaded;
}

}  // namespace tauprof
