// NVML for connections: all devices of a machine reach each other over NVLink, through a switch.
#include <cstring>

#include "simgpu/nvml/state.h"

using namespace simgpu;

namespace {

unsigned int link_count() { return device_profile().major >= 9 ? 18 : 12; }

template <typename Action>
nvmlReturn_t with_link(nvmlDevice_t device, unsigned int link, const void* out, Action action) {
  return with_device(device, out, [&](int) { return link < link_count() ? action() : NVML_ERROR_INVALID_ARGUMENT; });
}

template <typename Action>
nvmlReturn_t with_pair(nvmlDevice_t device, nvmlDevice_t other, const void* out, Action action) {
  return with_device(device, out, [&](int) { return physical_of(other) ? action() : NVML_ERROR_INVALID_ARGUMENT; });
}

}  // namespace

SIMGPU_API nvmlReturn_t nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned int link, nvmlEnableState_t* active) {
  return with_link(device, link, active, [&] {
    *active = NVML_FEATURE_ENABLED;
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetNvLinkCapability(nvmlDevice_t device, unsigned int link,
                                                      nvmlNvLinkCapability_t capability, unsigned int* result) {
  return with_link(device, link, result, [&] {
    if (capability >= NVML_NVLINK_CAP_COUNT) return NVML_ERROR_INVALID_ARGUMENT;
    *result = capability != NVML_NVLINK_CAP_SLI_BRIDGE;
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice_t device, unsigned int link,
                                                            nvmlIntNvLinkDeviceType_t* type) {
  return with_link(device, link, type, [&] {
    *type = NVML_NVLINK_DEVICE_TYPE_SWITCH;
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t device, nvmlDevice_t other,
                                                            nvmlGpuTopologyLevel_t* level) {
  return with_pair(device, other, level, [&] {
    *level = device == other ? NVML_TOPOLOGY_INTERNAL : NVML_TOPOLOGY_NODE;
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t device, nvmlDevice_t other, nvmlGpuP2PCapsIndex_t index,
                                               nvmlGpuP2PStatus_t* status) {
  return with_pair(device, other, status, [&] {
    if (index >= NVML_P2P_CAPS_INDEX_UNKNOWN) return NVML_ERROR_INVALID_ARGUMENT;
    *status = NVML_P2P_STATUS_OK;
    return NVML_SUCCESS;
  });
}

// A switch within the machine joins its devices, not a fabric across machines.
SIMGPU_API nvmlReturn_t nvmlDeviceGetGpuFabricInfoV(nvmlDevice_t device, nvmlGpuFabricInfoV_t* info) {
  return with_device(device, info, [&](int) {
    if (info->version != nvmlGpuFabricInfo_v2 && info->version != nvmlGpuFabricInfo_v3) {
      return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    }
    nvmlGpuFabricInfo_v2_t none{};  // the common start of both versions
    none.version = info->version;
    none.state = NVML_GPU_FABRIC_STATE_NOT_SUPPORTED;
    std::memcpy(info, &none, sizeof none);
    return NVML_SUCCESS;
  });
}
