#include "read/log_directory.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "log/format.h"
#include "read/fixed_text.h"
#include "read/log_reader.h"

namespace tauprof {
namespace {

namespace fs = std::filesystem;

class Finder {
 public:
  Finder(LogDirectory& directory, const std::set<std::string>* only) : directory_(directory), only_(only) {}

  Status look_into(const std::string& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) return Status::error(path + ": no such file or directory");
    if (!fs::is_directory(status)) {
      look_at(path, true);
      return Status::ok();
    }
    std::vector<fs::path> files;
    for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
      if (std::error_code ignored; !entry->is_directory(ignored)) files.push_back(entry->path());
    if (error) return Status::error(path + ": cannot be listed: " + error.message());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) look_at(file, false);
    return Status::ok();
  }

  Status finish(const std::string& path) {
    complain();
    for (auto& [id, run] : runs_) {
      std::sort(run.files.begin(), run.files.end());
      directory_.runs.push_back(std::move(run));
    }
    sort_by_age(directory_);
    if (!directory_.runs.empty()) return Status::ok();
    std::string message = path + ": no tauprof log that can be read";
    if (directory_.unreadable == 0)
      message += " (*.tauprof), nor a trace of another tool; give the directory that TAUPROF_DIR named, or traces";
    return Status::error(message);
  }

 private:
  // `is_named`: by the user, whatever its name.
  void look_at(const fs::path& file, bool is_named) {
    const std::string name = file.filename().string();
    if (only_ != nullptr && !is_named && only_->count(name) == 0) return;
    std::error_code ignored;
    if ((name.starts_with(".") && !is_named) || !seen_.insert(fs::weakly_canonical(file, ignored).string()).second)
      return;
    if (file.extension() == log::kTimelineSuffix && !is_named) return;
    if (file.extension() != log::kFileSuffix && !is_named) {
      foreign_.push_back(file.string());
      return;
    }
    std::unique_ptr<LogReader> reader;
    if (const Status status = LogReader::open(file.string(), reader); !status.is_ok()) {
      unreadable_.push_back(status.message());
      return;
    }
    const std::string id(fixed_text(reader->header().run_id));
    LogRun& run = runs_[id];
    const int64_t started = reader->header().start_realtime_ns;
    run.started_ns = run.files.empty() ? started : std::min(run.started_ns, started);
    run.id = id;
    run.files.push_back(file.string());
  }

  // Of many files, the first ones stand for all.
  void complain() {
    constexpr size_t kMostNamed = 5;
    directory_.foreign = foreign_.size();
    directory_.unreadable = unreadable_.size();
    if (foreign_.size() == 1) directory_.complaints.push_back(foreign_[0] + ": not a tauprof log, skipped");
    if (foreign_.size() > 1)
      directory_.complaints.push_back(foreign_[0] + " and " + std::to_string(foreign_.size() - 1) +
                                      (foreign_.size() == 2 ? " other file" : " other files") +
                                      ": not tauprof logs, skipped");
    for (size_t i = 0; i < std::min(kMostNamed, unreadable_.size()); ++i)
      directory_.complaints.push_back(unreadable_[i]);
    if (unreadable_.size() > kMostNamed)
      directory_.complaints.push_back("and " + std::to_string(unreadable_.size() - kMostNamed) +
                                      " more such files, skipped (tauprof check tells about each)");
  }

  LogDirectory& directory_;
  const std::set<std::string>* const only_;
  std::map<std::string, LogRun> runs_;
  std::set<std::string> seen_;           // by their true paths
  std::vector<std::string> foreign_;     // paths
  std::vector<std::string> unreadable_;  // a line each, with what to do
};

}  // namespace

void sort_by_age(LogDirectory& directory) {
  std::stable_sort(directory.runs.begin(), directory.runs.end(), [](const LogRun& a, const LogRun& b) {
    return std::pair(a.started_ns, a.files.size()) < std::pair(b.started_ns, b.files.size());
  });
}

Status find_logs(const std::vector<std::string>& paths, LogDirectory& directory, const std::set<std::string>* only) {
  Finder finder(directory, only);
  for (const std::string& path : paths)
    if (Status status = finder.look_into(path); !status.is_ok()) return status;
  return finder.finish(paths.front());
}

}  // namespace tauprof
