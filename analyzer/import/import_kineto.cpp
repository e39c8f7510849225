#include "import/import_kineto.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <future>
#include <thread>

#include "import/file_import.h"
#include "import/finished_logs.h"
#include "import/log_place.h"
#include "import/source_files.h"

namespace tauprof::kineto {
namespace {

constexpr size_t kMaxParallelFiles = 16;

std::vector<FileJob> jobs_for(const std::vector<std::string>& sources, const std::string& folder, Progress* progress) {
  std::vector<FileJob> jobs;
  for (size_t i = 0; i < sources.size(); ++i) {
    FileJob job;
    job.source = sources[i];
    job.log = fmt::format("{}/.{}.{}-{}.partial", folder, stem_of(sources[i]), getpid(), i);
    if (progress) job.read_bytes = &progress->done;
    job.rank_by_name = rank_in_name(sources[i]);
    job.rank_by_order = static_cast<int64_t>(i);
    jobs.push_back(std::move(job));
  }
  return jobs;
}

uint64_t bytes_of(const std::vector<std::string>& files) {
  uint64_t sum = 0;
  for (const std::string& file : files) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(file, error);
    if (!error) sum += bytes;
  }
  return sum;
}

std::vector<FileOutcome> import_all(const std::vector<FileJob>& jobs) {
  std::vector<FileOutcome> outcomes(jobs.size());
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < jobs.size(); i = next++) outcomes[i] = import_file(jobs[i]);
  };
  const size_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::future<void>> others;  // where no thread can be had, they find nothing left to do
  for (size_t i = 1; i < std::min({jobs.size(), cores, kMaxParallelFiles}); ++i) others.push_back(std::async(work));
  work();
  for (std::future<void>& other : others) other.get();
  return outcomes;
}

}  // namespace

Status import_kineto(const std::vector<std::string>& given, const LogPlace& place, ImportSummary& summary) {
  std::vector<std::string> sources;
  if (Status status = list_sources(given, sources); !status.is_ok()) return status;
  if (Status status = refuse_known(place, sources); !status.is_ok()) return status;
  std::string folder;
  if (Status status = prepare(place, folder); !status.is_ok()) return status;
  if (place.progress) place.progress->start("importing", bytes_of(sources));
  const std::vector<FileJob> jobs = jobs_for(sources, folder, place.progress);
  std::vector<FileOutcome> outcomes = import_all(jobs);
  finish_logs(jobs, outcomes, "kineto", place, summary);
  return Status::ok();
}

}  // namespace tauprof::kineto
