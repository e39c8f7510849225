// How fast a device can multiply and send, by its name: the table in device_peaks.def.
#pragma once

#include <optional>
#include <string_view>

#include "model/gemm_work.h"

namespace tauprof {

// In FLOP/s; 0: not known. nullopt: the table does not know the device.
std::optional<PerPrecision<double>> device_peaks(std::string_view device_name);
// The same, 0 for what is not known; or what the user gave, whatever the device and the precision.
PerPrecision<double> peaks_of(std::string_view device_name, const std::optional<double>& given);
// The clock of its multiprocessors at which it reaches them.
std::optional<double> device_peak_clock_mhz(std::string_view device_name);
// Of its memory, in bytes per second.
std::optional<double> memory_bandwidth(std::string_view device_name);

// Its bandwidth to the other devices of its host, in GB/s.
std::optional<double> device_link_gb_per_s(std::string_view device_name);

}  // namespace tauprof
