// A program without Python: blocking copies from functions whose names and lines the test knows.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <vector>

namespace loading {

constexpr size_t kBytes = 32u << 20;

// Not inlined, and with work after the call, so that the frame stays.
template <class Value>
[[gnu::noinline]] Value read_back(std::vector<Value>& host, const void* device) {
  cudaMemcpy(host.data(), device, kBytes, cudaMemcpyDeviceToHost);  // the line
  return host[0];
}

}  // namespace loading

int main() {
  std::vector<char> host(loading::kBytes);
  void* device = nullptr;
  cudaMalloc(&device, loading::kBytes);
  cudaMemset(device, 0, loading::kBytes);
  int sum = 0;
  for (int i = 0; i < 5; ++i) sum += loading::read_back(host, device);
  cudaFree(device);
  printf("%d\n", sum);
}
