// Uses a device through the driver alone, whose functions it finds by dlsym and cuGetProcAddress: memory, sets, a copy,
// a wait.
#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace {

void check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  std::fprintf(stderr, "%s: %d\n", what, static_cast<int>(result));
  std::exit(1);
}

using GetProcAddress = CUresult (*)(const char*, void**, int, cuuint64_t, CUdriverProcAddressQueryResult*);
GetProcAddress get_address;

template <class... Arguments>
void call(const char* name, Arguments... arguments) {
  void* function = nullptr;
  check(get_address(name, &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT, nullptr), name);
  check(reinterpret_cast<CUresult (*)(Arguments...)>(function)(arguments...), name);
}

}  // namespace

int main() {
  constexpr std::size_t kWords = 1 << 16;
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (driver == nullptr) return 1;
  get_address = reinterpret_cast<GetProcAddress>(dlsym(driver, "cuGetProcAddress_v2"));
  CUcontext context = nullptr;
  CUstream stream = nullptr;
  CUdeviceptr memory = 0;
  call("cuInit", 0u);
  call("cuDevicePrimaryCtxRetain", &context, CUdevice{0});
  call("cuCtxSetCurrent", context);
  call("cuStreamCreate", &stream, 1u);
  call("cuMemAlloc", &memory, 4 * kWords);
  for (int i = 0; i < 10; ++i) call("cuMemsetD32Async", memory, 7u, kWords, stream);
  static unsigned words[kWords];
  call("cuMemcpyDtoHAsync", static_cast<void*>(words), memory, sizeof words, stream);
  call("cuStreamSynchronize", stream);
  call("cuMemFree", memory);
}
