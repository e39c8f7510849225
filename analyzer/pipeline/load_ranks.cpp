#include "pipeline/load_ranks.h"

#include <algorithm>
#include <exception>
#include <iterator>

#include "metrics/run/timeline_of_rank.h"
#include "phases/host_time.h"
#include "pipeline/complete_trace.h"
#include "pipeline/each_log.h"
#include "read/load_process.h"
#include "read/united_identities.h"
#include "replay/process_operations.h"
#include "symbols/native_symbols.h"

namespace tauprof {
namespace {

struct ProcessResult {
  std::vector<RankTimeline> ranks;
  std::optional<OperationLog> operations;
  std::string skipped;                  // why the whole file is skipped, or empty
  std::string damaged;                  // its lost part, or empty
  std::vector<std::string> time_notes;  // on times that cannot be
  std::vector<UnmetWish> unmet_wishes;
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

ProcessResult load_one(const std::string& file, const PhaseRules& rules, const LoadChoice& choice,
                       NativeSymbols& symbols) {
  ProcessResult result;
  ProcessTrace trace;
  LoadOptions options;
  if (choice.progress) options.read_bytes = &choice.progress->done;
  if (const Status status = load_process(file, trace, options); !status.is_ok()) {
    result.skipped = status.message();
    return result;
  }
  result.damaged = describe_damage(file, trace);
  if (std::string line = describe_impossible(file, trace.quality); !line.empty()) result.time_notes.push_back(line);
  for (const MovedDevice& moved : trace.quality.moved_devices) result.time_notes.push_back(describe_move(file, moved));
  if (!trace.operations.is_empty() && trace.devices.empty()) {
    result.operations = {file, trace.attributes["source"], std::move(trace.operations), std::move(trace.quality)};
    return result;
  }
  complete_trace(trace, rules, symbols);
  const Retiming* const retiming = retiming_of(file, choice.retimings);
  if (retiming != nullptr) retime(*retiming, trace);
  result.unmet_wishes = unmet_wishes(trace);
  const std::vector<HostTimes> host_time = host_time_by_phase(trace, rules);
  for (const DeviceTrace& device : trace.devices) {
    result.ranks.push_back(timeline_of_rank(trace, device, host_time, choice.steps, rules));
    result.ranks.back().communicator_origins = communicator_origins(trace);
  }
  const bool is_timed = std::any_of(result.ranks.begin(), result.ranks.end(),
                                    [](const RankTimeline& rank) { return rank.is_timed() && !rank.steps.empty(); });
  const bool keeps_places = choice.keeps_places || !trace.device_times.empty();
  if (is_timed || (choice.keeps_places && !trace.devices.empty())) {
    const auto operations = std::make_shared<ProcessOperations>(process_operations(trace, rules, keeps_places));
    if (retiming != nullptr) operations->lags = retiming->lags;
    for (size_t device = 0; device < result.ranks.size(); ++device) {
      result.ranks[device].operations = operations;
      result.ranks[device].operations_device = static_cast<uint8_t>(device);
    }
  }
  if (trace.devices.empty()) result.skipped = file + ": holds no host call and no device work, skipped";
  return result;
}

}  // namespace

LoadedRanks load_ranks(const std::vector<std::string>& files, const PhaseRules& rules, const LoadChoice& choice) {
  NativeSymbols symbols;
  std::vector<ProcessResult> results(files.size());
  const auto load = [&](size_t file) {
    try {
      results[file] = load_one(files[file], rules, choice, symbols);
    } catch (const std::exception& error) {
      results[file].skipped = files[file] + ": cannot be analysed (" + error.what() + "), skipped";
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
    if (!result.skipped.empty()) loaded.skipped.push_back(std::move(result.skipped));
    std::move(result.time_notes.begin(), result.time_notes.end(), std::back_inserter(loaded.damaged));
    if (!result.damaged.empty()) loaded.damaged.push_back(std::move(result.damaged));
  }
  return loaded;
}

}  // namespace tauprof
