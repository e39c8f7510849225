// Logs of up to 1 MB that claim what would make a trusting reader work for minutes, each for another reason.
#pragma once

#include <string>
#include <vector>

#include "fuzz/log_set.h"

namespace tauprof {

struct HostileJob {
  std::string name;
  LogSet logs;
};

std::vector<HostileJob> hostile_jobs();

}  // namespace tauprof
