// ncclConfig_t grows at its end: a program that was compiled with an older header passes a shorter struct.
#include "simgpu/nccl/configuration.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "simgpu/nccl/debug_log.h"

namespace simgpu::nccl {
namespace {

constexpr unsigned kMagic = 0xcafebeef;

// NCCL_CONFIG_UNDEF_INT if the caller's struct ends before `offset`.
int field(const ncclConfig_t& config, std::size_t offset) {
  if (offset + sizeof(int) > config.size) return NCCL_CONFIG_UNDEF_INT;
  return *reinterpret_cast<const int*>(reinterpret_cast<const char*>(&config) + offset);
}

bool is_set(int value) { return value != NCCL_CONFIG_UNDEF_INT; }

bool is_flag(int value) { return !is_set(value) || value == 0 || value == 1; }

bool is_positive(int value) { return !is_set(value) || value > 0; }

int from_environment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text && *text ? std::atoi(text) : otherwise;
}

ncclResult_t check_values(const ncclConfig_t& config) {
  const int blocking = field(config, offsetof(ncclConfig_t, blocking));
  if (!is_flag(blocking)) return refuse(ncclInvalidArgument, "Invalid config blocking attribute value %d", blocking);
  const int cluster = field(config, offsetof(ncclConfig_t, cgaClusterSize));
  if (is_set(cluster) && cluster < 0) {
    return refuse(ncclInvalidArgument, "Invalid config cgaClusterSize attribute value %d", cluster);
  }
  const int least = field(config, offsetof(ncclConfig_t, minCTAs));
  const int most = field(config, offsetof(ncclConfig_t, maxCTAs));
  const bool is_crossed = is_set(least) && is_set(most) && least > most;
  if (!is_positive(least) || !is_positive(most) || is_crossed) {
    return refuse(ncclInvalidArgument, "Invalid config min/max channels attribute value %d/%d", least, most);
  }
  for (const std::size_t offset : {offsetof(ncclConfig_t, splitShare), offsetof(ncclConfig_t, collnetEnable),
                                   offsetof(ncclConfig_t, shrinkShare), offsetof(ncclConfig_t, nvlinkCentricSched)}) {
    const int value = field(config, offset);
    if (!is_flag(value)) return refuse(ncclInvalidArgument, "Invalid config attribute value %d", value);
  }
  return ncclSuccess;
}

}  // namespace

Configuration default_configuration() {
  Configuration configuration;
  configuration.is_blocking = from_environment("NCCL_COMM_BLOCKING", 1) != 0;
  configuration.least_channels = std::max(1, from_environment("NCCL_MIN_CTAS", configuration.least_channels));
  configuration.most_channels =
      std::max(configuration.least_channels, from_environment("NCCL_MAX_CTAS", configuration.most_channels));
  return configuration;
}

ncclResult_t read_configuration(const ncclConfig_t* given, const Configuration& inherited, Configuration* out) {
  *out = inherited;
  if (!given) return ncclSuccess;
  if (given->magic != kMagic) {
    return refuse(ncclInvalidArgument, "ncclConfig_t argument not initialized via NCCL_CONFIG_INITIALIZER");
  }
  const ncclResult_t checked = check_values(*given);
  if (checked != ncclSuccess) return checked;
  const int blocking = field(*given, offsetof(ncclConfig_t, blocking));
  const int least = field(*given, offsetof(ncclConfig_t, minCTAs));
  const int most = field(*given, offsetof(ncclConfig_t, maxCTAs));
  if (is_set(blocking)) out->is_blocking = blocking != 0;
  if (is_set(least)) out->least_channels = least;
  if (is_set(most)) out->most_channels = most;
  out->most_channels = std::max(out->most_channels, out->least_channels);
  return ncclSuccess;
}

}  // namespace simgpu::nccl
