// Launches the device work of a library function, like a library that contains a CUDA runtime: it calls no public
// runtime function, but CUPTI sees the launch.
#pragma once

#include <cublas_api.h>

#include <functional>
#include <string>

#include "simgpu/engine/cost_model.h"
#include "simgpu/engine/stream.h"

namespace simgpu {

struct KernelPlan {
  std::string name;  // mangled if the real kernel's is
  KernelShape shape;
  Work work;
  bool has_cluster = false;  // launched by cudaLaunchKernelExC, as clusters need
};

// A kernel that reads and writes `bytes` in total, with one thread per element.
KernelPlan streaming_kernel(std::string name, std::int64_t elements, std::int64_t bytes);

// The mangled name of `function<element type, threads per block>(cublasKernelParams<element type>)`.
std::string template_kernel(const char* function, cudaDataType_t type);

// Fails on a stream of another device than `device`.
cublasStatus_t launch(const KernelPlan& plan, int device, cudaStream_t stream);

// A copy by a library function, like cudaMemcpyAsync. `effect` moves the data.
cublasStatus_t copy_on_stream(const SpanDescription& copy, int device, cudaStream_t stream,
                              std::function<void()> effect);
// Like cudaStreamSynchronize; on a stream that is being captured it fails and ends the capture.
cublasStatus_t wait_for_stream(int device, cudaStream_t stream);

cublasStatus_t status_of(cudaError_t error);

}  // namespace simgpu
