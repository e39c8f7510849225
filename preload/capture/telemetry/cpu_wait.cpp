#include "capture/telemetry/cpu_wait.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/base/small_file.h"

namespace tauprof::capture {
namespace {

// The second number of the thread's schedstat. -1: the thread has ended, or the kernel does not say.
int64_t wait_of(uint32_t os_id) {
  char path[64], text[128];
  snprintf(path, sizeof path, "/proc/self/task/%u/schedstat", os_id);
  const size_t size = read_small_file(path, text, sizeof text - 1);
  if (size == 0) return -1;
  text[size] = '\0';
  unsigned long long ran, waited;
  return sscanf(text, "%llu %llu", &ran, &waited) == 2 ? static_cast<int64_t>(waited) : -1;
}

// False: there is no /proc, or one of another namespace, where our threads have other numbers.
bool has_own_numbers() {
  char self[24];
  const ssize_t size = readlink("/proc/self", self, sizeof self - 1);
  self[size > 0 ? size : 0] = '\0';
  return atoi(self) == getpid();
}

}  // namespace

bool CpuWait::read(int64_t& total_ns) {
  if (!has_own_numbers()) return false;
  bool is_known = false, has_threads = false;
  for (uint32_t i = 0; i < ring_pool.slots(); ++i) {
    const RingPool::Slot& slot = ring_pool.slot(i);
    if (__atomic_load_n(&slot.state, __ATOMIC_ACQUIRE) != RingPool::Slot::kLive) continue;
    has_threads = true;
    const int64_t waited = wait_of(slot.os_id);
    if (waited < 0) continue;
    is_known = true;
    if (seen_[i].thread != slot.number) seen_[i] = {slot.number, 0};
    total_ += waited - seen_[i].waited;
    seen_[i].waited = waited;
  }
  total_ns = total_;
  return is_known || (!has_threads && total_ > 0);
}

}  // namespace tauprof::capture
