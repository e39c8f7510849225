#include "capture/device/cupti_kinds.h"

namespace tauprof::capture {
namespace {

constexpr CUpti_ActivityKind kKernels = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
constexpr CUpti_ActivityKind kOtherKinds[] = {CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2,
                                              CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
                                              CUPTI_ACTIVITY_KIND_CONTEXT};

}  // namespace

bool submits_work(std::string_view name) {
  while (name.starts_with('_')) name.remove_prefix(1);
  if (!name.starts_with("cu")) return false;
  name.remove_prefix(name.starts_with("cuda") ? 4 : 2);
  if (name.starts_with("LaunchHostFunc")) return false;
  static constexpr std::string_view kPrefixes[] = {"Launch", "Memcpy", "Memset", "GraphLaunch"};
  for (const std::string_view prefix : kPrefixes)
    if (name.starts_with(prefix)) return true;
  return false;
}

// Calls are on for longer than the work that they submit, because work without the record of its call cannot be joined.
// Kernels come first all the same: whether CUPTI can be used shows there, before anything else is touched.
// Older versions lack some kinds; only kernels are indispensable.
CUptiResult CuptiKinds::enable() {
  if (const CUptiResult result = cupti_->cuptiActivityEnable(kKernels)) return result;
  select_calls(true);
  for (const CUpti_ActivityKind kind : kOtherKinds) cupti_->cuptiActivityEnable(kind);
  if (!with_graph_nodes_) cupti_->cuptiActivityEnable(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
  return CUPTI_SUCCESS;
}

void CuptiKinds::disable(bool also_kernels) {
  if (!with_graph_nodes_) cupti_->cuptiActivityDisable(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
  for (const CUpti_ActivityKind kind : kOtherKinds) cupti_->cuptiActivityDisable(kind);
  if (also_kernels) cupti_->cuptiActivityDisable(kKernels);
  select_calls(false);
}

void CuptiKinds::select_calls(bool are_wanted) {
  select_calls_of(CUPTI_CB_DOMAIN_RUNTIME_API, cupti_->cuptiActivityEnableRuntimeApi, CUPTI_ACTIVITY_KIND_RUNTIME,
                  are_wanted);
  select_calls_of(CUPTI_CB_DOMAIN_DRIVER_API, cupti_->cuptiActivityEnableDriverApi, CUPTI_ACTIVITY_KIND_DRIVER,
                  are_wanted);
}

// Calls selected one by one are recorded only in contexts made after that (13.0 Update 1), so all are selected, and
// then those that submit nothing are taken out. By name, because every version adds ids.
void CuptiKinds::select_calls_of(CUpti_CallbackDomain domain, decltype(&::cuptiActivityEnableRuntimeApi) select,
                                 CUpti_ActivityKind kind, bool are_wanted) {
  if (!are_wanted) {
    cupti_->cuptiActivityDisable(kind);
    return;
  }
  cupti_->cuptiActivityEnable(kind);
  if (select == nullptr) return;
  cupti_->each_function(domain, [&](CUpti_CallbackId id, const char* name) {
    if (!submits_work(name)) select(id, 0);
  });
}

}  // namespace tauprof::capture
