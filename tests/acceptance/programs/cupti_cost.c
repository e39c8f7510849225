// cupti_cost RUNTIME SECONDS OPTION=VALUE... CUPTI: what records cost the host, in blocks of 0.1 s that alternate
// between none and one set of kinds after the other. A block computes 10 us and sets memory, over and over.
// Options, of the whole process: clock=1 (a time stamp callback), flush_ms=N, buffer_kb=N.
//
// Prints a line a block: the kinds, launches, the medians of ns of a launch and of a stretch of computing, their means,
// context switches of both kinds, page faults, and interrupts for functions and for TLBs on all processors (-1: not
// known).
#define _GNU_SOURCE
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

#include "calls.h"
#include "host_time.h"

enum { kBytes = 4096, kMostKinds = 6 };
enum { kMemcpy = 1, kMemset = 2, kDriver = 4, kRuntime = 5, kKernels = 10 };

static const struct {
  const char* name;
  int kinds[kMostKinds];
} kSets[] = {
    {"kernels", {kKernels}},
    {"kernels+sets", {kKernels, kMemset, kMemcpy}},
    {"kernels+sets+runtime", {kKernels, kMemset, kMemcpy, kRuntime}},
    {"kernels+sets+driver", {kKernels, kMemset, kMemcpy, kDriver}},
    {"kernels+sets+runtime+driver", {kKernels, kMemset, kMemcpy, kRuntime, kDriver}},
    {"runtime", {kRuntime}},
};

static size_t g_buffer_bytes = 1 << 20;

static void request(uint8_t** buffer, size_t* size, size_t* most) {
  *buffer = aligned_alloc(8, g_buffer_bytes);
  *size = g_buffer_bytes;
  *most = 0;
}
static void complete(void* context, uint32_t stream, uint8_t* buffer, size_t size, size_t valid) {
  (void)context, (void)stream, (void)size, (void)valid;
  free(buffer);
}
static uint64_t own_clock(void) { return (uint64_t)now_ns(); }

// The sum over all processors of the line of /proc/interrupts with this name.
static long long interrupts(const char* name) {
  FILE* const file = fopen("/proc/interrupts", "r");
  char line[16384];
  long long sum = -1;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    char* at = line + strspn(line, " ");
    if (strncmp(at, name, strlen(name)) != 0 || at[strlen(name)] != ':') continue;
    sum = 0;
    for (at += strlen(name) + 1;;) {
      char* rest;
      const long long value = strtoll(at, &rest, 10);
      if (rest == at) break;
      sum += value, at = rest;
    }
  }
  if (file != NULL) fclose(file);
  return sum;
}

static int (*g_set)(void*, int, size_t, void*);
static void* g_memory;

enum { kMostLaunches = 50000 };
static int g_launch_ns[kMostLaunches], g_compute_ns[kMostLaunches];

static int compare(const void* a, const void* b) {
  return *(const int*)a < *(const int*)b ? -1 : *(const int*)a > *(const int*)b;
}

static int median(int* values, long long count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

static void block(const char* name, long rounds) {
  struct rusage before, after;
  getrusage(RUSAGE_THREAD, &before);
  const long long calls = interrupts("CAL"), tlbs = interrupts("TLB"), start = now_ns();
  long long launch_ns = 0, compute_ns = 0, launches = 0, at = start;
  while (at < start + 100000000 && launches < kMostLaunches) {
    compute(rounds);
    const long long computed = now_ns();
    if (g_set(g_memory, 1, kBytes, NULL) != 0) STOP("the device does not work\n");
    const long long launched = now_ns();
    g_compute_ns[launches] = (int)(computed - at), g_launch_ns[launches] = (int)(launched - computed);
    compute_ns += computed - at, launch_ns += launched - computed, ++launches, at = launched;
  }
  getrusage(RUSAGE_THREAD, &after);
  printf("%s %lld %d %d %.1f %.1f %ld %ld %ld %lld %lld\n", name, launches, median(g_launch_ns, launches),
         median(g_compute_ns, launches), (double)launch_ns / (double)launches, (double)compute_ns / (double)launches,
         after.ru_nvcsw - before.ru_nvcsw, after.ru_nivcsw - before.ru_nivcsw, after.ru_minflt - before.ru_minflt,
         calls < 0 ? -1 : interrupts("CAL") - calls, tlbs < 0 ? -1 : interrupts("TLB") - tlbs);
  fflush(stdout);
}

static void must(int result, const char* what) {
  if (result != 0) STOP("%s: CUPTI error %d\n", what, result);
}

int main(int count, char** words) {
  if (count < 4) STOP("usage: cupti_cost RUNTIME SECONDS OPTION=VALUE... CUPTI\n");
  const long rounds = rounds_for(10000);
  load_runtime(words[1]);
  load_runtime(words[count - 1]);
  int (*const allocate)(void**, size_t) = runtime_function("cudaMalloc");
  int (*const wait)(void) = runtime_function("cudaDeviceSynchronize");
  int (*const register_callbacks)(void*, void*) = runtime_function("cuptiActivityRegisterCallbacks");
  int (*const enable)(int) = runtime_function("cuptiActivityEnable");
  int (*const disable)(int) = runtime_function("cuptiActivityDisable");
  int (*const flush)(uint32_t) = runtime_function("cuptiActivityFlushAll");
  g_set = runtime_function("cudaMemsetAsync");
  for (int i = 3; i + 1 < count; ++i) {
    int (*const use_clock)(void*) = runtime_function("cuptiActivityRegisterTimestampCallback");
    int (*const flush_every)(uint32_t) = runtime_function("cuptiActivityFlushPeriod");
    if (strcmp(words[i], "clock=1") == 0) must(use_clock((void*)own_clock), "the clock");
    if (strncmp(words[i], "flush_ms=", 9) == 0) must(flush_every((uint32_t)atoi(words[i] + 9)), "the flush period");
    if (strncmp(words[i], "buffer_kb=", 10) == 0) g_buffer_bytes = (size_t)atoi(words[i] + 10) << 10;
  }
  if (allocate(&g_memory, kBytes) != 0) STOP("no memory of the device\n");
  must(register_callbacks((void*)request, (void*)complete), "callbacks");
  block("warm-up", rounds);
  const long long end = now_ns() + (long long)(atof(words[2]) * 1e9);
  for (unsigned number = 0; now_ns() < end; number = (number + 1) % (sizeof kSets / sizeof *kSets)) {
    block("none", rounds);
    for (int i = 0; i < kMostKinds && kSets[number].kinds[i] != 0; ++i) must(enable(kSets[number].kinds[i]), "a kind");
    block(kSets[number].name, rounds);
    if (wait() != 0) STOP("the device does not work\n");
    for (int i = 0; i < kMostKinds && kSets[number].kinds[i] != 0; ++i) must(disable(kSets[number].kinds[i]), "a kind");
    must(flush(0), "the flush");
  }
  return 0;
}
