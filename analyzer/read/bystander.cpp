#include "read/bystander.h"

#include <algorithm>
#include <memory>
#include <set>

#include "limits/analysis_limits.h"
#include "read/call_class.h"
#include "read/log_reader.h"
#include "read/record_rows.h"

namespace tauprof {
namespace {

class Witness {
 public:
  // True once the log shows a rank, or a launch.
  bool sees_participation(const RecordBlock& block) {
    if (block.kind() == log::String::kKind) take_strings(block);
    for_rows_of<log::Gemm, log::Collective, log::Process, log::JobOperation, log::DeviceActivity, log::Call>(
        block, [this](const auto& row) { has_seen_ = has_seen_ || shows_participation(row); });
    return has_seen_;
  }

 private:
  bool shows_participation(const log::Gemm&) const { return true; }
  bool shows_participation(const log::Collective&) const { return true; }
  bool shows_participation(const log::JobOperation&) const { return true; }
  bool shows_participation(const log::Process& row) const { return row.rank >= 0; }
  bool shows_participation(const log::DeviceActivity& row) const {
    return row.activity != static_cast<int64_t>(log::ActivityKind::kSynchronization);
  }
  bool shows_participation(const log::Call& row) const { return launching_.count(row.function) != 0; }

  void take_strings(const RecordBlock& block) {
    const Column id = block.column(&log::String::id);
    for (uint32_t row = 0; row < block.records(); ++row)
      if (launches_work(call_class_of(block.text(row)))) launching_.insert(id[row]);
  }

  std::set<int64_t> launching_;  // ids of the names of functions that launch
  bool has_seen_ = false;
};

}  // namespace

bool is_bystander(const std::string& path) {
  std::unique_ptr<LogReader> reader;
  if (!LogReader::open(path, reader).is_ok()) return false;
  Witness witness;
  RecordBlock block;
  while (reader->next(block))
    if (witness.sees_participation(block)) return false;
  return true;
}

LogActivity activity_in(const std::string& path) {
  std::unique_ptr<LogReader> reader;
  if (!LogReader::open(path, reader).is_ok()) return {};
  const log::FileHeader& header = reader->header();
  LogActivity activity{0, header.start_realtime_ns, header.start_realtime_ns};
  int64_t last = header.start_time_ns;
  RecordBlock block;
  while (reader->next(block))
    for_rows_of<log::Call, log::DeviceActivity>(block, [&](const auto& row) {
      ++activity.events;
      last = std::max(last, row.start);
    });
  activity.end += last - header.start_time_ns;
  return activity;
}

bool is_helper_beside(const LogActivity& helper, const LogActivity& worker) {
  return helper.start != 0 && worker.start <= helper.start && helper.start <= worker.end &&
         static_cast<double>(helper.events) < kHelpersWork * static_cast<double>(worker.events);
}

}  // namespace tauprof
