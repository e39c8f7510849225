// Uses a device, then subscribes to CUPTI's callbacks by an address that no hook sees, and prints CUPTI's result. With
// "count", it only counts the devices. With "hooked" (in the static program), hooks see the subscription, and memory is
// used before, during and after it.
#include <cuda_runtime_api.h>
#include <cupti.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstring>

namespace {

void CUPTIAPI ignore(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}

bool use_memory() {
  void* memory = nullptr;
  return cudaMalloc(&memory, 1 << 20) == cudaSuccess && cudaFree(memory) == cudaSuccess;
}

#if SUBSCRIBES_BY_SYMBOL
int subscribe_for_a_while() {
  CUpti_SubscriberHandle subscriber = nullptr;
  if (!use_memory()) return 1;
  std::printf("%d\n", cuptiSubscribe(&subscriber, ignore, nullptr));
  if (!use_memory()) return 1;
  std::printf("%d\n", cuptiUnsubscribe(subscriber));
  return use_memory() ? 0 : 1;
}
#endif

}  // namespace

int main(int count, char** arguments) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess) return 1;
  if (count > 1 && std::strcmp(arguments[1], "count") == 0) return 0;
#if SUBSCRIBES_BY_SYMBOL
  if (count > 1 && std::strcmp(arguments[1], "hooked") == 0) return subscribe_for_a_while();
#endif
  if (!use_memory()) return 1;
  void* const cupti = dlopen("libcupti.so.13", RTLD_NOW | RTLD_LOCAL);
  if (cupti == nullptr) return 1;
  CUpti_SubscriberHandle subscriber = nullptr;
  const auto subscribe = reinterpret_cast<decltype(&cuptiSubscribe)>(dlsym(cupti, "cuptiSubscribe"));
  std::printf("%d\n", subscribe(&subscriber, ignore, nullptr));
}
