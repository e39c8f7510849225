// Processes that used CUDA without taking part in the job, such as the parent of the ranks, one that asked how much
// memory a device has, or one that was spawned to try a kernel.
#pragma once

#include <string>

namespace tauprof {

// Whether the process of the log is no rank and launched nothing. Stops reading at the first launch.
bool is_bystander(const std::string& path);

// Whether the process of `helper` started while that of `worker` ran, and launched hardly anything in comparison
// (kHelpersWork): it was spawned beside a job, and its log is no run of its own. Reads both logs.
bool is_helper_beside(const std::string& helper, const std::string& worker);

}  // namespace tauprof
