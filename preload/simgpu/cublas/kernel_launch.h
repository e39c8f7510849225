// Launches what a library function does on the device, as a library with a CUDA runtime of its own inside would: no
// public runtime function is called, but CUPTI sees the launch.
#pragma once

#include <cublas_api.h>

#include <functional>
#include <string>

#include "simgpu/engine/cost_model.h"
#include "simgpu/engine/stream.h"

namespace simgpu {

struct KernelPlan {
  std::string name;  // mangled, where the real kernel's is
  KernelShape shape;
  Work work;
  bool has_cluster = false;  // launched with cudaLaunchKernelExC, which clusters need
};

// A kernel that reads and writes `bytes` in all, with one thread for each of `elements`.
KernelPlan streaming_kernel(std::string name, std::int64_t elements, std::int64_t bytes);

// The mangled name of `function<element type, threads per block>(cublasKernelParams<element type>)`.
std::string template_kernel(const char* function, cudaDataType_t type);

// On a stream of another device than `device`, launching fails.
cublasStatus_t launch(const KernelPlan& plan, int device, cudaStream_t stream);

// A copy that a library function makes, as cudaMemcpyAsync would; `effect` moves the data.
cublasStatus_t copy_on_stream(const SpanDescription& copy, int device, cudaStream_t stream,
                              std::function<void()> effect);
// As cudaStreamSynchronize; on a stream that is being captured it fails and ends the capture.
cublasStatus_t wait_for_stream(int device, cudaStream_t stream);

cublasStatus_t status_of(cudaError_t error);

}  // namespace simgpu
