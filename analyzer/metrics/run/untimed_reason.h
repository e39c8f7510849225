// Why a rank that launched work has no device times.
//
// If the recorder gave a reason, that is it. If it names a source of device times (CUPTI, CUDA events) from which
// nothing came, the log's gaps of device times say why, or else what it dropped.
#pragma once

#include <string>

#include "model/process_trace.h"

namespace tauprof {

// Empty: it is timed, or it launched nothing.
std::string untimed_reason(const ProcessTrace& trace, const DeviceTrace& device);

}  // namespace tauprof
