// Starts threads that push and pop one NVTX range each and end: short_ranges COUNT. At the end it says whether its
// memory has grown.
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "device_work.h"

namespace {

constexpr int kWarmUp = 1000;
constexpr long kPageBytes = 4096;
// A quarter of TAUPROF_BUFFER_MB is for what threads wrote and the recorder has not read yet: on a busy machine, much.
// A page a thread would be more than twice that.
constexpr long kMostGrowth = (16 + 2) << 20;

long mapped_bytes() {
  long pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * kPageBytes;
}

long resident_bytes() {
  long mapped = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> mapped >> resident;
  return resident * kPageBytes;
}

void run_threads(int count) {
  for (int i = 0; i < count; ++i)
    std::thread([] {
      nvtxRangePushA("outer");
      nvtxRangePushA("inner");
      nvtxRangePop();
      nvtxRangePop();
    }).join();
}

void print(const char* what, long growth) {
  if (growth > kMostGrowth)
    std::printf("%s: grew by %ld KB\n", what, growth / 1024);
  else
    std::printf("%s: as before\n", what);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  programs::DeviceWork work;
  work.rounds(1);
  run_threads(kWarmUp);
  const long mapped = mapped_bytes(), resident = resident_bytes();
  run_threads(std::atoi(arguments[1]));
  print("address space", mapped_bytes() - mapped);
  print("memory", resident_bytes() - resident);
  std::fflush(stdout);
  return 0;
}
