// Threads that make a known number of calls of one kind: many_records FILE KIND THREADS CALLS. KIND is gemm or
// collective. They make them at once, in bursts that no recorder can follow. FILE gets a line for each thread, with the
// kernel's id and the number of calls.
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <nccl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr int kCallsInBurst = 20'000;

float* g_memory;
cublasHandle_t g_handle;

bool multiply() {
  const float one = 1;
  return cublasSgemm(g_handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, g_memory, 1, g_memory, 1, &one, g_memory, 1) ==
         CUBLAS_STATUS_SUCCESS;
}

bool reduce(ncclComm_t communicator) {
  return ncclAllReduce(g_memory, g_memory, 1, ncclFloat, ncclSum, communicator, nullptr) == ncclSuccess;
}

ncclComm_t new_communicator() {
  ncclUniqueId id;
  ncclComm_t communicator = nullptr;
  if (ncclGetUniqueId(&id) != ncclSuccess || ncclCommInitRank(&communicator, 1, id, 0) != ncclSuccess) std::_Exit(3);
  return communicator;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) return 2;
  const bool is_gemm = std::string_view(arguments[2]) == "gemm";
  const int threads = std::atoi(arguments[3]), calls = std::atoi(arguments[4]);
  if (cudaMalloc(reinterpret_cast<void**>(&g_memory), 256) != cudaSuccess) return 1;
  if (is_gemm && cublasCreate(&g_handle) != CUBLAS_STATUS_SUCCESS) return 1;
  std::vector<ncclComm_t> communicators(threads);
  for (ncclComm_t& communicator : communicators)
    if (!is_gemm) communicator = new_communicator();
  std::vector<long> ids(threads);
  std::vector<int> made(threads);
  std::barrier together(threads);
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i)
    running.emplace_back([&, i] {
      ids[i] = syscall(SYS_gettid);
      together.arrive_and_wait();
      for (int call = 0; call < calls; ++call) {
        made[i] += is_gemm ? multiply() : reduce(communicators[i]);
        if (call % kCallsInBurst == 0) usleep(1000);
      }
      together.arrive_and_wait();
    });
  for (std::thread& thread : running) thread.join();
  cudaDeviceSynchronize();
  std::FILE* const file = std::fopen(arguments[1], "w");
  for (int i = 0; i < threads; ++i) std::fprintf(file, "%ld %d\n", ids[i], made[i]);
  std::fclose(file);
  std::printf("%d calls\n", threads * calls);
  return 0;
}
