// Uses a device through the driver alone, whose functions it finds by dlsym and cuGetProcAddress: memory, also virtual
// memory in two pieces (as PyTorch's expandable segments), sets, a copy, a wait.
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

void map_two_pieces() {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  constexpr std::size_t kPiece = 2 << 20;
  CUdeviceptr range = 0;
  CUmemGenericAllocationHandle pieces[2];
  call("cuMemAddressReserve", &range, 2 * kPiece, std::size_t{0}, CUdeviceptr{0}, 0ull);
  for (int i = 0; i < 2; ++i) {
    call("cuMemCreate", &pieces[i], kPiece, static_cast<const CUmemAllocationProp*>(&properties), 0ull);
    call("cuMemMap", range + i * kPiece, kPiece, std::size_t{0}, pieces[i], 0ull);
  }
  call("cuMemUnmap", range, 2 * kPiece);
  for (const CUmemGenericAllocationHandle piece : pieces) call("cuMemRelease", piece);
  call("cuMemAddressFree", range, 2 * kPiece);
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
  map_two_pieces();
}
