// Times asynchronous copies and kernels in several streams with events: the copy bandwidth in each direction, and how
// much of the copies overlaps with kernels.
//
// The timed work is queued behind an untimed copy, so that the host stays ahead of the device. The best of several
// rounds counts, because in it the host did stay ahead.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    const cudaError_t error = (call);                                                     \
    if (error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (0)

__global__ void increment(float* data, size_t n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}

namespace {

constexpr size_t kBytes = 64 << 20;
constexpr int kCopies = 8;
constexpr int kRounds = 5;

struct Timer {
  cudaEvent_t begin, end;
  Timer() {
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
  }
  ~Timer() {
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }
  float milliseconds() const {
    float elapsed = 0;
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&elapsed, begin, end));
    return elapsed;
  }
};

float time_copies(void* to, const void* from, cudaMemcpyKind kind, cudaStream_t stream) {
  Timer timer;
  CHECK(cudaMemcpyAsync(to, from, kBytes, kind, stream));
  CHECK(cudaEventRecord(timer.begin, stream));
  for (int i = 0; i < kCopies; ++i) CHECK(cudaMemcpyAsync(to, from, kBytes, kind, stream));
  CHECK(cudaEventRecord(timer.end, stream));
  return timer.milliseconds();
}

// Copies in both directions at once. The second stream starts with the first, and the first waits for it at the end.
float time_both(void* device_in, const void* host_in, void* host_out, const void* device_out, cudaStream_t in,
                cudaStream_t out) {
  Timer timer, other;
  CHECK(cudaMemcpyAsync(device_in, host_in, kBytes, cudaMemcpyHostToDevice, in));
  CHECK(cudaEventRecord(timer.begin, in));
  CHECK(cudaStreamWaitEvent(out, timer.begin));
  for (int i = 0; i < kCopies; ++i) {
    CHECK(cudaMemcpyAsync(device_in, host_in, kBytes, cudaMemcpyHostToDevice, in));
    CHECK(cudaMemcpyAsync(host_out, device_out, kBytes, cudaMemcpyDeviceToHost, out));
  }
  CHECK(cudaEventRecord(other.end, out));
  CHECK(cudaStreamWaitEvent(in, other.end));
  CHECK(cudaEventRecord(timer.end, in));
  return timer.milliseconds();
}

float time_pipeline(float* device, const float* host, cudaStream_t copies, cudaStream_t kernels) {
  const size_t n = kBytes / sizeof(float);
  Timer timer, ready[kCopies];
  CHECK(cudaMemcpyAsync(device, host, kBytes, cudaMemcpyHostToDevice, copies));
  CHECK(cudaEventRecord(timer.begin, copies));
  for (auto& chunk : ready) {
    CHECK(cudaMemcpyAsync(device, host, kBytes, cudaMemcpyHostToDevice, copies));
    CHECK(cudaEventRecord(chunk.end, copies));
    CHECK(cudaStreamWaitEvent(kernels, chunk.end));
    increment<<<static_cast<unsigned>((n + 255) / 256), 256, 0, kernels>>>(device, n);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaEventRecord(timer.end, kernels));
  return timer.milliseconds();
}

template <typename Measure>
float best_of_rounds(Measure measure) {
  float best = measure();
  for (int round = 1; round < kRounds; ++round) best = std::min(best, measure());
  return best;
}

double gigabytes_per_s(float milliseconds) { return kCopies * static_cast<double>(kBytes) / (milliseconds * 1e6); }

}  // namespace

int main() {
  float *host_in, *host_out, *device_in, *device_out;
  CHECK(cudaMallocHost(&host_in, kBytes));
  CHECK(cudaMallocHost(&host_out, kBytes));
  CHECK(cudaMalloc(&device_in, kBytes));
  CHECK(cudaMalloc(&device_out, kBytes));
  cudaStream_t first, second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));

  const float in = best_of_rounds([&] { return time_copies(device_in, host_in, cudaMemcpyHostToDevice, first); });
  const float out = best_of_rounds([&] { return time_copies(host_out, device_out, cudaMemcpyDeviceToHost, second); });
  const float both = best_of_rounds([&] { return time_both(device_in, host_in, host_out, device_out, first, second); });
  const float pipeline = best_of_rounds([&] { return time_pipeline(device_in, host_in, first, second); });
  std::printf("bytes %zu\nto_device_ms %.4f\nto_device_gb_per_s %.3f\n", kCopies * kBytes, in, gigabytes_per_s(in));
  std::printf("to_host_ms %.4f\nto_host_gb_per_s %.3f\n", out, gigabytes_per_s(out));
  std::printf("both_ms %.4f\npipeline_ms %.4f\n", both, pipeline);

  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
  CHECK(cudaFreeHost(host_in));
  CHECK(cudaFreeHost(host_out));
  return 0;
}
