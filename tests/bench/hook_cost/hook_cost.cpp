// Calls a runtime function that does nothing, in bursts from one or many threads, and prints the time per
// call. The wrapper under test is preloaded.
//
// Each thread pauses between bursts, like a training loop, so that a recorder's own thread gets a processor
// to empty the buffers. The result is the median burst of the median thread, because bursts in which a thread
// loses its processor are meaningless.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kCallsPerBurst = 1000;
constexpr auto kPause = std::chrono::milliseconds(3);

double ns_per_call_of_a_burst() {
  const auto begin = Clock::now();
  for (int i = 0; i < kCallsPerBurst; ++i) cudaEventRecord(nullptr, nullptr);
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / kCallsPerBurst;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

double median_burst(int bursts) {
  std::vector<double> costs;
  ns_per_call_of_a_burst();  // warm-up: the recording starts, buffers are touched
  for (int i = 0; i < bursts; ++i) {
    std::this_thread::sleep_for(kPause);
    costs.push_back(ns_per_call_of_a_burst());
  }
  return median(std::move(costs));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: hook_cost THREADS BURSTS\n");
    return 2;
  }
  const int threads = std::atoi(arguments[1]), bursts = std::atoi(arguments[2]);
  std::vector<double> costs(threads);
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) running.emplace_back([&, i] { costs[i] = median_burst(bursts); });
  for (std::thread& thread : running) thread.join();
  std::printf("{\"ns_per_call\": %.3f, \"calls\": %lld}\n", median(costs), (bursts + 1LL) * kCallsPerBurst * threads);
}
