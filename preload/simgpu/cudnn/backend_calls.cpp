// The exported functions of the backend interface.
#include "simgpu/cudnn/backend_descriptor.h"
#include "simgpu/cudnn/graph_cost.h"
#include "simgpu/cudnn/handle.h"
#include "simgpu/cudnn/kernel_launch.h"

using namespace simgpu;
using namespace simgpu::cudnn;

namespace {

// The graph that a plan runs: plan, configuration, engine, graph.
DescriptorRef graph_of(const DescriptorState& plan) {
  const DescriptorRef config = named_descriptor(plan, kPlanEngineConfig);
  const DescriptorRef engine = config == nullptr ? nullptr : named_descriptor(*config, kConfigEngine);
  return engine == nullptr ? nullptr : named_descriptor(*engine, kEngineOperationGraph);
}

Status execute(const Handle& handle, const Descriptor* plan, const Descriptor* pack) {
  if (plan == nullptr || pack == nullptr) return kBadParamNullPointer;
  if (!plan->state->is_final || !pack->state->is_final) return fail(kBadParamNotFinalized, "plan or pack not final");
  const DescriptorRef graph = graph_of(*plan->state);
  if (graph == nullptr) return fail(kBadParam, "the plan has no graph");
  for (const KernelPlan& kernel : kernels_of(*graph)) {
    const Status status = launch(kernel, handle);
    if (status != kSuccess) return status;
  }
  return kSuccess;
}

}  // namespace

extern "C" {

SIMGPU_API Status cudnnBackendCreateDescriptor(int type, Descriptor** out) {
  if (out == nullptr) return kBadParamNullPointer;
  *out = new Descriptor{std::make_shared<DescriptorState>(DescriptorState{.type = type})};
  return kSuccess;
}

SIMGPU_API Status cudnnBackendDestroyDescriptor(Descriptor* descriptor) {
  delete descriptor;
  return kSuccess;
}

SIMGPU_API Status cudnnBackendSetAttribute(Descriptor* descriptor, int name, int type, std::int64_t count,
                                           const void* elements) {
  return set_attribute(descriptor, name, type, count, elements);
}

SIMGPU_API Status cudnnBackendGetAttribute(const Descriptor* descriptor, int name, int type, std::int64_t wanted,
                                           std::int64_t* count, void* elements) {
  return get_attribute(descriptor, name, type, wanted, count, elements);
}

SIMGPU_API Status cudnnBackendFinalize(Descriptor* descriptor) {
  CUDNN_FUNCTION(cudnnBackendFinalize);
  ApiCall call(function);
  return call.leave(finalize(descriptor));
}

SIMGPU_API Status cudnnBackendExecute(void* handle, const Descriptor* plan, const Descriptor* pack) {
  CUDNN_FUNCTION(cudnnBackendExecute);
  return enter(function, handle, [&](Handle& state) { return execute(state, plan, pack); });
}

}  // extern "C"
