// A digest of a report in about 40 lines of JSON, for scripts and assistants: what the first screen says, as values.
// Each line is a key, so that a reader of lines finds its way, too.
#pragma once

#include <string>

#include "report/report.h"

namespace tauprof {

std::string brief_json(const Report& report);

}  // namespace tauprof
