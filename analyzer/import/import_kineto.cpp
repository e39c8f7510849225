#include "import/import_kineto.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <set>
#include <thread>

#include "import/file_import.h"
#include "import/run_assignment.h"
#include "import/source_files.h"
#include "log/format.h"

namespace tauprof::kineto {
namespace {

constexpr size_t kMaxParallelFiles = 16;
constexpr int kMaxNameTries = 100000;

Status make_directory(const std::string& directory) {
  for (size_t end = directory.find('/', 1);; end = directory.find('/', end + 1)) {
    const std::string part = directory.substr(0, end);
    if (mkdir(part.c_str(), 0700) != 0 && errno != EEXIST)
      return Status::error(
          fmt::format("{}: cannot be created: {}; choose another directory with -o", part, strerror(errno)));
    if (end == std::string::npos) break;
  }
  if (access(directory.c_str(), W_OK | X_OK) == 0) return Status::ok();
  return Status::error(
      fmt::format("{}: cannot be written to: {}; choose another directory with -o", directory, strerror(errno)));
}

std::vector<FileJob> jobs_for(const std::vector<std::string>& sources, const std::string& directory) {
  std::vector<FileJob> jobs;
  for (size_t i = 0; i < sources.size(); ++i) {
    FileJob job;
    job.source = sources[i];
    job.log = fmt::format("{}/.{}.{}-{}.partial", directory, stem_of(sources[i]), getpid(), i);
    job.rank_by_name = rank_in_name(sources[i]);
    job.rank_by_order = static_cast<int64_t>(i);
    jobs.push_back(std::move(job));
  }
  return jobs;
}

std::vector<FileOutcome> import_all(const std::vector<FileJob>& jobs) {
  std::vector<FileOutcome> outcomes(jobs.size());
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < jobs.size(); i = next++) outcomes[i] = import_file(jobs[i]);
  };
  const size_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> others;
  for (size_t i = 1; i < std::min({jobs.size(), cores, kMaxParallelFiles}); ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  return outcomes;
}

// Different for every import, so traces that are imported twice are two runs.
std::string import_id() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  return fmt::format("kineto-{:x}-{:x}", ns, getpid());
}

// Renames the finished log to a name that nothing else has, and returns the name; empty if that fails.
std::string publish(const std::string& log, const std::string& directory, const std::string& stem) {
  for (int number = 1; number < kMaxNameTries; ++number) {
    const std::string name =
        fmt::format("{}/{}{}{}", directory, stem, number > 1 ? fmt::format("-{}", number) : "", log::kFileSuffix);
    const int reserved = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (reserved < 0 && errno == EEXIST) continue;
    if (reserved < 0) return {};
    close(reserved);
    return rename(log.c_str(), name.c_str()) == 0 ? name : std::string();
  }
  return {};
}

Status finish_log(const FileJob& job, FileOutcome& outcome, const std::string& run_id, const std::string& directory,
                  std::string& name) {
  outcome.header.run_id = run_id;
  const Status patched = patch_header(job.log, outcome.header);
  if (!patched.is_ok()) {
    unlink(job.log.c_str());
    return patched;
  }
  name = publish(job.log, directory, stem_of(job.source));
  if (!name.empty()) return Status::ok();
  return Status::error(
      fmt::format("{}: the log stays at {}: it cannot be renamed: {}", job.source, job.log, strerror(errno)));
}

}  // namespace

Status import_kineto(const std::string& source, const std::string& directory, ImportSummary& summary) {
  std::vector<std::string> sources;
  if (Status status = list_sources(source, sources); !status.is_ok()) return status;
  if (Status status = make_directory(directory); !status.is_ok()) return status;
  const std::vector<FileJob> jobs = jobs_for(sources, directory);
  std::vector<FileOutcome> outcomes = import_all(jobs);
  const std::vector<int> runs = assign_runs(outcomes);
  const std::string id = import_id();
  std::set<int64_t> ranks;
  for (size_t i = 0; i < jobs.size(); ++i) {
    summary.messages.insert(summary.messages.end(), outcomes[i].messages.begin(), outcomes[i].messages.end());
    std::string name;
    if (outcomes[i].is_imported) {
      const Status status = finish_log(jobs[i], outcomes[i], fmt::format("{}-{}", id, runs[i] + 1), directory, name);
      if (!status.is_ok()) summary.messages.push_back(status.message());
    }
    summary.failed_files += name.empty() ? 1 : 0;
    if (name.empty()) continue;
    summary.logs.push_back(name);
    summary.counts.add(outcomes[i].counts);
    summary.runs = std::max(summary.runs, static_cast<size_t>(runs[i]) + 1);
    ranks.insert(outcomes[i].rank);
  }
  summary.ranks = ranks.size();
  for (std::string& line : missing_ranks(outcomes, runs)) summary.messages.push_back(source + ": " + line);
  return Status::ok();
}

}  // namespace tauprof::kineto
