// Files in the shared folder: torch-PID (PyTorch was imported), rank-… (the findings of a rank, until they are
// printed), result-safe-PID and result-unsafe-PID (a report was printed, with this result).
#include "cli/parameter_audit.h"

#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/installation.h"
#include "cli/run_options.h"

namespace tauprof {
namespace {

namespace fs = std::filesystem;

void put_in_front_of_python_path(const std::string& folder) {
  const std::string before = variable_or("PYTHONPATH", "");
  setenv("PYTHONPATH", (before.empty() ? folder : folder + ":" + before).c_str(), 1);
}

size_t count_files(const std::string& folder, const std::string& prefix) {
  size_t count = 0;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator(); entry.increment(error))
    count += entry->path().filename().string().compare(0, prefix.size(), prefix) == 0;
  return count;
}

}  // namespace

ParameterAudit::~ParameterAudit() {
  std::error_code error;
  if (!folder_.empty()) fs::remove_all(folder_, error);
}

bool ParameterAudit::prepare(bool shows_zero_gradients) {
  const std::string hook = find_in_library_folder("tauprof/python", "TAUPROF_PYTHON_HOOK");
  if (hook.empty()) return false;
  if (hook.find(':') != hook.npos) {
    spdlog::error("{}: PYTHONPATH cannot hold a folder with a colon in its path", hook);
    return false;
  }
  std::string folder = variable_or("TMPDIR", "/tmp") + "/tauprof-audit-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) {
    spdlog::error("{}: cannot make a folder for the audit: {}", folder, std::strerror(errno));
    return false;
  }
  folder_ = folder;
  setenv("TAUPROF_AUDIT_DIR", fs::absolute(folder_).c_str(), 1);
  if (shows_zero_gradients) setenv("TAUPROF_AUDIT_ZERO_GRADS", "1", 1);
  put_in_front_of_python_path(hook);
  return true;
}

ParameterAudit::Outcome ParameterAudit::conclude() const {
  if (count_files(folder_, "result-unsafe-") > 0) return Outcome::kUnsafe;
  if (count_files(folder_, "result-safe-") > 0) return Outcome::kSafe;
  if (count_files(folder_, "rank-") > 0) {
    spdlog::warn("no parameter audit: the job ended before the first rank had stepped or could print it");
  } else if (count_files(folder_, "torch-") > 0) {
    spdlog::warn("no parameter audit: PyTorch was imported, but no optimizer stepped");
  } else {
    spdlog::warn("no parameter audit: no Python imported PyTorch under it (python -E, -I and -S keep it out)");
  }
  return Outcome::kNone;
}

}  // namespace tauprof
