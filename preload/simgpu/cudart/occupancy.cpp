// cudaOccupancy*: blocks per SM by threads, registers and shared memory, from the device's limits.
#include <algorithm>

#include "simgpu/cudart/runtime_call.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/device_properties.h"
#include "simgpu/engine/kernel.h"

namespace simgpu {
namespace {

constexpr std::size_t kSharedGranularity = 128;

cudaError_t check_block(const void* function, int block_size) {
  if (block_size <= 0 || block_size > device_properties(current_device()).maxThreadsPerBlock) {
    return cudaErrorInvalidValue;
  }
  return find_kernel(function) != nullptr ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

cudaError_t max_active_blocks(int* out, const void* function, int block_size, std::size_t shared_bytes) {
  if (out == nullptr) return cudaErrorInvalidValue;
  const cudaError_t error = check_block(function, block_size);
  if (error == cudaSuccess) *out = resident_blocks_per_sm(block_size, shared_bytes);
  return error;
}

struct ClusterShape {
  int blocks_per_cluster = 1;
  int threads_per_block = 0;
};

cudaError_t read_cluster(const void* function, const cudaLaunchConfig_t* config, ClusterShape* out) {
  if (config == nullptr || (config->attrs == nullptr && config->numAttrs > 0)) return cudaErrorInvalidValue;
  if (device_profile().major < 9) return cudaErrorNotSupported;
  out->threads_per_block = static_cast<int>(config->blockDim.x * config->blockDim.y * config->blockDim.z);
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const auto& value = config->attrs[i].val.clusterDim;
    if (config->attrs[i].id != cudaLaunchAttributeClusterDimension) continue;
    out->blocks_per_cluster = static_cast<int>(value.x * value.y * value.z);
  }
  if (out->blocks_per_cluster <= 0) return cudaErrorInvalidClusterSize;
  return check_block(function, out->threads_per_block);
}

}  // namespace

RUNTIME_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor, v6050,
             (int* numBlocks, const void* func, int blockSize, std::size_t dynamicSMemSize),
             (numBlocks, func, blockSize, dynamicSMemSize)) {
  return max_active_blocks(numBlocks, func, blockSize, dynamicSMemSize);
}

RUNTIME_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, v7000,
             (int* numBlocks, const void* func, int blockSize, std::size_t dynamicSMemSize, unsigned flags),
             (numBlocks, func, blockSize, dynamicSMemSize, flags)) {
  if (flags > cudaOccupancyDisableCachingOverride) return cudaErrorInvalidValue;
  return max_active_blocks(numBlocks, func, blockSize, dynamicSMemSize);
}

RUNTIME_CALL(cudaOccupancyAvailableDynamicSMemPerBlock, v10200,
             (std::size_t * dynamicSmemSize, const void* func, int numBlocks, int blockSize),
             (dynamicSmemSize, func, numBlocks, blockSize)) {
  if (dynamicSmemSize == nullptr || numBlocks <= 0) return cudaErrorInvalidValue;
  const cudaError_t error = check_block(func, blockSize);
  if (error != cudaSuccess) return error;
  const cudaDeviceProp& limits = device_properties(current_device());
  const std::size_t share = limits.sharedMemPerMultiprocessor / static_cast<std::size_t>(numBlocks);
  const std::size_t usable = share > kReservedSharedBytes ? share - kReservedSharedBytes : 0;
  *dynamicSmemSize = std::min(usable / kSharedGranularity * kSharedGranularity, limits.sharedMemPerBlockOptin);
  return cudaSuccess;
}

RUNTIME_CALL(cudaOccupancyMaxPotentialClusterSize, v11070,
             (int* clusterSize, const void* func, const cudaLaunchConfig_t* launchConfig),
             (clusterSize, func, launchConfig)) {
  ClusterShape shape;
  if (clusterSize == nullptr) return cudaErrorInvalidValue;
  const cudaError_t error = read_cluster(func, launchConfig, &shape);
  if (error != cudaSuccess) return error;
  *clusterSize = find_kernel(func)->allows_nonportable_clusters ? 16 : 8;
  return cudaSuccess;
}

RUNTIME_CALL(cudaOccupancyMaxActiveClusters, v11070,
             (int* numClusters, const void* func, const cudaLaunchConfig_t* launchConfig),
             (numClusters, func, launchConfig)) {
  ClusterShape shape;
  if (numClusters == nullptr) return cudaErrorInvalidValue;
  const cudaError_t error = read_cluster(func, launchConfig, &shape);
  if (error != cudaSuccess) return error;
  const int per_sm = resident_blocks_per_sm(shape.threads_per_block, launchConfig->dynamicSmemBytes);
  *numClusters = per_sm * device_profile().sm_count / shape.blocks_per_cluster;
  return cudaSuccess;
}

}  // namespace simgpu
