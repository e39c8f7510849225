// Processes that used CUDA without taking part in the job, such as the parent of the ranks, or one that asked how much
// memory a device has.
#pragma once

#include <string>

namespace tauprof {

// Whether the process of the log is no rank and launched nothing. Stops reading at the first launch.
bool is_bystander(const std::string& path);

}  // namespace tauprof
