#include "export/output_place.h"

#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "export/output_file.h"

namespace tauprof {
namespace {

namespace fs = std::filesystem;

Status cannot_write(const std::string& path, int error) {
  return Status::error(path + ": cannot be written: " + strerror(error));
}

// Symbolic links stay: what they name is replaced. (That of /dev/stdout may name a pipe, which has no path.)
fs::path target_of(const std::string& path) {
  std::error_code ignored;
  if (const fs::file_status status = fs::status(path, ignored);
      fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status))
    return path;
  fs::path target = fs::weakly_canonical(path, ignored);
  return target.empty() ? fs::path(path) : target;
}

// Those that would end the process: nohup, for one, has it ignore SIGHUP.
sigset_t ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction action = {};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler == SIG_DFL) sigaddset(&signals, signal);
  }
  return signals;
}

}  // namespace

struct OutputPlace::Shared {
  std::string path;    // as the user wrote it
  std::string target;  // the name that the hidden one becomes
  std::string folder;  // hidden, beside the target; the output itself, or what holds the file; empty: there is none
  std::string hidden;
  mode_t mode = 0;  // of the file that is replaced; 0: none is
  bool is_open = false;

  void remove() {
    if (!is_open) return;
    is_open = false;
    if (folder.empty()) return;
    std::error_code ignored;
    // The thread that writes may make another file meanwhile; without its directory it cannot.
    constexpr int kTries = 100;
    for (int i = 0; i < kTries && fs::exists(fs::symlink_status(folder, ignored)); ++i) fs::remove_all(folder, ignored);
  }
};

// All places that are open, for the one thread that waits for signals. The mutex guards the places, too.
struct OutputPlace::Open {
  std::mutex mutex;
  std::vector<std::shared_ptr<Shared>> places;
  bool waits = false;

  static Open& all() {
    static Open* const open = new Open;  // never destroyed: the thread outlives main
    return *open;
  }

  void forget(const std::shared_ptr<Shared>& place) {
    places.erase(std::remove(places.begin(), places.end(), place), places.end());
  }

  void wait_for_signals() {
    if (std::exchange(waits, true)) return;
    std::signal(SIGXFSZ, SIG_IGN);  // a file that is too large (ulimit -f) is a write that fails
    const sigset_t signals = ending_signals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    const auto wait = [this, signals] {
      int signal = 0;
      if (sigwait(&signals, &signal) != 0) return;
      mutex.lock();  // for good: nothing may be published any more
      for (const std::shared_ptr<Shared>& place : places) place->remove();
      std::signal(signal, SIG_DFL);
      raise(signal);
      pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    };
    try {
      std::thread(wait).detach();
    } catch (const std::system_error&) {  // no thread can be had: a signal ends the process, and leaves what is hidden
      pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    }
  }
};

OutputPlace::OutputPlace() : shared_(std::make_shared<Shared>()) {}

OutputPlace::~OutputPlace() {
  Open& open = Open::all();
  const std::lock_guard lock(open.mutex);
  shared_->remove();
  open.forget(shared_);
}

const std::string& OutputPlace::hidden() const { return shared_->hidden; }

Status OutputPlace::check(const std::string& path, OutputKind kind) {
  const fs::path target = target_of(path);
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  const bool is_there = fs::exists(status);
  if (is_there && kind == OutputKind::kDirectory) {
    if (!fs::is_directory(status))
      return Status::error(path + ": is there and no directory; this format writes a directory");
    if (!fs::is_empty(target, error))
      return Status::error(path + ": is there and not empty; name a directory that is not there");
  }
  if (is_there && kind == OutputKind::kText && fs::is_directory(status)) return cannot_write(path, EISDIR);
  if (is_there && kind == OutputKind::kFile && !fs::is_regular_file(status))
    return Status::error(path + ": is there and no regular file; this format writes a file");
  if (is_there && kind != OutputKind::kDirectory && access(target.c_str(), W_OK) != 0) return cannot_write(path, errno);
  if (is_there && kind == OutputKind::kText && !fs::is_regular_file(status)) return Status::ok();
  const fs::path parent = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(parent, error)) return cannot_write(path, fs::exists(parent, error) ? ENOTDIR : ENOENT);
  if (access(parent.c_str(), W_OK | X_OK) != 0) return cannot_write(path, errno);
  return Status::ok();
}

Status OutputPlace::open(const std::string& path, OutputKind kind) {
  if (Status status = check(path, kind); !status.is_ok()) return status;
  const fs::path target = target_of(path);
  shared_->path = path;
  shared_->target = target.string();
  struct stat known {};
  const bool is_there = stat(target.c_str(), &known) == 0;
  if (is_there && kind == OutputKind::kText && !S_ISREG(known.st_mode)) {
    shared_->hidden = shared_->target;
    return Status::ok();
  }
  if (is_there && kind != OutputKind::kDirectory) shared_->mode = known.st_mode & 07777;
  static std::atomic<int> number = 0;
  const fs::path folder = target.parent_path() / ("." + target.filename().string() + ".tauprof-" +
                                                  std::to_string(getpid()) + "-" + std::to_string(++number));
  shared_->folder = folder.string();
  shared_->hidden = kind == OutputKind::kDirectory ? folder.string() : (folder / target.filename()).string();
  Open& open = Open::all();
  open.wait_for_signals();
  const std::lock_guard lock(open.mutex);
  open.places.push_back(shared_);
  if (mkdir(shared_->folder.c_str(), 0777) != 0) return cannot_write(path, errno);
  shared_->is_open = true;
  return Status::ok();
}

Status OutputPlace::open_temporary() {
  const char* const chosen = getenv("TMPDIR");
  std::string folder = (fs::path(chosen != nullptr && *chosen != '\0' ? chosen : "/tmp") / "tauprof-XXXXXX").string();
  Open& open = Open::all();
  open.wait_for_signals();
  const std::lock_guard lock(open.mutex);
  if (mkdtemp(folder.data()) == nullptr) return cannot_write(folder, errno);
  shared_->path = shared_->folder = shared_->hidden = folder;
  shared_->is_open = true;
  open.places.push_back(shared_);
  return Status::ok();
}

Status OutputPlace::publish() {
  const std::lock_guard lock(Open::all().mutex);
  if (!shared_->is_open) return Status::ok();  // written as it is
  if (shared_->mode != 0 && chmod(shared_->hidden.c_str(), shared_->mode) != 0)
    return cannot_write(shared_->path, errno);
  if (std::rename(shared_->hidden.c_str(), shared_->target.c_str()) != 0) return cannot_write(shared_->path, errno);
  if (shared_->folder != shared_->hidden) shared_->remove();
  shared_->is_open = false;
  return Status::ok();
}

Status OutputPlace::write_text(const std::string& path, std::string_view text) {
  OutputPlace place;
  if (Status status = place.open(path, OutputKind::kText); !status.is_ok()) return status;
  OutputFile file;
  Status status = file.open(place.hidden());
  file.write(text);
  status = file.close();
  return status.is_ok() ? place.publish() : place.in_words(status);
}

Status OutputPlace::in_words(const Status& failure) const {
  std::string message = failure.message();
  if (const size_t at = message.find(shared_->hidden); at != std::string::npos)
    message.replace(at, shared_->hidden.size(), shared_->path);
  return Status::error(message);
}

}  // namespace tauprof
