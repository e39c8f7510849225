// All-reduces, all-gathers and reduce-scatters of 1 KiB to 1 GiB, as nccl-tests measures them: size_sweep RANKS…. One
// process with as many devices as the largest number; for each number, a communicator over the first devices, and a
// thread per device.
#include <nccl.h>

#include <string>
#include <thread>
#include <vector>

#include "device_work.h"

namespace {

using programs::check;

constexpr size_t kSmallest = 1 << 10, kLargest = 1 << 30;
constexpr int kTimes = 3;

void check(ncclResult_t result, const char* what) {
  if (result == ncclSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, ncclGetErrorString(result));
  std::_Exit(1);
}

void sweep(int device, int ranks, ncclComm_t comm) {
  void* memory = nullptr;
  cudaStream_t stream = nullptr;
  check(cudaSetDevice(device), "cudaSetDevice");
  check(cudaMalloc(&memory, kLargest), "cudaMalloc");
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  for (size_t bytes = kSmallest; bytes <= kLargest; bytes *= 2)
    for (int time = 0; time < kTimes; ++time) {
      const size_t count = bytes / sizeof(float), part = count / static_cast<size_t>(ranks);
      check(ncclAllReduce(memory, memory, count, ncclFloat, ncclSum, comm, stream), "ncclAllReduce");
      check(ncclAllGather(memory, memory, part, ncclFloat, comm, stream), "ncclAllGather");
      check(ncclReduceScatter(memory, memory, part, ncclFloat, ncclSum, comm, stream), "ncclReduceScatter");
      check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    }
  check(cudaFree(memory), "cudaFree");
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const int ranks = std::stoi(argv[i]);
    std::vector<ncclComm_t> comms(static_cast<size_t>(ranks));
    check(ncclCommInitAll(comms.data(), ranks, nullptr), "ncclCommInitAll");
    std::vector<std::thread> threads;
    for (int device = 0; device < ranks; ++device)
      threads.emplace_back([&, device] { sweep(device, ranks, comms[static_cast<size_t>(device)]); });
    for (std::thread& thread : threads) thread.join();
  }
}
