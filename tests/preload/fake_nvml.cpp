// An NVML that knows one GPU and one MIG instance on it. As NVIDIA's, it has no clocks for instances.
#include <cstring>

namespace {
enum { kSuccess = 0, kNotSupported = 3, kNotFound = 6 };
int g_gpu, g_instance;
}  // namespace

#define SHOWN __attribute__((visibility("default")))

extern "C" {
SHOWN int nvmlInit_v2() { return kSuccess; }
SHOWN int nvmlDeviceGetHandleByUUID(const char* uuid, void** device) {
  const bool is_gpu = std::strcmp(uuid, "GPU-aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa") == 0;
  const bool is_instance = std::strcmp(uuid, "MIG-10111213-1415-1617-1819-1a1b1c1d1e1f") == 0;
  *device = is_gpu ? &g_gpu : &g_instance;
  return is_gpu || is_instance ? kSuccess : kNotFound;
}
SHOWN int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(void* instance, void** device) {
  *device = &g_gpu;
  return instance == &g_instance ? kSuccess : kNotFound;
}
SHOWN int nvmlDeviceGetClockInfo(void* device, int, unsigned* mhz) {
  *mhz = 1755;
  return device == &g_gpu ? kSuccess : kNotSupported;
}
SHOWN int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* reasons) {
  *reasons = 0;
  return device == &g_gpu ? kSuccess : kNotSupported;
}
}
