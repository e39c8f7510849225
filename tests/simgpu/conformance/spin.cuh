// The kernel itself. The simulator takes its duration from the argument (costs.txt).
#pragma once

static __global__ void spin_for(long long nanoseconds) {
  unsigned long long begin = 0, now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (static_cast<long long>(now - begin) < nanoseconds);
}
