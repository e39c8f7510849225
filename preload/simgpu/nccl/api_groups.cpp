// ncclGroupStart, ncclGroupEnd, ncclGroupSimulateEnd.
#include <cstddef>

#include "simgpu/nccl/api.h"
#include "simgpu/nccl/debug_log.h"
#include "simgpu/nccl/group.h"

namespace simgpu::nccl {
namespace {

constexpr unsigned kSimInfoMagic = 0x74685283;

ncclResult_t simulate(ncclSimInfo_t* info) {
  if (info && info->magic != kSimInfoMagic) {
    return refuse(ncclInvalidArgument, "ncclSimInfo_t argument not initialized via NCCL_SIM_INFO_INITIALIZER");
  }
  float estimated_us = 0;
  const ncclResult_t result = simulate_group(&estimated_us);
  const bool has_field = info && info->size >= offsetof(ncclSimInfo_t, estimatedTime) + sizeof(float);
  if (result == ncclSuccess && has_field) info->estimatedTime = estimated_us;
  return result;
}

}  // namespace
}  // namespace simgpu::nccl

using namespace simgpu;

ncclResult_t pncclGroupStart() {
  static const ApiFunction function{"ncclGroupStart", ApiDomain::Library};
  ApiCall call(function);
  nccl::start_group();
  return call.leave(ncclSuccess);
}
WEAK_TWIN(ncclGroupStart)

ncclResult_t pncclGroupEnd() {
  static const ApiFunction function{"ncclGroupEnd", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(nccl::end_group());
}
WEAK_TWIN(ncclGroupEnd)

ncclResult_t pncclGroupSimulateEnd(ncclSimInfo_t* simInfo) {
  static const ApiFunction function{"ncclGroupSimulateEnd", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(nccl::simulate(simInfo));
}
WEAK_TWIN(ncclGroupSimulateEnd)
