#include "hooks/hook_number.h"

namespace tauprof::hooks {

// The tables of each library start with this row.
static_assert(kFirstCublasHook == kHook_cublasHgemm && kFirstCublasLtHook == kHook_cublasLtMatmul &&
              kFirstNcclHook == kHook_ncclGetUniqueId && kFirstCuptiHook == kHook_cuptiSubscribe &&
              kFirstCudnnHook == kHook_cudnnBackendExecute);

const char* library_stem(HookNumber hook) {
  if (hook < kFirstCublasHook) return "libcudart.so";
  if (hook < kFirstCublasLtHook) return "libcublas.so";
  if (hook < kFirstNcclHook) return "libcublasLt.so";
  if (hook < kFirstCuptiHook) return "libnccl.so";
  return hook < kFirstCudnnHook ? "libcupti.so" : "libcudnn.so";
}

}  // namespace tauprof::hooks
