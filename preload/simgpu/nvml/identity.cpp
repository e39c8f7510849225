// NVML for devices: their number, handles and identity.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <string>

#include "simgpu/nvml/state.h"

using namespace simgpu;

namespace {

std::string uuid_text(int physical) {
  const auto bytes = device_uuid(physical);
  std::string text = "GPU-";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x", bytes[i]);
    text += digits.data();
  }
  return text;
}

// The bus numbers are those of cudaDeviceProp::pciBusID.
nvmlPciInfo_t pci_info(int physical) {
  constexpr unsigned int kVendor = 0x10de, kFirstBus = 0x10;
  const unsigned int model = device_profile().major >= 9 ? 0x2335 : 0x20b2;
  nvmlPciInfo_t info{};
  info.bus = kFirstBus + static_cast<unsigned int>(physical);
  info.pciDeviceId = model << 16 | kVendor;
  info.pciSubSystemId = model << 16 | kVendor;
  std::snprintf(info.busId, sizeof info.busId, "%08X:%02X:%02X.0", info.domain, info.bus, info.device);
  std::snprintf(info.busIdLegacy, sizeof info.busIdLegacy, "%04X:%02X:%02X.0", info.domain, info.bus, info.device);
  return info;
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// As documented: "domain:bus:device.function", with or without the domain's leading zeros, or without the domain.
bool names_bus(const char* text, const nvmlPciInfo_t& info) {
  unsigned int domain = 0, bus = 0, device = 0;
  if (std::sscanf(text, "%x:%x:%x", &domain, &bus, &device) != 3) {
    domain = 0;
    if (std::sscanf(text, "%x:%x", &bus, &device) != 2) return false;
  }
  return domain == info.domain && bus == info.bus && device == info.device;
}

// The handle of the first device that `matches(physical index)`.
template <typename Matches>
nvmlReturn_t find_device(const void* key, nvmlDevice_t* out, Matches matches) {
  if (!is_nvml_initialized()) return NVML_ERROR_UNINITIALIZED;
  if (!key || !out) return NVML_ERROR_INVALID_ARGUMENT;
  for (int physical = 0; physical < physical_count(); ++physical) {
    if (!matches(physical)) continue;
    *out = handle_of(physical);
    return NVML_SUCCESS;
  }
  return NVML_ERROR_NOT_FOUND;
}

}  // namespace

SIMGPU_API nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* count) {
  if (!is_nvml_initialized()) return NVML_ERROR_UNINITIALIZED;
  if (!count) return NVML_ERROR_INVALID_ARGUMENT;
  *count = static_cast<unsigned int>(physical_count());
  return NVML_SUCCESS;
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetCount(unsigned int* count) { return nvmlDeviceGetCount_v2(count); }

SIMGPU_API nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device) {
  if (!is_nvml_initialized()) return NVML_ERROR_UNINITIALIZED;
  if (!device || index >= static_cast<unsigned int>(physical_count())) return NVML_ERROR_INVALID_ARGUMENT;
  *device = handle_of(static_cast<int>(index));
  return NVML_SUCCESS;
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t* device) {
  return nvmlDeviceGetHandleByIndex_v2(index, device);
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* device) {
  return find_device(uuid, device, [&](int physical) { return lower_case(uuid) == lower_case(uuid_text(physical)); });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, nvmlDevice_t* device) {
  return find_device(bus_id, device, [&](int physical) { return names_bus(bus_id, pci_info(physical)); });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char* bus_id, nvmlDevice_t* device) {
  return nvmlDeviceGetHandleByPciBusId_v2(bus_id, device);
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned int length) {
  return with_device(device, name, [&](int) { return give_text(device_profile().name, name, length); });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char* uuid, unsigned int length) {
  return with_device(device, uuid, [&](int physical) { return give_text(uuid_text(physical).c_str(), uuid, length); });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int* index) {
  return with_device(device, index, [&](int physical) {
    *index = static_cast<unsigned int>(physical);
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int* number) {
  return nvmlDeviceGetIndex(device, number);
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* info) {
  return with_device(device, info, [&](int physical) {
    *info = pci_info(physical);
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetPciInfo_v2(nvmlDevice_t device, nvmlPciInfo_t* info) {
  return nvmlDeviceGetPciInfo_v3(device, info);
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_t* info) {
  return nvmlDeviceGetPciInfo_v3(device, info);
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int* major, int* minor) {
  return with_device(device, major && minor ? major : nullptr, [&](int) {
    *major = device_profile().major;
    *minor = device_profile().minor;
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device, nvmlDeviceArchitecture_t* architecture) {
  return with_device(device, architecture, [&](int) {
    *architecture = device_profile().major >= 9 ? NVML_DEVICE_ARCH_HOPPER : NVML_DEVICE_ARCH_AMPERE;
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t device, nvmlBrandType_t* brand) {
  return with_device(device, brand, [&](int) {
    *brand = NVML_BRAND_NVIDIA;
    return NVML_SUCCESS;
  });
}
