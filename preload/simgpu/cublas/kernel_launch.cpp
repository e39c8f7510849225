#include "simgpu/cublas/kernel_launch.h"

#include <cupti_runtime_cbid.h>
#include <generated_cuda_runtime_api_meta.h>

#include <algorithm>

#include "simgpu/engine/call.h"
#include "simgpu/engine/device.h"

namespace simgpu {
namespace {

constexpr int kStreamingBlock = 128;

const char* mangled_type(cudaDataType_t type) {
  switch (type) {
    case CUDA_R_64F:
      return "d";
    case CUDA_C_32F:
      return "6float2";
    case CUDA_C_64F:
      return "7double2";
    case CUDA_R_16F:
      return "6__half";
    case CUDA_R_16BF:
      return "13__nv_bfloat16";
    case CUDA_R_8I:
      return "a";
    default:
      return "f";
  }
}

OperationRequest request_for(const KernelPlan& plan, const char* name) {
  OperationRequest request;
  request.span.kind = SpanKind::Kernel;
  request.span.name = name;
  request.span.shape = plan.shape;
  request.span.is_async = true;
  request.work = plan.work;
  return request;
}

cudaError_t submit_plain(const KernelPlan& plan, const StreamRef& stream, cudaStream_t handle) {
  static const ApiFunction function{"cudaLaunchKernel", ApiDomain::Runtime,
                                    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000};
  const char* name = interned_name(plan.name.c_str());
  const auto& shape = plan.shape;
  const cudaLaunchKernel_v7000_params parameters{name,
                                                 {shape.grid[0], shape.grid[1], shape.grid[2]},
                                                 {shape.block[0], shape.block[1], shape.block[2]},
                                                 nullptr,
                                                 shape.dynamic_shared_bytes,
                                                 handle};
  ApiCall call(function, &parameters, name);
  return call.leave(submit(stream, request_for(plan, name)));
}

cudaError_t submit_with_cluster(const KernelPlan& plan, const StreamRef& stream, cudaStream_t handle) {
  static const ApiFunction function{"cudaLaunchKernelExC", ApiDomain::Runtime,
                                    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060};
  const char* name = interned_name(plan.name.c_str());
  const auto& shape = plan.shape;
  cudaLaunchConfig_t config{};
  config.gridDim = {shape.grid[0], shape.grid[1], shape.grid[2]};
  config.blockDim = {shape.block[0], shape.block[1], shape.block[2]};
  config.dynamicSmemBytes = shape.dynamic_shared_bytes;
  config.stream = handle;
  const cudaLaunchKernelExC_v11060_params parameters{&config, name, nullptr};
  ApiCall call(function, &parameters, name);
  return call.leave(submit(stream, request_for(plan, name)));
}

// Null if the stream is unknown or belongs to another device.
StreamRef stream_on(int device, cudaStream_t handle) {
  auto stream = find_stream(handle);
  return stream && stream_traits(*stream).device == device ? stream : nullptr;
}

}  // namespace

KernelPlan streaming_kernel(std::string name, std::int64_t elements, std::int64_t bytes) {
  KernelPlan plan;
  plan.name = std::move(name);
  const auto blocks = std::clamp<std::int64_t>((elements + kStreamingBlock - 1) / kStreamingBlock, 1, 1 << 30);
  plan.shape.grid[0] = static_cast<std::uint32_t>(blocks);
  plan.shape.block[0] = kStreamingBlock;
  plan.shape.registers_per_thread = 32;
  // A kernel that only moves bytes takes as long as a memset of the same size.
  plan.work = memset_work(static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0)));
  plan.work.resource = Resource::Compute;
  plan.work.sm_share = std::clamp(static_cast<double>(blocks) / (16.0 * device_profile().sm_count), 0.01, 1.0);
  return plan;
}

std::string template_kernel(const char* function, cudaDataType_t type) {
  const std::string name = function;
  return "_Z" + std::to_string(name.size()) + name + "I" + mangled_type(type) + "Li" + std::to_string(kStreamingBlock) +
         "EEv18cublasKernelParamsIT_E";
}

cublasStatus_t launch(const KernelPlan& plan, int device, cudaStream_t handle) {
  const auto stream = stream_on(device, handle);
  if (!stream) return CUBLAS_STATUS_EXECUTION_FAILED;
  return status_of(plan.has_cluster ? submit_with_cluster(plan, stream, handle) : submit_plain(plan, stream, handle));
}

cublasStatus_t copy_on_stream(const SpanDescription& copy, int device, cudaStream_t handle,
                              std::function<void()> effect) {
  static const ApiFunction function{"cudaMemcpyAsync", ApiDomain::Runtime,
                                    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020};
  const auto stream = stream_on(device, handle);
  if (!stream) return CUBLAS_STATUS_EXECUTION_FAILED;
  OperationRequest request;
  request.span = copy;
  const bool pageable = copy.source == MemoryKind::Pageable || copy.destination == MemoryKind::Pageable;
  request.work = copy_work(copy.direction, pageable, copy.bytes);
  request.effect = std::move(effect);
  ApiCall call(function);
  return status_of(call.leave(submit(stream, std::move(request))));
}

cublasStatus_t wait_for_stream(int device, cudaStream_t handle) {
  static const ApiFunction function{"cudaStreamSynchronize", ApiDomain::Runtime,
                                    CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020};
  const auto stream = stream_on(device, handle);
  if (!stream) return CUBLAS_STATUS_EXECUTION_FAILED;
  const cudaStreamSynchronize_v3020_params parameters{handle};
  ApiCall call(function, &parameters);
  return status_of(call.leave(synchronize_stream(stream)));
}

cublasStatus_t status_of(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return CUBLAS_STATUS_SUCCESS;
    case cudaErrorInitializationError:
      return CUBLAS_STATUS_NOT_INITIALIZED;
    case cudaErrorMemoryAllocation:
      return CUBLAS_STATUS_ALLOC_FAILED;
    default:
      return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

}  // namespace simgpu
