// Blocks on the device repeatedly and prints when each blocking call returned: `probe ROUNDS KERNEL_US BURN_US`.
// Between two kernels it keeps the CPU busy for BURN_US. Each line is the time after a blocking call, in ns of
// CLOCK_MONOTONIC.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "conformance/spin.h"

namespace {

long long now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

void burn(long long nanoseconds) {
  for (const long long end = now_ns() + nanoseconds; now_ns() < end;) {
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::fprintf(stderr, "usage: lateness_probe ROUNDS KERNEL_US BURN_US\n");
    return 2;
  }
  const int rounds = std::atoi(arguments[1]);
  const std::chrono::microseconds kernel(std::atoi(arguments[2]));
  const long long burn_ns = std::atoll(arguments[3]) * 1000;
  std::vector<long long> woken;
  for (int round = 0; round < rounds; ++round) {
    burn(burn_ns);
    if (conformance::spin_on(nullptr, kernel) != cudaSuccess || cudaStreamSynchronize(nullptr) != cudaSuccess) return 1;
    woken.push_back(now_ns());
  }
  for (const long long time : woken) std::printf("%lld\n", time);
  return 0;
}
