// A program that profiles itself with CUPTI for a while, as PyTorch's profiler does, and works before, during and
// after. Prints how many of its own records it got, and how many of their times are not on CUPTI's default clock.
//
//   other_cupti_user [subscribe-only|interrupted|finalize|subscribe-v2|throughout|by-steps]
//
// by-steps: works 24 times, and profiles itself in the 13th and 14th; then it pauses, once.
// finalize: ends its use of CUPTI by cuptiFinalize, without disabling or flushing anything. subscribe-v2: only
// subscribes and unsubscribes by cuptiSubscribe_v2, and prints the result. interrupted: does not use CUPTI; a signal
// handler takes the processor for a long time, at any point in and around the calls. throughout: has CUPTI before the
// first CUDA call and keeps it.
#include <cuda_runtime_api.h>
#include <cupti.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "memset_work.h"

namespace {

std::atomic<int> g_records{0}, g_foreign_buffers{0}, g_wrong_times{0}, g_foreign_calls{0};
uint8_t* g_buffers[64];
std::atomic<int> g_buffer_count{0};

uint64_t realtime_ns() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

void CUPTIAPI request(uint8_t** buffer, size_t* size, size_t* most) {
  *size = 1 << 16;
  *most = 0;
  *buffer = static_cast<uint8_t*>(aligned_alloc(8, *size));
  g_buffers[g_buffer_count++] = *buffer;
}

// Whether a call is one of those in work().
bool is_made_here(const CUpti_Activity& record) {
  const char* name = nullptr;
  cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, reinterpret_cast<const CUpti_ActivityAPI&>(record).cbid, &name);
  return name != nullptr && (strncmp(name, "cudaMemsetAsync", 15) == 0 || strncmp(name, "cudaDeviceSync", 14) == 0);
}

void CUPTIAPI complete(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid) {
  bool is_mine = false;
  for (int i = 0; i < g_buffer_count; ++i) is_mine = is_mine || g_buffers[i] == buffer;
  if (!is_mine) ++g_foreign_buffers;
  const uint64_t now = realtime_ns();
  CUpti_Activity* record = nullptr;
  while (is_mine && cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind == CUPTI_ACTIVITY_KIND_RUNTIME && !is_made_here(*record)) ++g_foreign_calls;
    if (record->kind != CUPTI_ACTIVITY_KIND_MEMSET) continue;
    ++g_records;
    const auto* set = reinterpret_cast<const CUpti_ActivityMemset4*>(record);
    if (set->start > now || set->start + 60'000'000'000 < now) ++g_wrong_times;
  }
}

void take_the_processor(int) {
  const uint64_t until = realtime_ns() + 50'000;
  while (realtime_ns() < until) {
  }
}

void work_interrupted(void* memory) {
  struct sigaction action = {};
  action.sa_handler = take_the_processor;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval every{{0, 100}, {0, 100}};
  setitimer(ITIMER_REAL, &every, nullptr);
  for (int i = 0; i < 20; ++i) work(memory);
  const itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
}

void start_profiling() {
  cuptiActivityRegisterCallbacks(request, complete);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_RUNTIME);
}

void stop_profiling() {
  cuptiActivityDisable(CUPTI_ACTIVITY_KIND_RUNTIME);
  cuptiActivityDisable(CUPTI_ACTIVITY_KIND_MEMSET);
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
}

void CUPTIAPI ignore(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}

}  // namespace

int main(int argc, char** argv) {
  void* memory;
  if (argc > 1 && strcmp(argv[1], "throughout") == 0) {
    cuptiActivityRegisterCallbacks(request, complete);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET);
    if (cudaMalloc(&memory, 4096) != cudaSuccess) return 1;
    work(memory);
    return 0;
  }
  if (cudaMalloc(&memory, 4096) != cudaSuccess) return 1;
  if (argc > 1 && strcmp(argv[1], "interrupted") == 0) {
    work_interrupted(memory);
    return 0;
  }
  CUpti_SubscriberHandle subscriber;
  if (argc > 1 && strcmp(argv[1], "subscribe-only") == 0) {
    cuptiSubscribe(&subscriber, ignore, nullptr);
    work(memory);
    cuptiUnsubscribe(subscriber);
    return 0;
  }
  work(memory);
  if (argc > 1 && strcmp(argv[1], "subscribe-v2") == 0) {
    CUpti_SubscriberParams parameters{};
    parameters.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
    printf("result %d\n", cuptiSubscribe_v2(&subscriber, ignore, nullptr, &parameters));
    work(memory);
    cuptiUnsubscribe(subscriber);
    wait(1500);
    work(memory);
    return 0;
  }
  if (argc > 1 && strcmp(argv[1], "finalize") == 0) {
    cuptiActivityRegisterCallbacks(request, complete);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET);
    work(memory);
    cuptiFinalize();
    wait(1500);
    work(memory);
    return 0;
  }
  wait(200);  // a recorder asks the runtime about the device once, right after the first work
  const bool has_steps = argc > 1 && strcmp(argv[1], "by-steps") == 0;
  for (int step = 1; has_steps && step < 24; ++step) {
    if (step == 12) start_profiling();
    work(memory);
    if (step == 13) {
      stop_profiling();
      wait(1500);
    }
    wait(40);
  }
  for (int round = 0; !has_steps && round < 2; ++round) {
    start_profiling();
    work(memory);
    stop_profiling();
    wait(1500);
    work(memory);
  }
  cudaFree(memory);
  printf("records %d, foreign buffers %d, foreign calls %d, wrong times %d\n", g_records.load(),
         g_foreign_buffers.load(), g_foreign_calls.load(), g_wrong_times.load());
  return 0;
}
