#include "capture/device/device_facts.h"

#include <stdio.h>
#include <string.h>

#include "capture/loader/loaded_library.h"
#include "capture/rows/log_text.h"

namespace tauprof::capture {
namespace {

constexpr int kMultiprocessors = 16, kComputeMajor = 75,
              kComputeMinor = 76;  // of cudaDeviceAttr and CUdevice_attribute

struct Facts {
  char name[256];
  unsigned char uuid[16];
  size_t memory_bytes;
  int sm_count, compute_major, compute_minor;
};

template <class Function>
Function function_of(const char* library, const char* name) {
  return reinterpret_cast<Function>(loaded_function(library, name));
}

int attribute(int (*get)(int*, int, int), int number, int device) {
  int value = 0;
  return get != nullptr && get(&value, number, device) == 0 ? value : 0;
}

void read_attributes(int (*get)(int*, int, int), int device, Facts& facts) {
  facts.sm_count = attribute(get, kMultiprocessors, device);
  facts.compute_major = attribute(get, kComputeMajor, device);
  facts.compute_minor = attribute(get, kComputeMinor, device);
}

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
bool ask_runtime(int device, Facts& facts) {
  constexpr char kRuntime[] = "libcudart.so";
  using Get = int (*)(void*, int);
  auto get = function_of<Get>(kRuntime, "cudaGetDeviceProperties_v2");
  if (get == nullptr) get = function_of<Get>(kRuntime, "cudaGetDeviceProperties");
  DeviceProperties properties{};
  if (get == nullptr || get(&properties, device) != 0) return false;
  memcpy(facts.name, properties.name, sizeof facts.name);
  memcpy(facts.uuid, properties.uuid, sizeof facts.uuid);
  facts.memory_bytes = properties.memory_bytes;
  read_attributes(function_of<int (*)(int*, int, int)>(kRuntime, "cudaDeviceGetAttribute"), device, facts);
  return true;
}

// Of a process whose runtime is its own part, or that has none. The driver is up, and numbers devices as the runtime
// does.
bool ask_driver(int number, Facts& facts) {
  constexpr char kDriver[] = "libcuda.so";
  const auto device = function_of<int (*)(int*, int)>(kDriver, "cuDeviceGet");
  const auto name = function_of<int (*)(char*, int, int)>(kDriver, "cuDeviceGetName");
  const auto memory = function_of<int (*)(size_t*, int)>(kDriver, "cuDeviceTotalMem_v2");
  auto uuid = function_of<int (*)(unsigned char*, int)>(kDriver, "cuDeviceGetUuid_v2");
  if (uuid == nullptr) uuid = function_of<int (*)(unsigned char*, int)>(kDriver, "cuDeviceGetUuid");
  int handle = 0;
  if (device == nullptr || name == nullptr || uuid == nullptr || memory == nullptr || device(&handle, number) != 0 ||
      name(facts.name, sizeof facts.name, handle) != 0 || uuid(facts.uuid, handle) != 0 ||
      memory(&facts.memory_bytes, handle) != 0)
    return false;
  read_attributes(function_of<int (*)(int*, int, int)>(kDriver, "cuDeviceGetAttribute"), handle, facts);
  return true;
}

// Both describe the instance, not the whole GPU, and say so in the name: "NVIDIA H100 80GB HBM3 MIG 1g.10gb".
bool is_mig_instance(const Facts& facts) {
  return memmem(facts.name, strnlen(facts.name, sizeof facts.name), " MIG ", 5) != nullptr;
}

// Writes the UUID as NVML does.
void format_uuid(DeviceUuid& formatted, const Facts& facts) {
  auto& text = formatted.text;
  const unsigned char(&uuid)[16] = facts.uuid;
  size_t size = static_cast<size_t>(snprintf(text, sizeof text, is_mig_instance(facts) ? "MIG-" : "GPU-"));
  for (int i = 0; i < 16; ++i) {
    const bool is_group_end = i == 3 || i == 5 || i == 7 || i == 9;
    size += static_cast<size_t>(snprintf(text + size, sizeof text - size, is_group_end ? "%02x-" : "%02x", uuid[i]));
  }
}

}  // namespace

bool write_device_facts(log::Writer& writer, int device, DeviceUuid& uuid) {
  Facts facts{};
  if (!ask_runtime(device, facts) && !ask_driver(device, facts)) return false;
  log::Device row{};
  row.device = device;
  row.rank = -1;
  row.name = writer.intern(facts.name, strnlen(facts.name, sizeof facts.name));
  format_uuid(uuid, facts);
  row.uuid = intern(writer, uuid.text);
  row.sm_count = facts.sm_count;
  row.memory_bytes = static_cast<int64_t>(facts.memory_bytes);
  row.compute_major = facts.compute_major;
  row.compute_minor = facts.compute_minor;
  writer.append(row);
  return true;
}

}  // namespace tauprof::capture
