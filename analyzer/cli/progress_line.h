// A line on the terminal that says how far a command is, from its second second on; gone when the command is done.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "model/progress.h"

namespace tauprof {

class ProgressLine {
 public:
  // Shows nothing unless stderr is a terminal.
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Null if nothing is shown.
  Progress* progress() { return thread_.joinable() ? &progress_ : nullptr; }

 private:
  void show();

  Progress progress_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
  std::thread thread_;
};

// Returns the result of `work`, which is passed the progress to write to (null: none is shown).
template <class Work>
auto with_progress(Work&& work) {
  ProgressLine line;
  return work(line.progress());
}

}  // namespace tauprof
