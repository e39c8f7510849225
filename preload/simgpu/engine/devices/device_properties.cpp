// Device properties from the profile, and single attributes from the properties.
#include "simgpu/engine/device_properties.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "simgpu/engine/device.h"

namespace simgpu {
namespace {

bool is_hopper_or_later() { return device_profile().major >= 9; }

void set_identity(cudaDeviceProp* p, int device) {
  const DeviceProfile& profile = device_profile();
  std::snprintf(p->name, sizeof p->name, "%s", profile.name);
  const int physical = physical_device(device);
  const auto uuid = device_uuid(physical);
  std::memcpy(p->uuid.bytes, uuid.data(), uuid.size());
  p->major = profile.major;
  p->minor = profile.minor;
  p->multiProcessorCount = profile.sm_count;
  p->pciBusID = 0x10 + physical;
  p->hostNumaId = -1;
  p->deviceNumaId = -1;
}

void set_memory(cudaDeviceProp* p) {
  constexpr std::size_t kKilobyte = 1024;
  p->totalGlobalMem = device_profile().memory_bytes;
  p->sharedMemPerBlock = 48 * kKilobyte;
  p->sharedMemPerBlockOptin = (is_hopper_or_later() ? 227 : 163) * kKilobyte;
  p->sharedMemPerMultiprocessor = (is_hopper_or_later() ? 228 : 164) * kKilobyte;
  p->reservedSharedMemPerBlock = kKilobyte;
  p->totalConstMem = 64 * kKilobyte;
  p->memPitch = 0x7fffffff;
  p->l2CacheSize = (is_hopper_or_later() ? 50 : 40) << 20;
  p->persistingL2CacheMaxSize = p->l2CacheSize / 8 * 5;
  p->accessPolicyMaxWindowSize = 128 << 20;
  p->memoryBusWidth = is_hopper_or_later() ? 6144 : 5120;
  p->ECCEnabled = 1;
  p->memoryPoolsSupported = 1;
  p->managedMemory = p->concurrentManagedAccess = 1;
  p->unifiedAddressing = p->canMapHostMemory = p->canUseHostPointerForRegisteredMem = 1;
  p->hostRegisterSupported = 1;
}

void set_execution_limits(cudaDeviceProp* p) {
  p->warpSize = 32;
  p->regsPerBlock = p->regsPerMultiprocessor = 65536;
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsPerMultiProcessor = 2048;
  p->maxBlocksPerMultiProcessor = 32;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 0x7fffffff;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->concurrentKernels = p->streamPrioritiesSupported = p->computePreemptionSupported = 1;
  p->globalL1CacheSupported = p->localL1CacheSupported = 1;
  p->asyncEngineCount = 3;
  p->cooperativeLaunch = 1;
  p->clusterLaunch = is_hopper_or_later() ? 1 : 0;
}

cudaDeviceProp make_properties(int device) {
  cudaDeviceProp p;
  std::memset(&p, 0, sizeof p);
  set_identity(&p, device);
  set_memory(&p);
  set_execution_limits(&p);
  p.textureAlignment = p.surfaceAlignment = 512;
  p.texturePitchAlignment = 32;
  return p;
}

struct IntAttribute {
  cudaDeviceAttr attribute;
  int cudaDeviceProp::*value;
};

constexpr IntAttribute kIntAttributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, &cudaDeviceProp::maxThreadsPerBlock},
    {cudaDevAttrMaxRegistersPerBlock, &cudaDeviceProp::regsPerBlock},
    {cudaDevAttrWarpSize, &cudaDeviceProp::warpSize},
    {cudaDevAttrMultiProcessorCount, &cudaDeviceProp::multiProcessorCount},
    {cudaDevAttrIntegrated, &cudaDeviceProp::integrated},
    {cudaDevAttrCanMapHostMemory, &cudaDeviceProp::canMapHostMemory},
    {cudaDevAttrConcurrentKernels, &cudaDeviceProp::concurrentKernels},
    {cudaDevAttrEccEnabled, &cudaDeviceProp::ECCEnabled},
    {cudaDevAttrPciBusId, &cudaDeviceProp::pciBusID},
    {cudaDevAttrPciDeviceId, &cudaDeviceProp::pciDeviceID},
    {cudaDevAttrPciDomainId, &cudaDeviceProp::pciDomainID},
    {cudaDevAttrTccDriver, &cudaDeviceProp::tccDriver},
    {cudaDevAttrGlobalMemoryBusWidth, &cudaDeviceProp::memoryBusWidth},
    {cudaDevAttrL2CacheSize, &cudaDeviceProp::l2CacheSize},
    {cudaDevAttrMaxThreadsPerMultiProcessor, &cudaDeviceProp::maxThreadsPerMultiProcessor},
    {cudaDevAttrAsyncEngineCount, &cudaDeviceProp::asyncEngineCount},
    {cudaDevAttrUnifiedAddressing, &cudaDeviceProp::unifiedAddressing},
    {cudaDevAttrComputeCapabilityMajor, &cudaDeviceProp::major},
    {cudaDevAttrComputeCapabilityMinor, &cudaDeviceProp::minor},
    {cudaDevAttrStreamPrioritiesSupported, &cudaDeviceProp::streamPrioritiesSupported},
    {cudaDevAttrGlobalL1CacheSupported, &cudaDeviceProp::globalL1CacheSupported},
    {cudaDevAttrLocalL1CacheSupported, &cudaDeviceProp::localL1CacheSupported},
    {cudaDevAttrMaxRegistersPerMultiprocessor, &cudaDeviceProp::regsPerMultiprocessor},
    {cudaDevAttrManagedMemory, &cudaDeviceProp::managedMemory},
    {cudaDevAttrIsMultiGpuBoard, &cudaDeviceProp::isMultiGpuBoard},
    {cudaDevAttrMultiGpuBoardGroupID, &cudaDeviceProp::multiGpuBoardGroupID},
    {cudaDevAttrHostNativeAtomicSupported, &cudaDeviceProp::hostNativeAtomicSupported},
    {cudaDevAttrPageableMemoryAccess, &cudaDeviceProp::pageableMemoryAccess},
    {cudaDevAttrConcurrentManagedAccess, &cudaDeviceProp::concurrentManagedAccess},
    {cudaDevAttrComputePreemptionSupported, &cudaDeviceProp::computePreemptionSupported},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, &cudaDeviceProp::canUseHostPointerForRegisteredMem},
    {cudaDevAttrCooperativeLaunch, &cudaDeviceProp::cooperativeLaunch},
    {cudaDevAttrHostRegisterSupported, &cudaDeviceProp::hostRegisterSupported},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables, &cudaDeviceProp::pageableMemoryAccessUsesHostPageTables},
    {cudaDevAttrDirectManagedMemAccessFromHost, &cudaDeviceProp::directManagedMemAccessFromHost},
    {cudaDevAttrMaxBlocksPerMultiprocessor, &cudaDeviceProp::maxBlocksPerMultiProcessor},
    {cudaDevAttrMaxPersistingL2CacheSize, &cudaDeviceProp::persistingL2CacheMaxSize},
    {cudaDevAttrMaxAccessPolicyWindowSize, &cudaDeviceProp::accessPolicyMaxWindowSize},
    {cudaDevAttrMemoryPoolsSupported, &cudaDeviceProp::memoryPoolsSupported},
    {cudaDevAttrClusterLaunch, &cudaDeviceProp::clusterLaunch},
    {cudaDevAttrIpcEventSupport, &cudaDeviceProp::ipcEventSupported},
    {cudaDevAttrNumaId, &cudaDeviceProp::deviceNumaId},
    {cudaDevAttrHostNumaId, &cudaDeviceProp::hostNumaId},
};

// The attributes that are not an int in the properties.
long long computed_attribute(cudaDeviceAttr attribute, const cudaDeviceProp& p) {
  switch (attribute) {
    case cudaDevAttrMaxBlockDimX:
      return p.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY:
      return p.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ:
      return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX:
      return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY:
      return p.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ:
      return p.maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return static_cast<long long>(p.sharedMemPerBlock);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return static_cast<long long>(p.sharedMemPerBlockOptin);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return static_cast<long long>(p.sharedMemPerMultiprocessor);
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return static_cast<long long>(p.reservedSharedMemPerBlock);
    case cudaDevAttrTotalConstantMemory:
      return static_cast<long long>(p.totalConstMem);
    case cudaDevAttrMaxPitch:
      return static_cast<long long>(p.memPitch);
    case cudaDevAttrTextureAlignment:
      return static_cast<long long>(p.textureAlignment);
    case cudaDevAttrTexturePitchAlignment:
      return static_cast<long long>(p.texturePitchAlignment);
    case cudaDevAttrSurfaceAlignment:
      return static_cast<long long>(p.surfaceAlignment);
    case cudaDevAttrClockRate:
      return device_profile().sm_clock_mhz * 1000LL;
    case cudaDevAttrMemoryClockRate:
      return device_profile().memory_clock_mhz * 1000LL;
    case cudaDevAttrGpuOverlap:
      return 1;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      return 2;
    case cudaDevAttrMemoryPoolSupportedHandleTypes:
      return cudaMemHandleTypeNone;
    default:
      return 0;  // textures, surfaces and interoperation, which are not simulated
  }
}

}  // namespace

const cudaDeviceProp& device_properties(int device) {
  static const std::vector<cudaDeviceProp> all = [] {
    std::vector<cudaDeviceProp> properties;
    for (int i = 0; i < std::max(device_count(), 1); ++i) properties.push_back(make_properties(i));
    return properties;
  }();
  return all[static_cast<std::size_t>(device)];
}

std::optional<int> device_attribute(int attribute, int device) {
  if (attribute <= 0 || attribute >= cudaDevAttrMax) return std::nullopt;
  const auto wanted = static_cast<cudaDeviceAttr>(attribute);
  const cudaDeviceProp& properties = device_properties(device);
  const auto* const found = std::find_if(std::begin(kIntAttributes), std::end(kIntAttributes),
                                         [wanted](const IntAttribute& row) { return row.attribute == wanted; });
  return found != std::end(kIntAttributes) ? properties.*(found->value)
                                           : static_cast<int>(computed_attribute(wanted, properties));
}

}  // namespace simgpu
