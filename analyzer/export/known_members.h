// Which ranks are members of each communicator, as far as the run's logs tell.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "export/run_writer.h"

namespace tauprof {

// By the communicator's identity, in the order of its own ranks; only of those whose members all have a log.
std::map<uint64_t, std::vector<int32_t>> known_members(const RunView& run);

}  // namespace tauprof
