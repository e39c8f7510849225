#include "pipeline/visit_traces.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <string>

#include "phases/host_time.h"
#include "pipeline/complete_trace.h"
#include "pipeline/each_log.h"
#include "read/load_process.h"
#include "symbols/native_symbols.h"

namespace tauprof {
namespace {

class Visit {
 public:
  Visit(const std::vector<RankTimeline>& ranks, const std::vector<uint32_t>& chosen, const SecondReading& reading,
        const TraceVisitor& visit)
      : ranks_(ranks), reading_(reading), visit_(visit) {
    for (const uint32_t rank : chosen) {
      const auto known = std::find(files_.begin(), files_.end(), ranks[rank].file);
      if (known == files_.end()) of_file_.emplace_back();
      of_file_[static_cast<size_t>(known - files_.begin())].push_back(rank);
      if (known == files_.end()) files_.push_back(ranks[rank].file);
    }
  }

  Status run() {
    const auto work = [this](size_t file) {
      if (has_failed()) return;
      try {
        note(visit_file(file));
      } catch (const std::exception& error) {
        note(unreadable(Status::error(files_[file] + ": cannot be read again (" + error.what() + ")")));
      }
    };
    for_each_log(files_, reading_.is_parallel ? kAsManyAsFit : 1, work, reading_.progress);
    return failure_;
  }

 private:
  Status unreadable(const Status& status) const { return reading_.skips_unreadable ? Status::ok() : status; }

  Status visit_file(size_t file) {
    ProcessTrace trace;
    LoadOptions options;
    options.keeps_order = reading_.keeps_order;
    if (reading_.progress) options.read_bytes = &reading_.progress->done;
    if (const Status status = load_process(files_[file], trace, options); !status.is_ok()) return unreadable(status);
    if (reading_.rules)
      complete_trace(trace, *reading_.rules, symbols_);
    else
      find_steps_of_trace(trace);
    if (const Retiming* const retiming = retiming_of(trace.file, reading_.retimings)) retime(*retiming, trace);
    if (reading_.rules && reading_.has_phase_slices) host_time_by_phase(trace, *reading_.rules, &trace.phase_slices);
    for (const uint32_t rank : of_file_[file])
      for (const DeviceTrace& device : trace.devices)
        if (device.device == ranks_[rank].device)
          if (Status status = visit_(rank, trace, device); !status.is_ok()) return status;
    return Status::ok();
  }

  bool has_failed() {
    const std::lock_guard lock(mutex_);
    return !failure_.is_ok();
  }

  void note(const Status& status) {
    const std::lock_guard lock(mutex_);
    if (failure_.is_ok()) failure_ = status;
  }

  const std::vector<RankTimeline>& ranks_;
  const SecondReading& reading_;
  const TraceVisitor& visit_;
  std::vector<std::string> files_;
  std::vector<std::vector<uint32_t>> of_file_;  // ranks, as files_
  NativeSymbols symbols_;
  std::mutex mutex_;
  Status failure_ = Status::ok();
};

}  // namespace

Status visit_traces(const std::vector<RankTimeline>& ranks, const std::vector<uint32_t>& chosen,
                    const SecondReading& reading, const TraceVisitor& visit) {
  return Visit(ranks, chosen, reading, visit).run();
}

}  // namespace tauprof
