// Prints what CUDA's libraries return if there is no device, one line per call.
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <nccl.h>

#include <cstdio>

namespace {

void print(const char* what, int result) {
  const cudaError_t last = cudaPeekAtLastError();
  std::printf("%s %d, then %d %s\n", what, result, last, cudaGetErrorName(cudaGetLastError()));
}

void call_runtime() {
  int count = -1;
  void* memory = nullptr;
  char host[64] = {};
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  print("cudaGetDeviceCount", cudaGetDeviceCount(&count));
  print("cudaSetDevice", cudaSetDevice(0));
  print("cudaMalloc", cudaMalloc(&memory, 64));
  print("cudaMallocHost", cudaMallocHost(&memory, 64));
  print("cudaMemcpy", cudaMemcpy(host + 32, host, 32, cudaMemcpyHostToHost));
  print("cudaMemset", cudaMemset(host, 0, 64));
  print("cudaStreamCreate", cudaStreamCreate(&stream));
  print("cudaEventCreate", cudaEventCreate(&event));
  print("cudaEventRecord", cudaEventRecord(event, stream));
  print("cudaStreamSynchronize", cudaStreamSynchronize(nullptr));
  print("cudaDeviceSynchronize", cudaDeviceSynchronize());
  print("cudaLaunchKernel", cudaLaunchKernel(reinterpret_cast<const void*>(&call_runtime), 1, 1, nullptr, 0, nullptr));
  print("cudaFree", cudaFree(nullptr));
}

void call_libraries() {
  cublasHandle_t handle = nullptr;
  ncclUniqueId id = {};
  ncclComm_t communicator = nullptr;
  print("cublasCreate", cublasCreate(&handle));
  print("ncclCommInitRank", ncclCommInitRank(&communicator, 0, id, 0));
  print("ncclGroupStart", ncclGroupStart());
  print("ncclGroupEnd", ncclGroupEnd());
}

}  // namespace

int main() {
  std::printf("%s\n", dlsym(RTLD_DEFAULT, "simgpu_announce") != nullptr ? "simulated" : "real");
  call_runtime();
  call_libraries();
  return 0;
}
