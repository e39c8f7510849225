// A program that profiles itself with CUPTI by a subscriber of its own, as clients do from CUDA 13.2 on, and works
// before, during and after. Prints the result of the subscription, how many of its own records it got, and the result
// of what follows.
//
//   cupti_subscriber [--alone] [--first] [--then-without[=MS]]
//
// --alone: does not allow other subscribers. --first: subscribes before the first CUDA call. --then-without: MS
// milliseconds (default: 0) after it has unsubscribed, it uses the functions without a subscriber, as PyTorch's profiler
// does.
#include <cuda_runtime_api.h>
#include <cupti.h>
#include <dlfcn.h>
#include <time.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "memset_work.h"

namespace {

// CUpti_SubscriberParams as it is from CUDA 13.2 on.
struct Parameters {
  std::size_t size;
  const char* name;
  char* old_name;
  std::size_t old_name_size;
  std::uint8_t allows_others;
  std::uint8_t padding[7];
};

std::atomic<int> g_records{0}, g_calls{0};

template <typename Result, typename... Arguments>
Result call(const char* function, Arguments... arguments) {
  return reinterpret_cast<Result (*)(Arguments...)>(dlsym(RTLD_DEFAULT, function))(arguments...);
}

void CUPTIAPI request(std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
  *size = 1 << 16;
  *most = 0;
  *buffer = static_cast<std::uint8_t*>(aligned_alloc(8, *size));
}

void CUPTIAPI complete(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  CUpti_Activity* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    const auto* set = reinterpret_cast<const CUpti_ActivityMemset4*>(record);
    if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET && set->end > set->start) ++g_records;
    if (record->kind == CUPTI_ACTIVITY_KIND_RUNTIME) ++g_calls;
  }
  free(buffer);
}

void CUPTIAPI request_beside(std::uint8_t** buffer, std::size_t* size, std::size_t* most, const void*) {
  request(buffer, size, most);
}

void CUPTIAPI complete_beside(std::uint8_t* buffer, std::size_t size, std::size_t valid, const void*) {
  complete(nullptr, 0, buffer, size, valid);
}

void CUPTIAPI ignore(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}

CUptiResult subscribe(CUpti_SubscriberHandle& subscriber, bool allows_others) {
  Parameters parameters{sizeof parameters, "test", nullptr, 0, allows_others, {}};
  return cuptiSubscribe_v2(&subscriber, ignore, nullptr, reinterpret_cast<CUpti_SubscriberParams*>(&parameters));
}

}  // namespace

int main(int argc, char** argv) {
  bool is_alone = false, is_first = false, then_without = false;
  int pause_ms = 0;
  for (int i = 1; i < argc; ++i) {
    is_alone = is_alone || strcmp(argv[i], "--alone") == 0;
    is_first = is_first || strcmp(argv[i], "--first") == 0;
    then_without = then_without || strncmp(argv[i], "--then-without", 14) == 0;
    sscanf(argv[i], "--then-without=%d", &pause_ms);
  }
  void* memory;
  CUpti_SubscriberHandle subscriber{};
  CUptiResult result = CUPTI_SUCCESS;
  if (is_first) result = subscribe(subscriber, !is_alone);
  if (cudaMalloc(&memory, 4096) != cudaSuccess) return 1;
  if (!is_first) {
    work(memory);
    result = subscribe(subscriber, !is_alone);
  }
  printf("subscription %d\n", result);
  if (result == CUPTI_SUCCESS) {
    call<CUptiResult>("cuptiActivityRegisterCallbacks_v2", subscriber, request_beside, complete_beside);
    call<CUptiResult>("cuptiActivityEnable_v2", subscriber, CUPTI_ACTIVITY_KIND_MEMSET, static_cast<void*>(nullptr));
    call<CUptiResult>("cuptiActivityEnable_v2", subscriber, CUPTI_ACTIVITY_KIND_RUNTIME, static_cast<void*>(nullptr));
    work(memory);
    call<CUptiResult>("cuptiActivityDisable_v2", subscriber, CUPTI_ACTIVITY_KIND_RUNTIME, static_cast<void*>(nullptr));
    call<CUptiResult>("cuptiActivityDisable_v2", subscriber, CUPTI_ACTIVITY_KIND_MEMSET, static_cast<void*>(nullptr));
    cuptiActivityFlushAll(0);
    cuptiUnsubscribe(subscriber);
  }
  printf("records %d, calls %d\n", g_records.load(), g_calls.load());
  if (then_without) {
    g_records = g_calls = 0;
    wait(pause_ms);
    result = cuptiActivityRegisterCallbacks(request, complete);
    wait(pause_ms != 0 ? 60 : 0);  // longer than a change of hands takes
    if (result == CUPTI_SUCCESS) result = cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET);
    work(memory);
    cuptiActivityDisable(CUPTI_ACTIVITY_KIND_MEMSET);
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    printf("without %d, records %d\n", result, g_records.load());
  }
  wait(1500);
  work(memory);
  return 0;
}
