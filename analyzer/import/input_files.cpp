#include "import/input_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "log/format.h"

namespace tauprof {
namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with("."); }

bool is_trace_name(const std::string& path) { return path.ends_with(".json") || path.ends_with(".json.gz"); }

class Finder {
 public:
  explicit Finder(InputFiles& inputs) : inputs_(inputs) {}

  Status look_into(const fs::path& folder) {
    std::vector<fs::path> files, folders;
    std::error_code error;
    bool has_logs = false;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      if (is_hidden(entry->path())) continue;
      std::error_code ignored;
      if (entry->is_directory(ignored)) {
        if (!entry->is_symlink(ignored)) folders.push_back(entry->path());
        continue;
      }
      files.push_back(entry->path());
      has_logs |= entry->path().extension() == log::kFileSuffix;
    }
    if (error) return Status::error(folder.string() + ": cannot be listed: " + error.message());
    if (has_logs) inputs_.log_folders.push_back(folder.string());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files)
      if (!has_logs || file.extension() != log::kFileSuffix) look_at(file.string());
    std::sort(folders.begin(), folders.end());
    for (const fs::path& inner : folders)
      if (!look_into(inner).is_ok()) inputs_.others.push_back(inner.string());
    return Status::ok();
  }

  void look_at(const std::string& file) {
    const InputKind kind = input_kind(file);
    if (kind != InputKind::kJson && kind != InputKind::kOther && kind != InputKind::kUnreadable)
      inputs_.files.push_back({file, kind});
    else
      (is_trace_name(file) ? inputs_.doubtful : inputs_.others).push_back(file);
  }

 private:
  InputFiles& inputs_;
};

}  // namespace

std::vector<std::string> InputFiles::of(InputKind kind) const {
  std::vector<std::string> paths;
  for (const InputFile& file : files)
    if (file.kind == kind) paths.push_back(file.path);
  return paths;
}

bool holds_logs(const std::string& path) {
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
    if (!is_hidden(entry->path()) && entry->path().extension() == log::kFileSuffix) return true;
  return false;
}

Status find_inputs(const std::string& path, InputFiles& inputs) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return Status::error(path + ": no such file or directory");
  Finder finder(inputs);
  if (fs::is_directory(status)) return finder.look_into(path);
  finder.look_at(path);
  return Status::ok();
}

}  // namespace tauprof
