// Launches kernels like Triton's launcher: through the driver, which the program opens itself. Also calls the runtime.
//
//   driver_launches COUNT [last]
//
// last: ends without another call of the runtime.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "device_work.h"

namespace {

using programs::check;

constexpr char kPtx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry spin() { ret; }
)";

void check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  std::fprintf(stderr, "%s: error %d\n", what, static_cast<int>(result));
  std::_Exit(1);
}

template <class Function>
Function function_of(void* library, const char* name) {
  const auto function = reinterpret_cast<Function>(dlsym(library, name));
  if (function != nullptr) return function;
  std::fprintf(stderr, "no %s\n", name);
  std::_Exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 1;
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (driver == nullptr) return 1;
  programs::DeviceWork work;
  work.round();
  CUmodule module;
  CUfunction kernel;
  check(function_of<decltype(&cuModuleLoadData)>(driver, "cuModuleLoadData")(&module, kPtx), "cuModuleLoadData");
  check(function_of<decltype(&cuModuleGetFunction)>(driver, "cuModuleGetFunction")(&kernel, module, "spin"),
        "cuModuleGetFunction");
  const auto launch = function_of<decltype(&cuLaunchKernel)>(driver, "cuLaunchKernel");
  for (int i = 0; i < count; ++i)
    check(launch(kernel, 8, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr), "cuLaunchKernel");
  if (argc > 2) {
    check(function_of<decltype(&cuCtxSynchronize)>(driver, "cuCtxSynchronize")(), "cuCtxSynchronize");
    std::exit(0);  // without the destructor of work
  }
  work.round();
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  return 0;
}
