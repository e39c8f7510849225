#include "capture/device/device_facts.h"

#include <stdio.h>
#include <string.h>

#include "capture/loader/loaded_library.h"
#include "capture/rows/log_text.h"

namespace tauprof::capture {
namespace {

constexpr char kRuntime[] = "libcudart.so";

// The leading members of cudaDeviceProp, which have been the same since CUDA 10. The later members grow with each
// version, so there is plenty of room for them.
struct DeviceProperties {
  char name[256];
  unsigned char uuid[16];
  char luid[8];
  unsigned luid_node_mask;
  size_t memory_bytes;
  char later_members[8192];
};

// CUDA 12 exports its layout as _v2, and an older layout under the plain name.
bool read_properties(int device, DeviceProperties& properties) {
  using Get = int (*)(void*, int);
  auto get = reinterpret_cast<Get>(loaded_function(kRuntime, "cudaGetDeviceProperties_v2"));
  if (get == nullptr) get = reinterpret_cast<Get>(loaded_function(kRuntime, "cudaGetDeviceProperties"));
  memset(&properties, 0, sizeof properties);
  return get != nullptr && get(&properties, device) == 0;
}

int64_t attribute(int number, int device) {
  using Get = int (*)(int*, int, int);
  const auto get = reinterpret_cast<Get>(loaded_function(kRuntime, "cudaDeviceGetAttribute"));
  int value = 0;
  return get != nullptr && get(&value, number, device) == 0 ? value : 0;
}

// The runtime describes the instance, not the whole GPU, and says so in the name: "NVIDIA H100 80GB HBM3 MIG 1g.10gb".
bool is_mig_instance(const DeviceProperties& properties) {
  return memmem(properties.name, strnlen(properties.name, sizeof properties.name), " MIG ", 5) != nullptr;
}

// Writes the UUID as NVML does.
void format_uuid(DeviceUuid& formatted, const DeviceProperties& properties) {
  auto& text = formatted.text;
  const unsigned char(&uuid)[16] = properties.uuid;
  size_t size = static_cast<size_t>(snprintf(text, sizeof text, is_mig_instance(properties) ? "MIG-" : "GPU-"));
  for (int i = 0; i < 16; ++i) {
    const bool is_group_end = i == 3 || i == 5 || i == 7 || i == 9;
    size += static_cast<size_t>(snprintf(text + size, sizeof text - size, is_group_end ? "%02x-" : "%02x", uuid[i]));
  }
}

}  // namespace

bool write_device_facts(log::Writer& writer, int device, DeviceUuid& uuid) {
  constexpr int kMultiprocessors = 16, kComputeMajor = 75, kComputeMinor = 76;  // cudaDeviceAttr
  DeviceProperties properties;
  if (!read_properties(device, properties)) return false;
  log::Device row{};
  row.device = device;
  row.rank = -1;
  row.name = writer.intern(properties.name, strnlen(properties.name, sizeof properties.name));
  format_uuid(uuid, properties);
  row.uuid = intern(writer, uuid.text);
  row.sm_count = attribute(kMultiprocessors, device);
  row.memory_bytes = static_cast<int64_t>(properties.memory_bytes);
  row.compute_major = attribute(kComputeMajor, device);
  row.compute_minor = attribute(kComputeMinor, device);
  writer.append(row);
  return true;
}

}  // namespace tauprof::capture
