#include "cli/progress_line.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>
#include <system_error>

namespace tauprof {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kUntilFirst = std::chrono::seconds(1);
constexpr auto kBetween = std::chrono::milliseconds(200);
constexpr double kMegabyte = 1e6;
constexpr double kTellsTheRate = 0.01;  // of all bytes; the first of them come after what a start costs

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string in_words(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  return whole < 100 ? fmt::format("{} s", std::max(1L, whole)) : fmt::format("{} min", (whole + 30) / 60);
}

// "reading logs: 43 % of 120 MB, 55.1 MB/s, 2 s left"
std::string describe(const Progress& progress, double seconds) {
  const char* const stage = progress.stage;
  const auto total = static_cast<double>(progress.total_bytes);
  if (total == 0) return fmt::format("{}, {}", stage, in_words(seconds));
  const double done = std::min(total, static_cast<double>(progress.done) / static_cast<double>(progress.passes));
  std::string text = fmt::format("{}: {:.0f} % of {:.1f} MB", stage, 100 * done / total, total / kMegabyte);
  if (done < kTellsTheRate * total || seconds <= 0) return text;
  const double rate = done / seconds;
  return text + fmt::format(", {:.1f} MB/s, {} left", rate / kMegabyte, in_words((total - done) / rate));
}

void put(const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t written = write(STDERR_FILENO, text.data() + done, text.size() - done);
    if (written <= 0) return;
    done += static_cast<size_t>(written);
  }
}

}  // namespace

ProgressLine::ProgressLine() {
  if (isatty(STDERR_FILENO) == 0) return;
  // Signals are for the threads that know what to do with them.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  try {
    thread_ = std::thread([this] { show(); });
  } catch (const std::system_error&) {  // no thread can be had, so nothing is shown
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_done_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void ProgressLine::show() {
  std::unique_lock lock(mutex_);
  if (changed_.wait_for(lock, kUntilFirst, [this] { return is_done_; })) return;
  const char* stage = nullptr;
  Clock::time_point stage_start = Clock::now() - kUntilFirst;
  do {
    if (stage != nullptr && stage != progress_.stage.load()) stage_start = Clock::now();
    stage = progress_.stage;
    if (*stage != '\0') put("\r\033[K" + describe(progress_, seconds_since(stage_start)));
  } while (!changed_.wait_for(lock, kBetween, [this] { return is_done_; }));
  put("\r\033[K");
}

}  // namespace tauprof
