// Uses devices in unusual ways: device_choice WAY. Prints the devices that have a context at the end.
//
//   second   only device 1, chosen by cudaSetDevice
//   driver   only device 1, made current by the driver's cuCtxSetCurrent
//   reset    device 0, which is reset between two halves of the work
//   line     5,000 sets on a stream, and 500 on another that wait behind them with CUDA_DEVICE_MAX_CONNECTIONS=1: the
//            device is never idle
#include <cuda.h>
#include <dlfcn.h>

#include <chrono>
#include <string>
#include <thread>

#include "device_work.h"

namespace {

using programs::check;
using programs::DeviceWork;

// The program does not link with the driver.
#define DRIVER(name) reinterpret_cast<decltype(&name)>(driver_function(#name))
void* driver_function(const char* name) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_LAZY);
  void* const function = driver != nullptr ? dlsym(driver, name) : nullptr;
  if (function == nullptr) std::_Exit(3);
  return function;
}

void work() {
  DeviceWork work;
  work.rounds(20);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  work.rounds(20);
}

void choose_by_driver() {
  CUcontext context;
  if (DRIVER(cuInit)(0) != CUDA_SUCCESS || DRIVER(cuDevicePrimaryCtxRetain)(&context, 1) != CUDA_SUCCESS ||
      DRIVER(cuCtxSetCurrent)(context) != CUDA_SUCCESS)
    std::_Exit(3);
}

void wait_in_line() {
  constexpr std::size_t kMany = std::size_t{1} << 29;
  cudaStream_t busy, other;
  void* memory;
  check(cudaMalloc(&memory, kMany), "cudaMalloc");
  check(cudaStreamCreateWithFlags(&busy, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  for (int i = 0; i < 5000; ++i) {
    check(cudaMemsetAsync(memory, 1, kMany, busy), "cudaMemsetAsync");
    if (i % 10 == 0) check(cudaMemsetAsync(memory, 1, 4096, other), "cudaMemsetAsync");
  }
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

void print_contexts() {
  std::printf("contexts:");
  for (int device = 0; device < 2; ++device) {
    unsigned flags;
    int is_active = 0;
    if (DRIVER(cuDevicePrimaryCtxGetState)(device, &flags, &is_active) != CUDA_SUCCESS) std::_Exit(3);
    if (is_active != 0) std::printf(" %d", device);
  }
  std::puts("");
}

}  // namespace

int main(int count, char** arguments) {
  const std::string way = count > 1 ? arguments[1] : "";
  if (way == "second") check(cudaSetDevice(1), "cudaSetDevice");
  if (way == "driver") choose_by_driver();
  if (way == "line") {
    wait_in_line();
  } else {
    work();
    if (way == "reset") check(cudaDeviceReset(), "cudaDeviceReset"), work();
  }
  print_contexts();
  std::fflush(stdout);
  return 0;
}
