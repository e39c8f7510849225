// Calls whose arguments differ between CUDA 12 and 13, on a stream: prefetches managed memory, copies twice in one
// call. Built for each version; TEST_CUDA_12: for CUDA 12.
#include "device_work.h"

namespace {

using programs::check;

constexpr size_t kBytes = 1 << 20;

#ifdef TEST_CUDA_12
extern "C" cudaError_t prefetch_12(const void*, size_t, int, cudaStream_t) asm("cudaMemPrefetchAsync");
extern "C" cudaError_t batch_12(void**, void**, size_t*, size_t, cudaMemcpyAttributes*, size_t*, size_t, size_t*,
                                cudaStream_t) asm("cudaMemcpyBatchAsync");

void prefetch(const void* memory, cudaStream_t stream) {
  check(prefetch_12(memory, kBytes, 0, stream), "cudaMemPrefetchAsync");
}
void copy(void** to, void** from, size_t* sizes, cudaMemcpyAttributes* attributes, size_t* first, cudaStream_t stream) {
  size_t failed = 0;
  check(batch_12(to, from, sizes, 2, attributes, first, 1, &failed, stream), "cudaMemcpyBatchAsync");
}
#else
void prefetch(const void* memory, cudaStream_t stream) {
  check(cudaMemPrefetchAsync(memory, kBytes, {cudaMemLocationTypeDevice, 0}, 0, stream), "cudaMemPrefetchAsync");
}
void copy(void** to, void** from, size_t* sizes, cudaMemcpyAttributes* attributes, size_t* first, cudaStream_t stream) {
  check(cudaMemcpyBatchAsync(to, from, sizes, 2, attributes, first, 1, stream), "cudaMemcpyBatchAsync");
}
#endif

}  // namespace

int main() {
  char *memory, host[3 << 12] = {};
  cudaStream_t stream;
  check(cudaMallocManaged(reinterpret_cast<void**>(&memory), kBytes, cudaMemAttachGlobal), "cudaMallocManaged");
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  check(cudaMemsetAsync(memory, 7, kBytes, stream), "cudaMemsetAsync");
  prefetch(memory, stream);
  void *to[2] = {host, host + 4096}, *from[2] = {memory, memory + 4096};
  size_t sizes[2] = {4096, 8192}, first = 0;
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  copy(to, from, sizes, &attributes, &first, stream);
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  for (const char byte : host)
    if (byte != 7) return 1;
  return 0;
}
