// See host_defects.h.
#include "host_defects.h"

#include <pthread.h>
#include <sched.h>

#include <chrono>

namespace training {

CpuHog::CpuHog() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
  thread_ = std::thread([this] {
    while (!is_over_.load(std::memory_order_relaxed)) {
    }
  });
  pthread_setname_np(thread_.native_handle(), "hog");
}

CpuHog::~CpuHog() {
  is_over_ = true;
  thread_.join();
}

void stall_host(const Options& options, int rank, int step) {
  if (options.host_stall.rank != rank || (step + 1) % options.host_stall_every != 0) return;
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(options.host_stall.value));
}

}  // namespace training
