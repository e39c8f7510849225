// The description of a job beside its operation trace (meta.yaml): flat keys and values, such as "dp_size: 4".
#pragma once

#include <map>
#include <string>

#include "model/status.h"

namespace tauprof {

// Fails if the file cannot be read. Lines that are no key and value, such as nested ones, are left out.
Status read_job_description(const std::string& path, std::map<std::string, std::string>& job);

}  // namespace tauprof
