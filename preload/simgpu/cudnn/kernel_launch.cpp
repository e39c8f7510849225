#include "simgpu/cudnn/kernel_launch.h"

#include <cupti_runtime_cbid.h>
#include <generated_cuda_runtime_api_meta.h>

#include <algorithm>

#include "simgpu/engine/device.h"
#include "simgpu/engine/stream.h"

namespace simgpu::cudnn {
namespace {

constexpr int kStreamingBlock = 512;
constexpr int kProductBlock = 384;
constexpr std::int64_t kTile = 128;

std::int64_t divide_up(std::int64_t value, std::int64_t by) { return (value + by - 1) / by; }

}  // namespace

KernelPlan streaming_kernel(std::string name, std::int64_t elements, std::int64_t bytes) {
  KernelPlan plan;
  plan.name = std::move(name);
  const auto blocks = std::clamp<std::int64_t>(divide_up(elements, kStreamingBlock), 1, 1 << 30);
  plan.shape.grid[0] = static_cast<std::uint32_t>(blocks);
  plan.shape.block[0] = kStreamingBlock;
  // A kernel that only moves bytes takes as long as a memset of the same size.
  plan.work = memset_work(static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0)));
  plan.work.resource = Resource::Compute;
  plan.work.sm_share = std::clamp(static_cast<double>(blocks) / (4.0 * device_profile().sm_count), 0.01, 1.0);
  return plan;
}

KernelPlan product_kernel(std::string name, const GemmShape& product) {
  KernelPlan plan;
  plan.name = std::move(name);
  const std::int64_t tiles = divide_up(product.m, kTile) * divide_up(product.n, kTile) * product.batch;
  plan.shape.grid[0] = static_cast<std::uint32_t>(std::clamp<std::int64_t>(tiles, 1, 1 << 30));
  plan.shape.block[0] = kProductBlock;
  plan.shape.dynamic_shared_bytes = 96 * 1024;
  plan.work = gemm_work(product);
  return plan;
}

Status launch(const KernelPlan& plan, const Handle& handle) {
  static const ApiFunction function{"cudaLaunchKernelExC", ApiDomain::Runtime,
                                    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060};
  const StreamRef stream = find_stream(handle.stream);
  if (stream == nullptr || stream_traits(*stream).device != handle.device) {
    return fail(kExecutionFailed, "the handle's stream is not one of its device");
  }
  OperationRequest request;
  request.span.kind = SpanKind::Kernel;
  request.span.name = interned_name(plan.name.c_str());
  request.span.shape = plan.shape;
  request.span.is_async = true;
  request.work = plan.work;
  cudaLaunchConfig_t config{};
  config.gridDim = {plan.shape.grid[0], plan.shape.grid[1], plan.shape.grid[2]};
  config.blockDim = {plan.shape.block[0], plan.shape.block[1], plan.shape.block[2]};
  config.dynamicSmemBytes = plan.shape.dynamic_shared_bytes;
  config.stream = handle.stream;
  const cudaLaunchKernelExC_v11060_params parameters{&config, request.span.name, nullptr};
  ApiCall call(function, &parameters, request.span.name);
  return status_of(call.leave(submit(stream, std::move(request))));
}

}  // namespace simgpu::cudnn
