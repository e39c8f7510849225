// Takes device memory by functions of the driver whose addresses the runtime gives, as PyTorch's expandable segments do:
// four pieces of virtual memory, mapped and unmapped, two of them with one call. Prints what the runtime answered to
// other questions, but no address.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstring>

#include "device_work.h"

namespace {

using programs::check;

constexpr std::size_t kPiece = 2 << 20;
constexpr int kPieces = 4;

#ifdef TEST_CUDA_12  // the headers are of CUDA 13
constexpr unsigned kVersion = 12080;
#else
constexpr unsigned kVersion = 13000;
#endif

struct Answer {
  cudaError_t result;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSuccess;
  void* function = nullptr;
};

Answer ask(const char* symbol, unsigned version, unsigned long long flags = cudaEnableDefault) {
  Answer answer;
  answer.result = cudaGetDriverEntryPointByVersion(symbol, &answer.function, version, flags, &answer.status);
  return answer;
}

template <class... Arguments>
void call(const char* symbol, Arguments... arguments) {
  const Answer answer = ask(symbol, kVersion);
  check(answer.result, symbol);
  const auto result = reinterpret_cast<CUresult (*)(Arguments...)>(answer.function)(arguments...);
  if (result == CUDA_SUCCESS) return;
  std::fprintf(stderr, "%s: %d\n", symbol, static_cast<int>(result));
  std::_Exit(1);
}

void tell(const char* what, const Answer& answer) {
  std::printf("%s: %d, status %d, %s\n", what, answer.result, answer.status, answer.function != nullptr ? "found" : "none");
}

void ask_other_questions() {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  const Answer launch = ask("cuLaunchKernel", kVersion);
  std::printf("launch is the driver's: %d\n", launch.function == dlsym(driver, "cuLaunchKernel"));
  tell("no such function", ask("cuMemMapNowhere", kVersion));
  tell("empty name", ask("", kVersion));
  tell("version 0", ask("cuMemMap", 0));
  tell("old version", ask("cuMemMap", 10020));
  tell("later version", ask("cuMemMap", 990000));
  tell("per thread", ask("cuMemMap", kVersion, cudaEnablePerThreadDefaultStream));
  tell("bad flags", ask("cuMemMap", kVersion, 77));
  Answer old;
  old.result = cudaGetDriverEntryPoint("cuMemMap", &old.function, cudaEnableDefault, nullptr);
  tell("without version", old);
  std::printf("no name: %d, no place: %d\n", ask(nullptr, kVersion).result,
              cudaGetDriverEntryPointByVersion("cuMemMap", nullptr, kVersion, cudaEnableDefault, nullptr));
  const auto map = reinterpret_cast<CUresult (*)(CUdeviceptr, std::size_t, std::size_t, CUmemGenericAllocationHandle,
                                                 unsigned long long)>(ask("cuMemMap", kVersion).function);
  std::printf("map nothing: %d\n", map(0, 0, 0, 0, 0));
}

}  // namespace

int main() {
  check(cudaSetDevice(0), "cudaSetDevice");
  programs::DeviceWork work;
  work.round();
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUdeviceptr range = 0;
  CUmemGenericAllocationHandle pieces[kPieces];
  call("cuMemAddressReserve", &range, kPieces * kPiece, std::size_t{0}, CUdeviceptr{0}, 0ull);
  for (int i = 0; i < kPieces; ++i) {
    call("cuMemCreate", &pieces[i], kPiece, static_cast<const CUmemAllocationProp*>(&properties), 0ull);
    call("cuMemMap", range + i * kPiece, kPiece, std::size_t{0}, pieces[i], 0ull);
  }
  work.rounds(3);
  for (int i = 0; i < 2; ++i) call("cuMemUnmap", range + i * kPiece, kPiece);
  call("cuMemUnmap", range + 2 * kPiece, 2 * kPiece);
  for (const CUmemGenericAllocationHandle piece : pieces) call("cuMemRelease", piece);
  call("cuMemAddressFree", range, kPieces * kPiece);
  ask_other_questions();
  work.round();
  return 0;
}
