#include "import/nsys/import_nsys.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>

#include "import/finished_logs.h"
#include "import/input_files.h"
#include "import/log_place.h"
#include "import/nsys/database.h"
#include "import/nsys/event_tables.h"
#include "import/nsys/process_log.h"
#include "import/source_files.h"
#include "log/format.h"

namespace tauprof::nsys {
namespace {

// Of a file, which is of one host: no host has as many devices, nor so many processes for each.
constexpr size_t kMostProcesses = 256;

using kineto::FileJob;
using kineto::FileOutcome;

// A log whose rank the other files decide.
struct FinishedProcess {
  std::shared_ptr<Database> database;  // which the log refers to
  FileJob job;
  FileOutcome outcome;
  std::unique_ptr<ProcessLog> log;
  int64_t stated_rank = -1;  // by MPI
  bool is_alone = false;     // in its file
};

class FileImport {
 public:
  FileImport(const std::string& source, const std::string& folder, size_t number)
      : source_(source), folder_(folder), number_(number) {}

  // Adds the processes of the file, those of the first device first. What is wrong with the file: a line.
  void run(std::vector<FinishedProcess>& all, std::vector<std::string>& messages) {
    std::unique_ptr<Database> opened;
    if (Status status = Database::open(source_, opened); !status.is_ok()) {
      messages.push_back(source_ + ": " + status.message() + "; left out, export it again");
      return;
    }
    database_ = std::move(opened);
    std::set<int64_t> processes = processes_with_work(*database_);
    if (processes.size() > kMostProcesses) {
      messages.push_back(fmt::format("{}: {} processes with work of a device, more than a host has; {} are imported",
                                     source_, processes.size(), kMostProcesses));
      processes.erase(std::next(processes.begin(), kMostProcesses), processes.end());
    }
    if (processes.empty()) {
      messages.push_back(source_ + ": no work of a device; left out, record with nsys profile --trace=cuda,nvtx");
      return;
    }
    for (const int64_t process : processes)
      if (!open(process, messages)) return;
    const Status status = import_tables(*database_, [this](int64_t process) { return log_of(process); });
    if (!status.is_ok())
      messages.push_back(source_ + ": " + status.message() + "; what came before is imported, export it again");
    for (FinishedProcess& process : processes_) finish(process, !status.is_ok());
    const auto first_device = [](const FinishedProcess& process) {
      const std::set<int64_t>& devices = process.log->devices();
      return std::pair(devices.empty() ? INT64_MAX : *devices.begin(), process.log->process());
    };
    std::sort(processes_.begin(), processes_.end(),
              [&](const auto& a, const auto& b) { return first_device(a) < first_device(b); });
    std::move(processes_.begin(), processes_.end(), std::back_inserter(all));
  }

 private:
  bool open(int64_t process, std::vector<std::string>& messages) {
    FinishedProcess& added = processes_.emplace_back();
    added.database = database_;
    added.job.source = source_;
    added.job.log =
        fmt::format("{}/.{}.{}-{}-{}.partial", folder_, kineto::stem_of(source_), getpid(), number_, processes_.size());
    added.log = std::make_unique<ProcessLog>(*database_, process);
    if (added.log->open(added.job.log, host())) return true;
    messages.push_back(fmt::format("{}: the log cannot be created: {}; choose another directory with -o", source_,
                                   strerror(added.log->writer().error())));
    return false;
  }

  // Exports of old versions do not say whose device work is.
  ProcessLog* log_of(int64_t process) {
    for (FinishedProcess& one : processes_)
      if (one.log->process() == process || one.log->process() == 0) return one.log.get();
    return nullptr;
  }

  std::string host() const {
    Rows rows(*database_, "TARGET_INFO_SYSTEM_ENV", {"name", "value"});
    while (rows.next())
      if (rows.text(0) == "Hostname") return std::string(rows.text(1));
    return {};
  }

  // The time since 1970 at which the database's times are 0; 0: it does not say.
  int64_t session_start() const {
    Rows rows(*database_, "TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"});
    return rows.next() ? std::clamp<int64_t>(rows.integer(0), 0, INT64_MAX / 2) : 0;
  }

  int64_t rank_of_mpi(int64_t process) const {
    Rows rows(*database_, "MPI_RANKS", {"globalPid", "rank"});
    while (rows.next())
      if (process_of(rows.integer(0)) == process && !rows.is_null(1)) return rows.integer(1);
    return -1;
  }

  void finish(FinishedProcess& process, bool is_damaged) {
    ProcessLog& log = *process.log;
    log.write_facts();
    log.attribute("source", "nsys");
    log.attribute("source_file", source_);
    log.attribute(kSourceDigest, source_digest(source_));
    process.stated_rank = rank_of_mpi(log.process());
    process.is_alone = processes_.size() == 1;
    kineto::HeaderFacts& header = process.outcome.header;
    header.start_time_ns = log.first_ns();
    header.pid = static_cast<uint32_t>(process_id(log.process()));
    process.outcome.counts = log.counts();
    process.outcome.is_damaged = is_damaged || log.counts().dropped_events() > 0;
    const int64_t start = session_start();
    if (start == 0 || __builtin_add_overflow(start, log.first_ns(), &header.start_realtime_ns)) return;
    log::ClockAnchor anchor;
    anchor.clock = static_cast<int64_t>(log::Clock::kRealtime);
    anchor.value = start;
    log.writer().append(anchor);
  }

  const std::string& source_;
  const std::string& folder_;
  const size_t number_;
  std::shared_ptr<Database> database_;
  std::vector<FinishedProcess> processes_;
};

// The ranks that are stated or named, if all are; else the order of the processes.
void number_ranks(std::vector<FinishedProcess>& processes, std::vector<std::string>& messages) {
  size_t unknown = 0;
  for (FinishedProcess& process : processes) {
    int64_t& rank = process.outcome.rank;
    rank = process.stated_rank;
    if (rank < 0 && process.is_alone) rank = kineto::rank_in_name(process.job.source);
    unknown += rank < 0 ? 1 : 0;
  }
  if (unknown == 0) return;
  for (size_t i = 0; i < processes.size(); ++i) {
    processes[i].outcome.rank = static_cast<int64_t>(i);
    processes[i].log->attribute("rank_source", "file order");
  }
  if (processes.size() > 1)
    messages.push_back(fmt::format(
        "{}: {} say no rank; ranks 0 to {} are taken from the order of files and devices", processes.front().job.source,
        unknown == processes.size() ? "the processes" : "some processes", processes.size() - 1));
}

// nsys does not record how many ranks the job has. Files that are given together are taken for the whole job where
// their ranks are the first ones, without a gap: else it could not be told who waits for whom. 0: not known.
int64_t world_size(const std::vector<FinishedProcess>& processes, std::vector<std::string>& messages) {
  std::set<int64_t> ranks;
  for (const FinishedProcess& process : processes) ranks.insert(process.outcome.rank);
  const auto size = static_cast<int64_t>(ranks.size());
  if (ranks.empty() || *ranks.rbegin() != size - 1) return 0;
  if (size > 1)
    messages.push_back(fmt::format("{}: nsys does not say how many ranks the job had; taken for the {} that are here",
                                   processes.front().job.source, size));
  return size;
}

void close(FinishedProcess& process, int64_t world_size) {
  process.outcome.world_size = world_size;
  log::Process record;
  record.rank = process.outcome.rank;
  record.world_size = world_size;
  record.local_rank = -1;
  process.log->writer().append(record);
  process.outcome.is_imported = process.log->writer().close(process.log->last_ns(), "imported");
  if (process.outcome.is_imported) return;
  process.outcome.messages.push_back(
      fmt::format("{}: the log cannot be written: {}", process.job.source, strerror(process.log->writer().error())));
  unlink(process.job.log.c_str());
}

Status no_databases(const std::string& source, std::string_view why) {
  return Status::error(
      fmt::format("{}: {}; give what nsys export --type sqlite made, or a directory of it", source, why));
}

// The files among `given`, and the databases of nsys in its folders.
Status list_databases(const std::vector<std::string>& given, std::vector<std::string>& files) {
  for (const std::string& source : given) {
    InputFiles inputs;
    if (Status found = find_inputs(source, inputs); !found.is_ok()) return found;
    std::vector<std::string> databases = inputs.of(InputKind::kNsysDatabase);
    std::error_code ignored;
    if (databases.empty())
      return no_databases(source, std::filesystem::is_directory(source, ignored) ? "the directory holds no database"
                                                                                 : "is no database of nsys");
    std::sort(databases.begin(), databases.end());
    files.insert(files.end(), databases.begin(), databases.end());
  }
  return Status::ok();
}

uint64_t bytes_of(const std::string& file) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file, error);
  return error ? 0 : bytes;
}

}  // namespace

Status import_nsys(const std::vector<std::string>& given, const LogPlace& place, kineto::ImportSummary& summary) {
  std::vector<std::string> sources;
  if (Status status = list_databases(given, sources); !status.is_ok()) return status;
  if (Status status = refuse_known(place, sources); !status.is_ok()) return status;
  std::string folder;
  if (Status status = prepare(place, folder); !status.is_ok()) return status;
  uint64_t bytes = 0;
  for (const std::string& source : sources) bytes += bytes_of(source);
  if (place.progress) place.progress->start("importing", bytes);
  std::vector<FinishedProcess> processes;
  for (size_t i = 0; i < sources.size(); ++i) {
    const size_t before = processes.size();
    FileImport(sources[i], folder, i).run(processes, summary.messages);
    if (processes.size() == before) ++summary.failed_files;
    if (place.progress) place.progress->done += bytes_of(sources[i]);
  }
  number_ranks(processes, summary.messages);
  std::vector<FileJob> jobs;
  std::vector<FileOutcome> outcomes;
  const int64_t ranks = world_size(processes, summary.messages);
  for (FinishedProcess& process : processes) {
    close(process, ranks);
    jobs.push_back(std::move(process.job));
    outcomes.push_back(std::move(process.outcome));
  }
  finish_logs(jobs, outcomes, "nsys", place, summary);
  return Status::ok();
}

}  // namespace tauprof::nsys
