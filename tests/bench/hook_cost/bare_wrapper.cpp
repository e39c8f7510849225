// A minimal profiler hook: two readings of the time stamp counter around the real call, and 32 bytes
// stored. No thread empties the buffer; it is overwritten.
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdint.h>

namespace {

struct Record {
  uint64_t start, duration, function, stream;
};
constexpr unsigned kRecords = 32768;
thread_local Record records[kRecords] __attribute__((tls_model("initial-exec")));
thread_local unsigned next __attribute__((tls_model("initial-exec")));

}  // namespace

extern "C" __attribute__((visibility("default"))) cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  static const auto real = reinterpret_cast<decltype(&cudaEventRecord)>(dlsym(RTLD_NEXT, "cudaEventRecord"));
  const uint64_t start = __builtin_ia32_rdtsc();
  const cudaError_t result = real(event, stream);
  const uint64_t end = __builtin_ia32_rdtsc();
  records[next++ % kRecords] = {start, end - start, 1, reinterpret_cast<uintptr_t>(stream)};
  return result;
}
