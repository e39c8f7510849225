// Processes that used CUDA without taking part in the job, such as the parent of the ranks, one that asked how much
// memory a device has, or one that was spawned to try a kernel.
#pragma once

#include <cstdint>
#include <string>

namespace tauprof {

// Whether the process of the log is no rank and launched nothing. Stops reading at the first launch.
bool is_bystander(const std::string& path);

// The number of calls and pieces of device work in a log, and its start and end by the wall clock.
struct LogActivity {
  uint64_t events = 0;
  int64_t start = 0;
  int64_t end = 0;
};

// Reads the log.
LogActivity activity_in(const std::string& path);

// Whether the process of `helper` started while that of `worker` ran, and launched hardly anything in comparison
// (kHelpersWork): it was spawned beside a job, and its log is no run of its own.
bool is_helper_beside(const LogActivity& helper, const LogActivity& worker);

}  // namespace tauprof
