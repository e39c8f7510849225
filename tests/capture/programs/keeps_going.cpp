// Works until it is killed, and writes to a file when each cudaMemsetAsync returned, so that a test knows what the log
// must contain: keeps_going FILE. The file has a 64-bit count, followed by that many CLOCK_MONOTONIC times in ns.
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "device_work.h"

namespace {

constexpr std::size_t kMost = 4'000'000;

struct Notes {
  std::atomic<std::uint64_t> count;
  std::uint64_t times[kMost];
};

std::uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

Notes* open_notes(const char* path) {
  const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || ftruncate(file, sizeof(Notes)) != 0) std::exit(2);
  void* const memory = mmap(nullptr, sizeof(Notes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) std::exit(2);
  return static_cast<Notes*>(memory);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  Notes& notes = *open_notes(arguments[1]);
  void* memory = nullptr;
  cudaStream_t stream;
  programs::check(cudaMalloc(&memory, 4096), "cudaMalloc");
  programs::check(cudaStreamCreate(&stream), "cudaStreamCreate");
  std::printf("works\n");
  std::fflush(stdout);
  for (std::uint64_t i = 0; i < kMost; ++i) {
    programs::check(cudaMemsetAsync(memory, 0, 4096, stream), "cudaMemsetAsync");
    notes.times[i] = now();
    notes.count.store(i + 1, std::memory_order_release);
    if (i % 64 == 63) programs::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  }
  return 0;
}
