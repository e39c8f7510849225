#include "import/finished_logs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <string>

#include "import/header_patch.h"
#include "import/run_assignment.h"
#include "import/source_files.h"

namespace tauprof::kineto {
namespace {

std::vector<std::string> sources_of(const std::vector<FileJob>& jobs) {
  std::vector<std::string> sources;
  for (const FileJob& job : jobs) sources.push_back(job.source);
  return sources;
}

Status finish_log(const FileJob& job, FileOutcome& outcome, const std::string& run_id, const std::string& directory,
                  std::string& name) {
  outcome.header.run_id = run_id;
  const Status patched = patch_header(job.log, outcome.header);
  if (!patched.is_ok()) {
    unlink(job.log.c_str());
    return patched;
  }
  name = publish_log(job.log, directory, stem_of(job.source));
  if (!name.empty()) return Status::ok();
  return Status::error(
      fmt::format("{}: the log stays at {}: it cannot be renamed: {}", job.source, job.log, strerror(errno)));
}

}  // namespace

void finish_logs(const std::vector<FileJob>& jobs, std::vector<FileOutcome>& outcomes, std::string_view format,
                 const LogPlace& place, ImportSummary& summary) {
  const std::vector<int> runs = assign_runs(outcomes);
  const std::string id = import_id(place, format);
  const std::vector<std::string> names = names_of_runs(sources_of(jobs), runs);
  std::set<int64_t> ranks;
  for (size_t i = 0; i < jobs.size(); ++i) {
    summary.messages.insert(summary.messages.end(), outcomes[i].messages.begin(), outcomes[i].messages.end());
    std::string name;
    if (outcomes[i].is_imported) {
      const Status status = finish_log(jobs[i], outcomes[i], fmt::format("{}-{}", id, names[i]), place.directory, name);
      if (!status.is_ok()) summary.messages.push_back(status.message());
    }
    summary.failed_files += name.empty() ? 1 : 0;
    if (name.empty()) continue;
    summary.logs.push_back(name);
    summary.sources.push_back(jobs[i].source);
    summary.damaged_files += outcomes[i].is_damaged ? 1 : 0;
    summary.counts.add(outcomes[i].counts);
    summary.runs = std::max(summary.runs, static_cast<size_t>(runs[i]) + 1);
    ranks.insert(outcomes[i].rank);
  }
  summary.ranks = ranks.size();
  if (!place.is_private)  // else who reads the logs says it
    for (std::string& line : missing_ranks(outcomes, runs)) summary.messages.push_back(place.directory + ": " + line);
}

}  // namespace tauprof::kineto
