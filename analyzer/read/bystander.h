// Processes that used CUDA and took no part in a job: one that asked for a device's memory, the parent of the ranks.
#pragma once

#include <string>

namespace tauprof {

// Whether the log is of a process that is no rank and launched nothing. Reads no further than to the first launch.
bool is_bystander(const std::string& path);

}  // namespace tauprof
