// cuGetProcAddress: finds the version of a function that a caller needs.
//
// A function whose parameters changed has a number at its end: cuCtxCreate_v4. A caller asks for cuCtxCreate and gives
// the CUDA version that it was compiled for; it gets the newest function of that CUDA version. Functions older than any
// caller (cuGetProcAddress is new in CUDA 11.3) have no row in the table.
#include <dlfcn.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "simgpu/cuda/driver_call.h"

namespace simgpu {
namespace {

struct Introduction {
  std::string_view name;
  int cuda_version;
};

constexpr Introduction kIntroductions[] = {
    {"cuCtxCreate_v3", 11040},
    {"cuCtxCreate_v4", 12050},
    {"cuCtxGetDevice_v2", 13000},
    {"cuCtxSynchronize_v2", 13000},
    {"cuDeviceGetUuid_v2", 11040},
    {"cuEventElapsedTime_v2", 12080},
    {"cuGetProcAddress_v2", 12000},
    {"cuGraphAddDependencies_v2", 12030},
    {"cuGraphAddKernelNode_v2", 12000},
    {"cuGraphAddNode_v2", 12030},
    {"cuGraphExecKernelNodeSetParams_v2", 12000},
    {"cuGraphExecUpdate_v2", 12000},
    {"cuGraphGetEdges_v2", 12030},
    {"cuGraphKernelNodeGetParams_v2", 12000},
    {"cuGraphKernelNodeSetParams_v2", 12000},
    {"cuGraphNodeGetDependencies_v2", 12030},
    {"cuGraphNodeGetDependentNodes_v2", 12030},
    {"cuGraphRemoveDependencies_v2", 12030},
    {"cuMemAdvise_v2", 12020},
    {"cuMemPrefetchAsync_v2", 12020},
    {"cuMemcpy3DBatchAsync_v2", 13000},
    {"cuMemcpyBatchAsync_v2", 13000},
    {"cuStreamBatchMemOp_v2", 11070},
    {"cuStreamGetCaptureInfo_v2", 11030},
    {"cuStreamGetCaptureInfo_v3", 12030},
    {"cuStreamGetCtx_v2", 12050},
    {"cuStreamUpdateCaptureDependencies_v2", 12030},
    {"cuStreamWaitValue32_v2", 11070},
    {"cuStreamWaitValue64_v2", 11070},
    {"cuStreamWriteValue32_v2", 11070},
    {"cuStreamWriteValue64_v2", 11070},
};

bool existed(const std::string& name, int cuda_version) {
  const auto* const row = std::find_if(std::begin(kIntroductions), std::end(kIntroductions),
                                       [&](const Introduction& entry) { return entry.name == name; });
  return row == std::end(kIntroductions) || row->cuda_version <= cuda_version;
}

// The function of this library, even if another library with the same function comes first.
void* own_symbol(const std::string& name) {
  static void* const self = [] {
    Dl_info info;
    return dladdr(reinterpret_cast<void*>(&own_symbol), &info) != 0 ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
                                                                    : nullptr;
  }();
  return self == nullptr ? nullptr : dlsym(self, name.c_str());
}

void* find_entry_point(const std::string& symbol, int cuda_version, bool per_thread) {
  for (const char* version : {"_v4", "_v3", "_v2", ""}) {
    const std::string name = symbol + version;
    if (!existed(name, cuda_version)) continue;
    for (const char* twin : {"_ptsz", "_ptds"}) {
      void* const found = per_thread ? own_symbol(name + twin) : nullptr;
      if (found != nullptr) return found;
    }
    if (void* const found = own_symbol(name)) return found;
  }
  return nullptr;
}

CUresult give_entry_point(const char* symbol, void** out, int cuda_version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult* status) {
  if (symbol == nullptr || out == nullptr || flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *out = find_entry_point(symbol, cuda_version, flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
  const bool is_found = *out != nullptr;
  if (status != nullptr) *status = is_found ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return is_found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

}  // namespace

DRIVER_CALL_NEEDING(Needs::Nothing, cuGetProcAddress_v2,
                    (const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags,
                     CUdriverProcAddressQueryResult* symbolStatus),
                    (symbol, pfn, cudaVersion, flags, symbolStatus)) {
  return give_entry_point(symbol, pfn, cudaVersion, flags, symbolStatus);
}

// The version of CUDA 11.
DRIVER_CALL_NEEDING(Needs::Nothing, cuGetProcAddress,
                    (const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags),
                    (symbol, pfn, cudaVersion, flags)) {
  return give_entry_point(symbol, pfn, cudaVersion, flags, nullptr);
}

}  // namespace simgpu
