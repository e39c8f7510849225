// Computes y = a·x + y on the device and times it with events: the first program of any CUDA course.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    const cudaError_t error = (call);                                                     \
    if (error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (0)

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1 << 16;
  std::vector<float> x(n, 1.0f), y(n, 2.0f), back(n, 0.0f);
  const size_t bytes = n * sizeof(float);
  float *device_x = nullptr, *device_y = nullptr;
  CHECK(cudaMalloc(&device_x, bytes));
  CHECK(cudaMalloc(&device_y, bytes));
  CHECK(cudaMemcpy(device_x, x.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_y, y.data(), bytes, cudaMemcpyHostToDevice));

  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin));
  saxpy<<<(n + 255) / 256, 256>>>(n, 2.0f, device_x, device_y);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(end));
  // No kernel writes to x, so its bytes come back unchanged even if kernels compute nothing.
  CHECK(cudaMemcpy(back.data(), device_x, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaEventSynchronize(end));
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));

  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += back[i] != x[i];
  std::printf("elements %d\nkernel_us %.3f\ncopied_back_wrong %d\n", n, milliseconds * 1e3, wrong);
  CHECK(cudaFree(device_x));
  CHECK(cudaFree(device_y));
  return wrong == 0 ? 0 : 1;
}
