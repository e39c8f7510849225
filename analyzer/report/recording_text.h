// The first lines of the text report: what was run, where, and what was recorded of it.
#pragma once

#include <string>

#include "model/run_facts.h"

namespace tauprof {

std::string recording_text(const RunFacts& facts);

}  // namespace tauprof
