// A CUDA runtime on an instance of a divided GPU (MIG), as NVIDIA documents it: the name says so, the UUID and the
// number of multiprocessors are the instance's.
#include <cstddef>
#include <cstring>

#define SHOWN __attribute__((visibility("default")))

extern "C" {
SHOWN int cudaEventQuery(void*) { return 0; }
SHOWN int cudaGetDeviceProperties(char* properties, int) {
  constexpr std::size_t kUuidAt = 256, kMemoryAt = 288;
  constexpr std::size_t kMemoryBytes = std::size_t{10} << 30;
  std::strcpy(properties, "NVIDIA H100 80GB HBM3 MIG 1g.10gb");
  for (int i = 0; i < 16; ++i) properties[kUuidAt + static_cast<std::size_t>(i)] = static_cast<char>(0x10 + i);
  std::memcpy(properties + kMemoryAt, &kMemoryBytes, sizeof kMemoryBytes);
  return 0;
}
SHOWN int cudaDeviceGetAttribute(int* value, int attribute, int) {
  constexpr int kMultiprocessors = 16, kComputeMajor = 75;
  *value = attribute == kMultiprocessors ? 16 : attribute == kComputeMajor ? 9 : 0;
  return 0;
}
}
