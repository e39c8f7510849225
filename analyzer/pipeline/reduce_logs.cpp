#include "pipeline/reduce_logs.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "log/format.h"
#include "model/file_name.h"
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

Status make_directory(const std::string& directory, Reduction& reduction) {
  std::error_code error;
  fs::create_directories(directory, error);
  reduction.cannot_write = static_cast<bool>(error);
  return error ? Status::error(directory + ": cannot be made: " + error.message()) : Status::ok();
}

// As the recorder writes it into the headers of logs.
std::string own_host() {
  char host[sizeof(log::FileHeader::host)] = {};
  return gethostname(host, sizeof host - 1) == 0 ? host : "";
}

// By their names, which begin with the host's: a job's thousands of ranks may share a directory.
std::set<std::string> own_logs_in(const std::string& directory) {
  std::set<std::string> own;
  const std::string host = own_host();
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error))
    if (const std::string name = entry->path().filename().string();
        name.starts_with(host + "-") && entry->path().extension() == log::kFileSuffix &&
        identity_of_log(entry->path().string(), directory).host == host)
      own.insert(name);
  return own;
}

// A part of a host's file that a call has written and not finished, or is writing: then the call holds its lock.
class UnfinishedPart {
 public:
  explicit UnfinishedPart(std::string path)
      : path_(std::move(path)), descriptor_(open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~UnfinishedPart() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  UnfinishedPart(const UnfinishedPart&) = delete;
  UnfinishedPart& operator=(const UnfinishedPart&) = delete;

  bool lock() const { return descriptor_ >= 0 && flock(descriptor_, LOCK_EX | LOCK_NB) == 0; }
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
  const int descriptor_;
};

// The timelines of one host's logs, written in the order of the logs, whatever order they are made in. The file has its
// name when it is complete; until then it has a hidden one of this call's own. What calls have left that were killed is
// used, and goes when this one is complete.
class HostFile {
 public:
  HostFile(std::string directory, std::string host) : directory_(std::move(directory)), host_(std::move(host)) {
    name_ = directory_ + "/" + file_name_of(host_);
    hidden_ = directory_ + "/." + file_name_of(host_) + "." + std::to_string(getpid()) + std::string(kPart);
  }

  const std::string& name() const { return name_; }

  // Reads the timelines that earlier calls left.
  void read_old() {
    std::vector<std::string> files = {name_};
    std::error_code error;
    const std::string start = "." + file_name_of(host_) + ".";
    for (fs::directory_iterator entry(directory_, error), end; !error && entry != end; entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (!name.starts_with(start) || !name.ends_with(kPart)) continue;
      auto part = std::make_unique<UnfinishedPart>(entry->path().string());
      if (!part->lock()) continue;
      files.push_back(part->path());
      left_.push_back(std::move(part));
    }
    for (const std::string& file : files) {
      HostTimelines timelines;
      if (!fs::exists(file, error) || !open_timelines(file, timelines).is_ok()) continue;
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
    if (failure_.is_ok())
      for (const std::unique_ptr<UnfinishedPart>& part : left_) fs::remove(part->path(), error);
    return failure_;
  }
  bool is_written() const { return writer_.has_value(); }

 private:
  Status write(EncodedLog& log) {
    if (!writer_) {
      writer_.emplace();
      if (Status status = writer_->create(hidden_, host_); !status.is_ok()) return status;
      own_ = std::make_unique<UnfinishedPart>(hidden_);
      own_->lock();
    }
    return writer_->add(log);
  }

  const std::string directory_, host_;
  static constexpr std::string_view kPart = ".part";
  std::string name_, hidden_;
  std::vector<std::unique_ptr<UnfinishedPart>> left_;  // by killed calls
  std::unique_ptr<UnfinishedPart> own_;
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

void note_missing(const std::set<std::string>& wanted, const std::vector<std::string>& files,
                  std::vector<std::string>& notes) {
  std::set<std::string> missing = wanted;
  for (const std::string& file : files) missing.erase(std::string(file_name(file)));
  for (const std::string& name : missing)
    notes.push_back(name + ": was asked for, and is no log here that can be read");
}

}  // namespace

Status reduce_logs(const std::vector<std::string>& paths, const std::optional<std::set<std::string>>& only,
                   const std::string& directory, Progress* progress, Reduction& reduction,
                   std::vector<std::string>& notes) {
  OpenedInputs inputs;
  if (Status status = inputs.open(paths, progress, notes); !status.is_ok()) return status;
  if (inputs.has_imported())
    return Status::error(paths.front() + ": holds traces; tauprof import keeps their logs, which can be reduced");
  if (inputs.logs().empty())
    return Status::error(paths.front() + ": holds timelines already; name the logs that more are to be made of");
  LogDirectory found;
  const Status searched = find_logs(inputs.logs(), found, only ? &*only : nullptr);
  notes.insert(notes.end(), found.complaints.begin(), found.complaints.end());
  if (!searched.is_ok()) return searched;
  std::vector<std::string> files;
  for (const LogRun& run : found.runs) files.insert(files.end(), run.files.begin(), run.files.end());
  std::sort(files.begin(), files.end());
  if (only) note_missing(*only, files, notes);
  if (const Status made = make_directory(directory, reduction); !made.is_ok()) return made;

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
    ++(!is_made ? reduction.skipped : is_kept ? reduction.kept : reduction.made);
    if (!complaint.empty()) notes.push_back(complaint);
    if (!status.is_ok() && failure.is_ok()) failure = std::move(status);
  };
  for_each_log(files, kAsManyAsFit, reduce, progress);
  for (const auto& [name, host] : hosts) {
    if (Status status = host->finish(); !status.is_ok() && failure.is_ok()) failure = std::move(status);
    if (host->is_written()) reduction.files.push_back(host->name());
  }
  reduction.cannot_write = !failure.is_ok();
  if (failure.is_ok() && reduction.files.empty())
    return Status::error(paths.front() + ": nothing of its logs can be used");
  return failure;
}

Status reduce_own_logs(const std::string& logs, const std::string& directory, Reduction& reduction,
                       std::vector<std::string>& notes) {
  if (const Status made = make_directory(directory, reduction); !made.is_ok()) return made;
  // It stays: another call may hold it, or wait for it.
  const std::string lock = directory + "/." + file_name_of(own_host()) + ".lock";
  const int descriptor = open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0 || flock(descriptor, LOCK_EX) != 0)
    notes.push_back(lock +
                    ": cannot be locked, so ranks that end together may overwrite each other's timelines; repeat " +
                    "tauprof reduce " + logs + " -o " + directory + " when all have ended");
  const std::set<std::string> own = own_logs_in(logs);
  const Status status = own.empty() ? Status::ok() : reduce_logs({logs}, own, directory, nullptr, reduction, notes);
  if (descriptor >= 0) close(descriptor);
  return status;
}

}  // namespace tauprof
