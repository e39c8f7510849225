// How fast a device can multiply, by its name: the table in device_peaks.def.
#pragma once

#include <optional>
#include <string_view>

#include "model/gemm_work.h"

namespace tauprof {

// In FLOP/s; 0: not known. nullopt: the table does not know the device.
std::optional<PerPrecision<double>> device_peaks(std::string_view device_name);

}  // namespace tauprof
