// Profiles for https://www.speedscope.app: each rank's paths (model/call_path.h), once weighted with the time of the
// device work launched there, once with host time, over the analysed steps.
#pragma once

#include <memory>
#include <string>

#include "export/run_writer.h"

namespace tauprof {

std::unique_ptr<RunWriter> speedscope_writer(const std::string& path);

}  // namespace tauprof
