#include "pipeline/load_ranks.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <mutex>
#include <thread>

#include "classify/span_classes.h"
#include "metrics/run/timeline_of_rank.h"
#include "phases/assign_phases.h"
#include "phases/host_time.h"
#include "read/load_process.h"
#include "replay/process_operations.h"
#include "steps/host_steps.h"
#include "symbols/native_symbols.h"

namespace tauprof {
namespace {

// Memory for a trace during its analysis, as a multiple of its log's size: some 230 bytes for an event that takes 5 on
// disk.
constexpr uint64_t kMemoryPerLogByte = 48;

struct ProcessResult {
  std::vector<RankTimeline> ranks;
  std::optional<OperationLog> operations;
  std::string skipped;  // why the whole file is skipped, or empty
  std::string damaged;  // what part of it is lost, or empty
};

std::string describe_damage(const std::string& file, const RecordingQuality& quality) {
  if (quality.damaged_regions > 0)
    return file + ": damaged in " + std::to_string(quality.damaged_regions) + " place(s), " +
           std::to_string(quality.lost_records) + " record(s) lost; the rest is analysed (tauprof check tells where)";
  if (quality.is_cut_short)
    return file +
           ": cut short; its process was killed or still runs, or the file was truncated; what is there is analysed";
  return {};
}

ProcessResult load_one(const std::string& file, const std::optional<StepRange>& steps, const PhaseRules& rules,
                       NativeSymbols& symbols) {
  ProcessResult result;
  ProcessTrace trace;
  if (const Status status = load_process(file, trace); !status.is_ok()) {
    result.skipped = status.message();
    return result;
  }
  result.damaged = describe_damage(file, trace.quality);
  if (!trace.operations.is_empty() && trace.devices.empty()) {
    result.operations = {file, trace.attributes["source"], std::move(trace.operations), std::move(trace.quality)};
    return result;
  }
  symbols.name_frames(trace);
  classify_spans(trace);
  find_host_steps(trace);
  assign_phases(trace, rules);
  const std::vector<PerPhase<Nanoseconds>> host_time = host_time_by_phase(trace, rules);
  for (const DeviceTrace& device : trace.devices)
    result.ranks.push_back(timeline_of_rank(trace, device, host_time, steps, rules));
  const bool is_timed = std::any_of(result.ranks.begin(), result.ranks.end(),
                                    [](const RankTimeline& rank) { return rank.is_timed() && !rank.steps.empty(); });
  if (is_timed) {
    const auto operations = std::make_shared<ProcessOperations>(process_operations(trace, rules));
    for (size_t device = 0; device < result.ranks.size(); ++device) {
      result.ranks[device].operations = operations;
      result.ranks[device].operations_device = static_cast<uint8_t>(device);
    }
  }
  if (trace.devices.empty()) result.skipped = file + ": holds no host call and no device work, skipped";
  return result;
}

class Loading {
 public:
  Loading(const std::vector<std::string>& files, const std::optional<StepRange>& steps, const PhaseRules& rules,
          const std::function<void(size_t, size_t)>& progress)
      : files_(files),
        steps_(steps),
        rules_(rules),
        progress_(progress),
        results_(files.size()),
        budget_(memory_budget()) {}

  LoadedRanks run() {
    const size_t workers = std::min<size_t>(files_.size(), std::max(1u, std::thread::hardware_concurrency()));
    std::vector<std::thread> threads;
    for (size_t i = 0; i < workers; ++i) threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads) thread.join();
    LoadedRanks loaded;
    for (ProcessResult& result : results_) {
      std::move(result.ranks.begin(), result.ranks.end(), std::back_inserter(loaded.ranks));
      if (result.operations) loaded.operations.push_back(std::move(*result.operations));
      if (!result.skipped.empty()) loaded.skipped.push_back(std::move(result.skipped));
      if (!result.damaged.empty()) loaded.damaged.push_back(std::move(result.damaged));
    }
    return loaded;
  }

 private:
  // Takes the next file once its trace fits beside those being read. A single trace always fits.
  bool take(size_t& file, uint64_t& memory) {
    std::unique_lock lock(mutex_);
    if (next_ == files_.size()) return false;
    file = next_++;
    std::error_code ignored;
    memory = kMemoryPerLogByte * static_cast<uint64_t>(std::filesystem::file_size(files_[file], ignored));
    fits_.wait(lock, [&] { return in_use_ == 0 || in_use_ + memory <= budget_; });
    in_use_ += memory;
    return true;
  }

  void work() {
    size_t file;
    uint64_t memory;
    while (take(file, memory)) {
      ProcessResult result;
      try {
        result = load_one(files_[file], steps_, rules_, symbols_);
      } catch (const std::exception& error) {
        result.skipped = files_[file] + ": cannot be analysed (" + error.what() + "), skipped";
      }
      const std::lock_guard lock(mutex_);
      results_[file] = std::move(result);
      in_use_ -= memory;
      fits_.notify_all();
      if (progress_) progress_(++done_, files_.size());
    }
  }

  const std::vector<std::string>& files_;
  const std::optional<StepRange>& steps_;
  const PhaseRules& rules_;
  const std::function<void(size_t, size_t)>& progress_;
  NativeSymbols symbols_;
  std::vector<ProcessResult> results_;
  std::mutex mutex_;
  std::condition_variable fits_;
  uint64_t budget_;
  uint64_t in_use_ = 0;
  size_t next_ = 0;
  size_t done_ = 0;
};

}  // namespace

uint64_t memory_budget() {
  const auto pages = static_cast<uint64_t>(std::max(1L, sysconf(_SC_PHYS_PAGES)));
  return pages * static_cast<uint64_t>(std::max(1L, sysconf(_SC_PAGESIZE))) / 2;
}

LoadedRanks load_ranks(const std::vector<std::string>& files, const std::optional<StepRange>& steps,
                       const PhaseRules& rules, const std::function<void(size_t, size_t)>& progress) {
  return Loading(files, steps, rules, progress).run();
}

}  // namespace tauprof
