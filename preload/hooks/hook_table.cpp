// The hooks by number: what each is called, what its records mean, which library has the real function.
#include <cublasLt.h>
#include <cublas_api.h>
#include <nccl.h>

#include "capture/hook_info.h"
#include "capture/rings/ring.h"
#include "hooks/cuda_facts.h"
#include "hooks/cudnn_facts.h"
#include "hooks/gemm_facts.h"
#include "hooks/hook_number.h"
#include "hooks/nccl_facts.h"

namespace tauprof::hooks {
namespace {

// cupti_hooks.cpp has what these do.
struct TakesCupti : Fact {};
struct SetsCuptiClock : Fact {};

template <class Kind>
constexpr capture::HookInfo info_of(const char* name) {
  return {name, Kind::kRecord, Kind::kPayload, Kind::kLaunches, static_cast<int8_t>(Kind::kMemory)};
}

}  // namespace

static_assert(kFirstCublasHook < kFirstCublasLtHook && kFirstCublasLtHook < kFirstNcclHook &&
              kFirstNcclHook < kFirstCuptiHook && kFirstCuptiHook < kFirstCudnnHook);

static_assert(kHooks < capture::Ring::kMostFunctions);

const char* library_stem(HookNumber hook) {
  if (hook < kFirstCublasHook) return "libcudart.so";
  if (hook < kFirstCublasLtHook) return "libcublas.so";
  if (hook < kFirstNcclHook) return "libcublasLt.so";
  if (hook < kFirstCuptiHook) return "libnccl.so";
  return hook < kFirstCudnnHook ? "libcupti.so" : "libcudnn.so";
}

}  // namespace tauprof::hooks

namespace tauprof::capture {

using namespace hooks;

const HookInfo kHookInfos[] = {
#define TAUPROF_HOOK(name, declared, ...) info_of<__VA_ARGS__>(#name),
#include "hooks/hook_tables.h"
};
const uint16_t kHookCount = kHooks;

}  // namespace tauprof::capture
