// The kinds of activities and which are enabled.
#include "simgpu/cupti/activity_selection.h"

#include <algorithm>
#include <cstdio>

#include "simgpu/engine/device.h"

namespace simgpu::cupti {
namespace {

void say_not_simulated(CUpti_ActivityKind kind) {
  static std::atomic<std::uint64_t> said{0};
  const std::uint64_t bit = std::uint64_t{1} << kind;
  if (said.fetch_or(bit) & bit) return;
  std::fprintf(stderr, "simulated: activity kind %d is not available\n", static_cast<int>(kind));
}

}  // namespace

CUptiResult check_enable(CUpti_ActivityKind kind) {
  if (kind <= CUPTI_ACTIVITY_KIND_INVALID || kind >= CUPTI_ACTIVITY_KIND_COUNT) return CUPTI_ERROR_INVALID_KIND;
  switch (kind) {
    case CUPTI_ACTIVITY_KIND_EVENT:
    case CUPTI_ACTIVITY_KIND_METRIC:
    case CUPTI_ACTIVITY_KIND_EVENT_INSTANCE:
    case CUPTI_ACTIVITY_KIND_METRIC_INSTANCE:
    case CUPTI_ACTIVITY_KIND_CDP_KERNEL:
    case CUPTI_ACTIVITY_KIND_MODULE:
    case CUPTI_ACTIVITY_KIND_DEVICE_ATTRIBUTE:
    case CUPTI_ACTIVITY_KIND_INSTANTANEOUS_EVENT:
    case CUPTI_ACTIVITY_KIND_INSTANTANEOUS_EVENT_INSTANCE:
    case CUPTI_ACTIVITY_KIND_INSTANTANEOUS_METRIC:
    case CUPTI_ACTIVITY_KIND_INSTANTANEOUS_METRIC_INSTANCE:
    case CUPTI_ACTIVITY_KIND_DEVICE_GRAPH_TRACE:
      return CUPTI_ERROR_NOT_COMPATIBLE;
    case CUPTI_ACTIVITY_KIND_SOURCE_LOCATOR:
    case CUPTI_ACTIVITY_KIND_GLOBAL_ACCESS:
    case CUPTI_ACTIVITY_KIND_BRANCH:
    case CUPTI_ACTIVITY_KIND_INSTRUCTION_EXECUTION:
    case CUPTI_ACTIVITY_KIND_SHARED_ACCESS:
    case CUPTI_ACTIVITY_KIND_PC_SAMPLING:
    case CUPTI_ACTIVITY_KIND_PC_SAMPLING_RECORD_INFO:
    case CUPTI_ACTIVITY_KIND_INSTRUCTION_CORRELATION:
      return CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED;
    // These happen on the simulated devices, or can be queried, but make no records. The other kinds without records
    // never happen here.
    case CUPTI_ACTIVITY_KIND_ENVIRONMENT:
    case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER:
    case CUPTI_ACTIVITY_KIND_FUNCTION:
    case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
    case CUPTI_ACTIVITY_KIND_NVLINK:
    case CUPTI_ACTIVITY_KIND_MEMORY:
    case CUPTI_ACTIVITY_KIND_MEMORY2:
    case CUPTI_ACTIVITY_KIND_MEMORY_POOL:
    case CUPTI_ACTIVITY_KIND_PCIE:
      say_not_simulated(kind);
      return CUPTI_ERROR_INVALID_KIND;
    default:
      return CUPTI_SUCCESS;
  }
}

void ActivitySelection::set(CUpti_ActivityKind kind, bool enabled) {
  const std::uint64_t bit = std::uint64_t{1} << kind;
  enabled ? kinds_.fetch_or(bit) : kinds_.fetch_and(~bit);
  if (kind != CUPTI_ACTIVITY_KIND_RUNTIME && kind != CUPTI_ACTIVITY_KIND_DRIVER) return;
  for (auto& call : (kind == CUPTI_ACTIVITY_KIND_RUNTIME ? runtime_ : driver_).calls) call = enabled;
}

bool ActivitySelection::Domain::has_any() const {
  return std::any_of(calls.begin(), calls.end(), [](const auto& call) { return call.load(); });
}

std::uint32_t ActivitySelection::newest_context() {
  std::uint32_t newest = 0;
  for (int device = 0; device < device_count(); ++device) newest = std::max(newest, existing_context(device));
  return newest;
}

void ActivitySelection::set_in_context(std::uint32_t context, CUpti_ActivityKind kind, bool enabled) {
  const std::lock_guard lock(mutex_);
  contexts_[{context, kind}] = enabled;
  has_contexts_ = true;
}

CUptiResult ActivitySelection::set_call(ApiDomain domain, std::uint32_t cbid, bool enabled) {
  const bool runtime = domain == ApiDomain::Runtime;
  const std::uint32_t size =
      runtime ? std::uint32_t{CUPTI_RUNTIME_TRACE_CBID_SIZE} : std::uint32_t{CUPTI_DRIVER_TRACE_CBID_SIZE};
  if (cbid == 0 || cbid >= size) return CUPTI_ERROR_INVALID_PARAMETER;
  Domain& chosen = runtime ? runtime_ : driver_;
  if (enabled && !chosen.has_any() && newest_context() != chosen.newest_with) chosen.newest_without = newest_context();
  chosen.calls[cbid] = enabled;
  if (!enabled && !chosen.has_any()) chosen.newest_with = newest_context();
  return CUPTI_SUCCESS;
}

void ActivitySelection::clear() {
  kinds_ = 0;
  for (Domain* domain : {&runtime_, &driver_}) {
    for (auto& call : domain->calls) call = false;
    domain->newest_without = domain->newest_with = 0;
  }
  const std::lock_guard lock(mutex_);
  contexts_.clear();
  has_contexts_ = false;
}

int ActivitySelection::in_context(CUpti_ActivityKind kind, std::uint32_t context) const {
  if (!has_contexts_) return 0;
  const std::lock_guard lock(mutex_);
  const auto found = contexts_.find({context, kind});
  if (found == contexts_.end()) return 0;
  return found->second ? 1 : -1;
}

bool ActivitySelection::wants(CUpti_ActivityKind kind, std::uint32_t context) const {
  const int own = in_context(kind, context);
  return own == 0 ? (kinds_ >> kind) & 1 : own > 0;
}

bool ActivitySelection::wants_call(ApiDomain domain, std::uint32_t cbid, std::uint32_t context) const {
  if (domain == ApiDomain::Library || cbid >= kCallIds) return false;
  const bool runtime = domain == ApiDomain::Runtime;
  const CUpti_ActivityKind kind = runtime ? CUPTI_ACTIVITY_KIND_RUNTIME : CUPTI_ACTIVITY_KIND_DRIVER;
  if (const int own = in_context(kind, context)) return own > 0;
  const Domain& chosen = runtime ? runtime_ : driver_;
  const bool is_everywhere = (kinds_ >> kind & 1) != 0 || context == 0 || context > chosen.newest_without;
  return chosen.calls[cbid] && is_everywhere;
}

}  // namespace simgpu::cupti
