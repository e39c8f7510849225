// The host side of NCCL's device API. Simulated kernels compute nothing, so there are no device communicators: a
// request for one returns ncclInvalidUsage, as on devices without symmetric memory. Teams are plain arithmetic.
//
// The declarations repeat nccl_device.h, which only CUDA C++ compilers can read.
#include "simgpu/nccl/api.h"
#include "simgpu/nccl/arguments.h"
#include "simgpu/nccl/debug_log.h"

extern "C" {

struct ncclTeam {
  int nRanks, rank, stride;
};

ncclResult_t pncclDevCommCreate(ncclComm_t comm, const void* requirements, void* out);
ncclResult_t pncclDevCommDestroy(ncclComm_t comm, const void* device_communicator);
ncclTeam pncclTeamWorld(ncclComm_t comm);
ncclTeam pncclTeamLsa(ncclComm_t comm);
ncclTeam pncclTeamRail(ncclComm_t comm);
int pncclTeamRankToWorld(ncclComm_t comm, ncclTeam team, int rank);
int pncclTeamRankToLsa(ncclComm_t comm, ncclTeam team, int rank);
ncclResult_t pncclLsaBarrierCreateRequirement(ncclTeam team, int count, void* out_handle, void* out_requirements);
ncclResult_t pncclGinBarrierCreateRequirement(ncclComm_t comm, ncclTeam team, int count, void* out_handle,
                                              void* out_requirements);
int pncclLLA2ACalcSlots(int elements, int element_bytes);
ncclResult_t pncclLLA2ACreateRequirement(int blocks, int slots, void* out_handle, void* out_requirements);
}

#define WEAK_TWIN_OF_DEVICE_API(name) extern "C" __attribute__((weak, alias("p" #name))) decltype(p##name) name;

namespace simgpu::nccl {
namespace {

ncclResult_t no_device_communicators(const char* function) {
  return refuse(ncclInvalidUsage, "%s : Communicator does not support symmetric memory!", function);
}

// All ranks of a machine can load and store each other's memory.
ncclTeam world(ncclComm_t comm) {
  const CommunicatorRef communicator = find_communicator(comm);
  return communicator ? ncclTeam{communicator->ranks, communicator->rank, 1} : ncclTeam{0, 0, 0};
}

int rank_outside(ncclComm_t comm, ncclTeam team, int rank) {
  return world(comm).rank + (rank - team.rank) * team.stride;
}

}  // namespace
}  // namespace simgpu::nccl

using namespace simgpu;

ncclResult_t pncclDevCommCreate(ncclComm_t comm, const void*, void*) {
  nccl::CommunicatorRef communicator;
  const ncclResult_t checked = nccl::check_ready(comm, "ncclDevCommCreate", &communicator);
  return checked == ncclSuccess ? nccl::no_device_communicators("ncclDevCommCreate") : checked;
}
WEAK_TWIN_OF_DEVICE_API(ncclDevCommCreate)

ncclResult_t pncclDevCommDestroy(ncclComm_t comm, const void*) {
  nccl::CommunicatorRef communicator;
  const ncclResult_t checked = nccl::check_handle(comm, "ncclDevCommDestroy", &communicator);
  return checked == ncclSuccess ? nccl::no_device_communicators("ncclDevCommDestroy") : checked;
}
WEAK_TWIN_OF_DEVICE_API(ncclDevCommDestroy)

ncclTeam pncclTeamWorld(ncclComm_t comm) { return nccl::world(comm); }
WEAK_TWIN_OF_DEVICE_API(ncclTeamWorld)

ncclTeam pncclTeamLsa(ncclComm_t comm) { return nccl::world(comm); }
WEAK_TWIN_OF_DEVICE_API(ncclTeamLsa)

ncclTeam pncclTeamRail(ncclComm_t comm) { return {1, 0, nccl::world(comm).nRanks}; }
WEAK_TWIN_OF_DEVICE_API(ncclTeamRail)

int pncclTeamRankToWorld(ncclComm_t comm, ncclTeam team, int rank) { return nccl::rank_outside(comm, team, rank); }
WEAK_TWIN_OF_DEVICE_API(ncclTeamRankToWorld)

int pncclTeamRankToLsa(ncclComm_t comm, ncclTeam team, int rank) { return nccl::rank_outside(comm, team, rank); }
WEAK_TWIN_OF_DEVICE_API(ncclTeamRankToLsa)

ncclResult_t pncclLsaBarrierCreateRequirement(ncclTeam, int, void*, void*) {
  return nccl::no_device_communicators("ncclLsaBarrierCreateRequirement");
}
WEAK_TWIN_OF_DEVICE_API(ncclLsaBarrierCreateRequirement)

ncclResult_t pncclGinBarrierCreateRequirement(ncclComm_t, ncclTeam, int, void*, void*) {
  return nccl::no_device_communicators("ncclGinBarrierCreateRequirement");
}
WEAK_TWIN_OF_DEVICE_API(ncclGinBarrierCreateRequirement)

// A slot holds eight bytes of one element.
int pncclLLA2ACalcSlots(int elements, int element_bytes) { return elements * ((element_bytes + 7) / 8); }
WEAK_TWIN_OF_DEVICE_API(ncclLLA2ACalcSlots)

ncclResult_t pncclLLA2ACreateRequirement(int, int, void*, void*) {
  return nccl::no_device_communicators("ncclLLA2ACreateRequirement");
}
WEAK_TWIN_OF_DEVICE_API(ncclLLA2ACreateRequirement)
