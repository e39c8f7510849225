#include "pipeline/log_source.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "read/fixed_text.h"
#include "read/log_reader.h"

namespace tauprof {
namespace {

namespace fs = std::filesystem;

struct FileState {
  uint64_t bytes = 0;
  Nanoseconds modified = 0;
  auto operator<=>(const FileState&) const = default;
};

FileState state_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {};
  return {static_cast<uint64_t>(status.st_size),
          static_cast<Nanoseconds>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec};
}

bool is_unchanged(const std::string& path, const LogFacts& facts) {
  return state_of(path) == FileState{facts.bytes, facts.modified};
}

std::string absolute(const std::string& path) {
  std::error_code error;
  const fs::path known = fs::weakly_canonical(path, error);
  return error ? path : known.string();
}

}  // namespace

LogFacts identity_of_log(const std::string& path, const std::string& given) {
  LogFacts facts;
  facts.path = path;
  facts.given = given;
  facts.absolute_path = absolute(path);
  const FileState state = state_of(path);
  facts.bytes = state.bytes;
  facts.modified = state.modified;
  std::unique_ptr<LogReader> reader;
  if (!LogReader::open(path, reader).is_ok()) return facts;
  facts.host = fixed_text(reader->header().host);
  facts.run_id = fixed_text(reader->header().run_id);
  facts.started = reader->header().start_realtime_ns;
  return facts;
}

void add_facts_of_log(LogFacts& facts) {
  const std::string& path = facts.path;
  const RunMembers members = members_of({path});
  facts.ranks.assign(members.ranks.begin(), members.ranks.end());
  facts.world_size = members.world_size;
  facts.is_bystander = tauprof::is_bystander(path);
  const LogActivity activity = activity_in(path);
  facts.events = activity.events;
  facts.active_from = activity.start;
  facts.active_until = activity.end;
}

Status LogSource::find(const OpenedInputs& inputs, LogDirectory& directory, std::vector<std::string>& notes) {
  std::vector<std::string> failures;
  for (const std::string& path : inputs.timelines())
    if (const Status status = add_timelines(path, notes); !status.is_ok()) failures.push_back(status.message());
  directory.unreadable += failures.size();
  if (!inputs.logs().empty())
    if (Status status = find_logs(inputs.logs(), directory); !status.is_ok() && found_.empty()) return status;
  // Without any log, the first failure is that of the command.
  const bool is_nothing = found_.empty() && inputs.logs().empty() && !failures.empty();
  notes.insert(notes.end(), failures.begin() + is_nothing, failures.end());
  if (is_nothing) return Status::error(failures.front());
  join(directory);
  return Status::ok();
}

Status LogSource::add_timelines(const std::string& path, std::vector<std::string>& notes) {
  HostTimelines timelines;
  if (Status status = open_timelines(path, timelines); !status.is_ok()) return status;
  if (!timelines.complaint.empty()) notes.push_back(timelines.complaint);
  for (TimelineEntry& entry : timelines.logs) found_.insert_or_assign(entry.facts.absolute_path, std::move(entry));
  return Status::ok();
}

// Logs that are there as well, unchanged, have timelines; the others are known by theirs alone.
void LogSource::join(LogDirectory& directory) {
  for (const LogRun& run : directory.runs)
    for (const std::string& file : run.files) {
      const auto found = found_.find(absolute(file));
      if (found == found_.end()) continue;
      if (is_unchanged(file, found->second.facts)) entries_[file] = std::move(found->second);
      found_.erase(found);
    }
  for (auto& [path, entry] : found_) {
    const LogFacts& facts = entry.facts;
    const std::string file = is_unchanged(facts.path, facts) || !is_unchanged(path, facts) ? facts.path : path;
    auto run = std::find_if(directory.runs.begin(), directory.runs.end(),
                            [&](const LogRun& one) { return one.id == facts.run_id; });
    if (run == directory.runs.end()) run = directory.runs.insert(run, LogRun{facts.run_id, facts.started, {}});
    run->started_ns = std::min(run->started_ns, facts.started);
    run->files.push_back(file);
    entries_[file] = std::move(entry);
  }
  found_.clear();
  for (LogRun& run : directory.runs) std::sort(run.files.begin(), run.files.end());
  sort_by_age(directory);
}

const TimelineEntry* LogSource::timelines_of(const std::string& file) const {
  const auto entry = entries_.find(file);
  return entry == entries_.end() ? nullptr : &entry->second;
}

bool LogSource::is_reachable(const std::string& file) const {
  const TimelineEntry* const entry = timelines_of(file);
  return entry != nullptr && is_unchanged(file, entry->facts);
}

std::string LogSource::why_not_reachable(const std::string& file) {
  return state_of(file) == FileState{} ? " is not there" : " has changed since its timelines were made";
}

bool LogSource::is_bystander(const std::string& file) const {
  const TimelineEntry* const entry = timelines_of(file);
  return entry != nullptr ? entry->facts.is_bystander : tauprof::is_bystander(file);
}

uint64_t LogSource::bytes(const std::string& file) const {
  const TimelineEntry* const entry = timelines_of(file);
  return entry != nullptr ? entry->facts.bytes : state_of(file).bytes;
}

LogActivity LogSource::activity(const std::string& file) const {
  const TimelineEntry* const entry = timelines_of(file);
  if (entry == nullptr) return activity_in(file);
  return {entry->facts.events, entry->facts.active_from, entry->facts.active_until};
}

RunMembers LogSource::members(const std::string& file) const {
  const TimelineEntry* const entry = timelines_of(file);
  if (entry == nullptr) return members_of({file});
  return {{entry->facts.ranks.begin(), entry->facts.ranks.end()}, entry->facts.world_size};
}

std::vector<std::string> LogSource::given_for(const std::vector<std::string>& files) const {
  std::vector<std::string> given;
  for (const std::string& file : files) {
    const TimelineEntry* const entry = timelines_of(file);
    if (entry == nullptr || !is_unchanged(entry->facts.path, entry->facts)) return {};
    if (std::find(given.begin(), given.end(), entry->facts.given) == given.end()) given.push_back(entry->facts.given);
  }
  return given;
}

}  // namespace tauprof
