// Checks a launch and makes its operation.
#include "simgpu/engine/launch.h"

#include "simgpu/engine/cost_model.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/requests/kernel_effects.h"

namespace simgpu {
namespace {

constexpr std::uint64_t kMaxGridX = 0x7fffffff;
constexpr std::uint64_t kMaxGridYZ = 0xffff;
constexpr std::uint64_t kMaxBlockXY = 1024;
constexpr std::uint64_t kMaxBlockZ = 64;
constexpr std::uint64_t kMaxThreadsPerBlock = 1024;
constexpr std::uint64_t kMaxPortableCluster = 8;
constexpr std::uint64_t kMaxCluster = 16;

std::uint64_t volume(const dim3& shape) { return std::uint64_t{shape.x} * shape.y * shape.z; }

bool is_launchable(const dim3& grid, const dim3& block) {
  if (volume(grid) == 0 || volume(block) == 0) return false;
  if (grid.x > kMaxGridX || grid.y > kMaxGridYZ || grid.z > kMaxGridYZ) return false;
  if (block.x > kMaxBlockXY || block.y > kMaxBlockXY || block.z > kMaxBlockZ) return false;
  return volume(block) <= kMaxThreadsPerBlock;
}

cudaError_t check_cluster(const Launch& launch) {
  const dim3& cluster = launch.cluster;
  if (volume(cluster) == 1) return cudaSuccess;
  if (device_profile().major < 9) return cudaErrorNotSupported;
  const auto limit = launch.kernel->allows_nonportable_clusters ? kMaxCluster : kMaxPortableCluster;
  if (volume(cluster) == 0 || volume(cluster) > limit) return cudaErrorInvalidClusterSize;
  const bool divides =
      launch.grid.x % cluster.x == 0 && launch.grid.y % cluster.y == 0 && launch.grid.z % cluster.z == 0;
  return divides ? cudaSuccess : cudaErrorInvalidClusterSize;
}

// All blocks of a cooperative launch must be resident at once.
bool is_resident(const Launch& launch) {
  const int per_sm = resident_blocks_per_sm(static_cast<int>(volume(launch.block)), launch.shared_bytes);
  return volume(launch.grid) <= static_cast<std::uint64_t>(per_sm) * device_profile().sm_count;
}

cudaError_t check(const Launch& launch) {
  if (launch.kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  if (!is_launchable(launch.grid, launch.block)) return cudaErrorInvalidConfiguration;
  if (launch.shared_bytes > static_cast<std::size_t>(launch.kernel->max_dynamic_shared_bytes)) {
    return cudaErrorInvalidValue;
  }
  const cudaError_t error = check_cluster(launch);
  if (error != cudaSuccess) return error;
  return !launch.is_cooperative || is_resident(launch) ? cudaSuccess : cudaErrorCooperativeLaunchTooLarge;
}

}  // namespace

cudaError_t make_launch_request(const Launch& launch, OperationRequest* out) {
  const cudaError_t error = check(launch);
  if (error != cudaSuccess) return error;
  SpanDescription& span = out->span;
  span.kind = SpanKind::Kernel;
  span.name = launch.kernel->name;
  span.shape = {.grid = {launch.grid.x, launch.grid.y, launch.grid.z},
                .block = {launch.block.x, launch.block.y, launch.block.z},
                .dynamic_shared_bytes = static_cast<std::uint32_t>(launch.shared_bytes),
                .registers_per_thread = kRegistersPerThread};
  span.is_async = true;
  out->work = kernel_work(span.name, span.shape, launch.arguments);
  out->effect = fill_kernel_effect(span.name, launch.arguments);
  if (!out->effect) out->effect = size_kernel_effect(launch);
  return cudaSuccess;
}

cudaError_t submit_launch(const Launch& launch, cudaStream_t handle, DefaultStream meaning) {
  OperationRequest request;
  const cudaError_t error = make_launch_request(launch, &request);
  if (error != cudaSuccess) return error;
  const StreamRef stream = find_stream(handle, meaning);
  // A kernel runs on the current device, so a stream of another device is refused.
  if (stream == nullptr || stream_traits(*stream).device != current_device()) return cudaErrorInvalidResourceHandle;
  return submit(stream, std::move(request));
}

}  // namespace simgpu
