#include "read/log_directory.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "log/format.h"
#include "read/fixed_text.h"
#include "read/log_reader.h"

namespace tauprof {
namespace {

namespace fs = std::filesystem;

bool looks_like_kineto(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.ends_with(".json") || name.ends_with(".json.gz");
}

class Finder {
 public:
  explicit Finder(LogDirectory& directory) : directory_(directory) {}

  void look_at(const fs::path& file) {
    const std::string name = file.filename().string();
    if (name.starts_with(".")) return;
    if (file.extension() != log::kFileSuffix) {
      ++directory_.foreign;
      if (looks_like_kineto(file)) has_json_ = true;
      directory_.complaints.push_back(file.string() + ": not a tauprof log, skipped");
      return;
    }
    std::unique_ptr<LogReader> reader;
    if (const Status status = LogReader::open(file.string(), reader); !status.is_ok()) {
      ++directory_.unreadable;
      directory_.complaints.push_back(status.message());
      return;
    }
    const std::string id(fixed_text(reader->header().run_id));
    LogRun& run = runs_[id];
    const int64_t started = reader->header().start_realtime_ns;
    run.started_ns = run.files.empty() ? started : std::min(run.started_ns, started);
    run.id = id;
    run.files.push_back(file.string());
  }

  Status finish(const std::string& path) {
    for (auto& [id, run] : runs_) {
      std::sort(run.files.begin(), run.files.end());
      directory_.runs.push_back(std::move(run));
    }
    std::stable_sort(directory_.runs.begin(), directory_.runs.end(), [](const LogRun& a, const LogRun& b) {
      // Of runs that started at the same time (a trace that was imported twice), the one with more files is newer.
      return std::pair(a.started_ns, a.files.size()) < std::pair(b.started_ns, b.files.size());
    });
    if (!directory_.runs.empty()) return Status::ok();
    std::string message = path + ": no tauprof log that can be read";
    if (has_json_)
      message += "; for PyTorch profiler traces run `tauprof import kineto " + path + " -o LOGDIR` first";
    else if (directory_.unreadable == 0)
      message += " (*.tauprof); give the directory that TAUPROF_DIR named";
    return Status::error(message);
  }

 private:
  LogDirectory& directory_;
  std::map<std::string, LogRun> runs_;
  bool has_json_ = false;
};

}  // namespace

Status find_logs(const std::string& path, LogDirectory& directory) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return Status::error(path + ": no such file or directory");
  Finder finder(directory);
  if (!fs::is_directory(status)) {
    finder.look_at(path);
    return finder.finish(path);
  }
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
    if (std::error_code ignored; !entry->is_directory(ignored)) files.push_back(entry->path());
  if (error) return Status::error(path + ": cannot be listed: " + error.message());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) finder.look_at(file);
  return finder.finish(path);
}

}  // namespace tauprof
