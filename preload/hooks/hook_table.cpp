// The hooks by number: their names, and what their records mean.
#include <cublasLt.h>
#include <cublas_api.h>
#include <nccl.h>

#include "capture/rings/hook_info.h"
#include "capture/rings/ring.h"
#include "hooks/cuda_facts.h"
#include "hooks/driver_entry_points.h"
#include "hooks/graph_facts.h"
#include "hooks/cudnn_facts.h"
#include "hooks/gemm_facts.h"
#include "hooks/hook_number.h"
#include "hooks/nccl_facts.h"
#include "hooks/versioned_calls.h"

namespace tauprof::hooks {
namespace {

// cupti_hooks.cpp defines what these do.
struct TakesCupti : Fact {};
struct Subscribes : Fact {};
struct Unsubscribes : Fact {};
struct SetsCuptiClock : Fact {};

template <class Kind>
constexpr capture::HookInfo info_of(const char* name) {
  return {name, Kind::kRecord, Kind::kPayload, Kind::kLaunches, static_cast<int8_t>(Kind::kMemory)};
}

}  // namespace

static_assert(kHooks < capture::Ring::kMostFunctions);

}  // namespace tauprof::hooks

namespace tauprof::capture {

using namespace hooks;

const HookInfo kHookInfos[] = {
#define TAUPROF_HOOK(name, declared, ...) info_of<__VA_ARGS__>(#name),
#define TAUPROF_DRIVER_CALL(name, ...) info_of<__VA_ARGS__>(#name),
#include "hooks/hook_tables.h"
};
const uint16_t kHookCount = kHooks;

}  // namespace tauprof::capture
