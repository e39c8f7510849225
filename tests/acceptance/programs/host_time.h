// Computing for a fixed amount of work on the host, and its clock.
#pragma once

#include <time.h>

static inline long long ns_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}
static inline long long now_ns(void) { return ns_of(CLOCK_MONOTONIC); }
static inline long long thread_cpu_ns(void) { return ns_of(CLOCK_THREAD_CPUTIME_ID); }

static volatile unsigned g_sink;

// A chain of loads and stores, which no compiler shortens.
static inline void compute(long rounds) {
  for (long i = 0; i < rounds; ++i) g_sink = g_sink * 1664525u + 1013904223u;
}

// The rounds that take so long, at the speed that the host has now.
static inline long rounds_for(long long ns) {
  const long rounds = 100000;
  long best = 0;
  for (int i = 0; i < 20; ++i) {
    const long long start = now_ns();
    compute(rounds);
    const long long took = now_ns() - start;
    const long fit = (long)(rounds * ns / (took > 0 ? took : 1));
    if (fit > best) best = fit;
  }
  return best > 0 ? best : 1;
}
