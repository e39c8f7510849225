#include "pipeline/reduce_logs.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "log/format.h"
#include "phases/phase_rules.h"
#include "pipeline/each_log.h"
#include "pipeline/load_ranks.h"
#include "pipeline/log_source.h"
#include "pipeline/opened_inputs.h"
#include "read/log_directory.h"
#include "symbols/native_symbols.h"
#include "timelines/host_timeline_writer.h"
#include "timelines/host_timelines.h"

namespace tauprof {
namespace {

namespace fs = std::filesystem;

// A log and where it was found.
struct Log {
  LogFacts facts;
  const TimelineEntry* known = nullptr;  // timelines of it, as it is now
};

std::string file_name_of(const std::string& host) {
  std::string name = host.empty() ? "unknown-host" : host;
  for (char& letter : name)
    if (letter == '/' || letter == '\0' || (letter == '.' && &letter == name.data())) letter = '_';
  return name + log::kTimelineSuffix;
}

// The timelines of one host's logs, written in the order of the logs, whatever order they are made in. The file has its
// name when it is complete; until then it is hidden, and what it holds is kept by the next call.
class HostFile {
 public:
  HostFile(std::string directory, std::string host) : directory_(std::move(directory)), host_(std::move(host)) {
    name_ = directory_ + "/" + file_name_of(host_);
    hidden_ = directory_ + "/." + file_name_of(host_) + ".part";
    old_hidden_ = hidden_ + ".old";
  }

  const std::string& name() const { return name_; }

  // What is there of earlier calls.
  void read_old() {
    std::error_code ignored;
    if (fs::exists(hidden_, ignored)) fs::rename(hidden_, old_hidden_, ignored);
    for (const std::string& file : {old_hidden_, name_}) {
      HostTimelines timelines;
      if (!fs::exists(file, ignored) || !open_timelines(file, timelines).is_ok()) continue;
      for (TimelineEntry& entry : timelines.logs) old_.push_back(std::move(entry));
    }
  }
  const TimelineEntry* find_old(const LogFacts& facts) const {
    const auto found = std::find_if(old_.begin(), old_.end(), [&](const TimelineEntry& entry) {
      return entry.facts.absolute_path == facts.absolute_path && entry.facts.bytes == facts.bytes &&
             entry.facts.modified == facts.modified && entry.facts.path == facts.path &&
             entry.facts.given == facts.given;
    });
    return found == old_.end() ? nullptr : &*found;
  }

  // The number of its logs, in order.
  size_t expect_one() { return expected_++; }

  // Null: nothing is kept of that log.
  Status add(size_t number, std::unique_ptr<EncodedLog> log) {
    const std::lock_guard lock(mutex_);
    waiting_[number] = std::move(log);
    for (auto next = waiting_.find(written_); next != waiting_.end(); next = waiting_.find(written_)) {
      if (next->second != nullptr && failure_.is_ok()) failure_ = write(*next->second);
      waiting_.erase(next);
      ++written_;
    }
    return failure_;
  }

  // Puts it in its place. Nothing is there of a host of which nothing is kept.
  Status finish() {
    std::error_code error;
    if (failure_.is_ok() && writer_) failure_ = writer_->finish();
    if (failure_.is_ok() && writer_) fs::rename(hidden_, name_, error);
    if (error) failure_ = Status::error(name_ + ": cannot be written: " + error.message());
    if (failure_.is_ok()) fs::remove(old_hidden_, error);
    return failure_;
  }
  bool is_written() const { return writer_.has_value(); }

 private:
  Status write(EncodedLog& log) {
    if (!writer_) {
      writer_.emplace();
      if (Status status = writer_->create(hidden_, host_); !status.is_ok()) return status;
    }
    return writer_->add(log);
  }

  const std::string directory_, host_;
  std::string name_, hidden_, old_hidden_;
  std::vector<TimelineEntry> old_;
  size_t expected_ = 0;
  std::mutex mutex_;
  std::map<size_t, std::unique_ptr<EncodedLog>> waiting_;
  size_t written_ = 0;
  std::optional<HostTimelineWriter> writer_;
  Status failure_ = Status::ok();
};

std::string given_for(const std::string& file, const std::vector<std::string>& paths) {
  for (const std::string& path : paths)
    if (file == path || file.starts_with(path.ends_with("/") ? path : path + "/")) return path;
  return file;
}

}  // namespace

Status reduce_logs(const std::vector<std::string>& paths, const std::optional<std::set<std::string>>& only,
                   const std::string& directory, Progress* progress, ReducedLogs& reduced,
                   std::vector<std::string>& notes) {
  OpenedInputs inputs;
  if (Status status = inputs.open(paths, progress, notes); !status.is_ok()) return status;
  if (inputs.logs().empty())
    return Status::error(paths.front() + ": holds timelines already; name the logs that more are to be made of");
  LogDirectory found;
  const Status searched = find_logs(inputs.logs(), found, only ? &*only : nullptr);
  notes.insert(notes.end(), found.complaints.begin(), found.complaints.end());
  if (!searched.is_ok()) return searched;
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return Status::error(directory + ": cannot be made: " + error.message());

  std::vector<std::string> files;
  for (const LogRun& run : found.runs) files.insert(files.end(), run.files.begin(), run.files.end());
  std::sort(files.begin(), files.end());
  std::map<std::string, std::unique_ptr<HostFile>> hosts;
  std::vector<std::pair<HostFile*, size_t>> places;
  std::vector<LogFacts> facts;
  for (const std::string& file : files) {
    facts.push_back(identity_of_log(file, given_for(file, inputs.logs())));
    std::unique_ptr<HostFile>& host = hosts[facts.back().host];
    if (host == nullptr) {
      host = std::make_unique<HostFile>(directory, facts.back().host);
      host->read_old();
    }
    places.emplace_back(host.get(), host->expect_one());
  }

  NativeSymbols symbols;
  std::mutex mutex;
  Status failure = Status::ok();
  const auto reduce = [&](size_t number) {
    auto& [host, place] = places[number];
    std::unique_ptr<EncodedLog> encoded;
    std::string complaint;
    bool is_kept = false;
    try {
      ReducedLog log;
      LogFacts its = facts[number];
      if (const TimelineEntry* const old = host->find_old(its); old != nullptr && read_timelines(*old, log).is_ok()) {
        its = old->facts;
        is_kept = true;
      } else {
        log = {};
        const Status status = reduce_log(files[number], PhaseRules::shipped(), symbols, progress, log);
        if (status.is_ok())
          add_facts_of_log(its);
        else
          complaint = status.message();
      }
      if (complaint.empty()) encoded = std::make_unique<EncodedLog>(encode_log(its, log));
    } catch (const std::exception& problem) {
      complaint = files[number] + ": cannot be analysed (" + problem.what() + "), skipped";
    }
    const bool is_made = encoded != nullptr;
    Status status = host->add(place, std::move(encoded));
    const std::lock_guard lock(mutex);
    ++(!is_made ? reduced.skipped : is_kept ? reduced.kept : reduced.made);
    if (!complaint.empty()) notes.push_back(complaint);
    if (!status.is_ok() && failure.is_ok()) failure = std::move(status);
  };
  for_each_log(files, kAsManyAsFit, reduce, progress);
  for (const auto& [name, host] : hosts) {
    if (Status status = host->finish(); !status.is_ok() && failure.is_ok()) failure = std::move(status);
    if (host->is_written()) reduced.files.push_back(host->name());
  }
  if (failure.is_ok() && reduced.files.empty())
    return Status::error(paths.front() + ": nothing of its logs can be used");
  return failure;
}

}  // namespace tauprof
