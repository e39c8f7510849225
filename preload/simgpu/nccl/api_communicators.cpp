// Creating and ending communicators.
#include <sys/random.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

#include "simgpu/engine/device.h"
#include "simgpu/engine/device_scope.h"
#include "simgpu/nccl/api.h"
#include "simgpu/nccl/arguments.h"
#include "simgpu/nccl/debug_log.h"
#include "simgpu/nccl/group.h"
#include "simgpu/nccl/hashing.h"
#include "simgpu/nccl/initialization.h"
#include "simgpu/nccl/process_identity.h"
#include "simgpu/nccl/shutdown.h"

namespace simgpu::nccl {
namespace {

constexpr std::uint64_t kShrinkMark = 0x7368'7269'6e6b;
constexpr std::uint64_t kGrowMark = 0x6772'6f77;

ncclResult_t make_unique_id(ncclUniqueId* id) {
  const ncclResult_t checked = check_pointer(id, "GetUniqueId", "out");
  if (checked != ncclSuccess) return checked;
  announce_version();
  static const bool is_swept = (MeetingPlace::sweep(), true);
  static_cast<void>(is_swept);
  const ProcessIdentity self = this_process();
  std::memset(id, 0, sizeof(*id));
  std::memcpy(id->internal, &self, sizeof(self));
  const ssize_t filled = getrandom(id->internal + sizeof(self), 16, 0);
  return filled == 16 ? ncclSuccess : refuse(ncclSystemError, "Call to getrandom failed");
}

// A communicator for the calling thread's device, about to join the others.
ncclResult_t begin(const char* function, ncclComm_t* target, int ranks, std::uint64_t number, int rank,
                   const ncclConfig_t* config, InitializationRef* out) {
  announce_version();
  ncclResult_t checked = check_pointer(target, function, "newcomm");
  Configuration configuration;
  if (checked == ncclSuccess) checked = read_configuration(config, default_configuration(), &configuration);
  if (checked != ncclSuccess) return checked;
  *target = nullptr;
  if (ranks < 1 || rank < 0 || rank >= ranks) {
    return refuse(ncclInvalidArgument, "Invalid rank requested : %d/%d", rank, ranks);
  }
  const int device = current_device();
  if (is_forked_child() || device >= device_count()) return refuse(ncclUnhandledCudaError, "Cuda failure: no device");
  if (const cudaError_t error = device_error(device)) return refuse(ncclUnhandledCudaError, "Cuda failure %d", error);
  context_of(device);
  auto communicator = std::make_shared<Communicator>(device, configuration);
  communicator->identify(number, rank, ranks);
  *out = std::make_shared<Initialization>(communicator);
  (*out)->give_handle(target);
  communicator->set_initialization(*out);
  return ncclSuccess;
}

ncclResult_t init_rank(const char* function, ncclComm_t* target, int ranks, std::uint64_t number, int rank,
                       const ncclConfig_t* config) {
  InitializationRef initialization;
  const ncclResult_t checked = begin(function, target, ranks, number, rank, config, &initialization);
  return add_to_group(checked, initialization);
}

ncclResult_t check_devices(int count, const int* devices) {
  const int available = device_count();
  if (count < 0 || count > available) {
    return refuse(ncclInvalidArgument, "Invalid device count requested : %d", count);
  }
  std::set<int> seen;
  for (int i = 0; devices && i < count; ++i) {
    if (devices[i] < 0 || devices[i] >= available) {
      return refuse(ncclInvalidArgument, "Invalid device %d (totalnDev=%d)", devices[i], available);
    }
    if (!seen.insert(devices[i]).second) return refuse(ncclInvalidUsage, "device %d is given twice", devices[i]);
  }
  return ncclSuccess;
}

ncclResult_t init_all(ncclComm_t* comms, int count, const int* devices) {
  ncclResult_t result = check_pointer(comms, "CommInitAll", "comms");
  if (result == ncclSuccess) result = check_devices(count, devices);
  ncclUniqueId id;
  if (result == ncclSuccess) result = make_unique_id(&id);
  if (result != ncclSuccess) return result;
  const std::uint64_t number = hash_bytes(&id, sizeof(id));
  start_group();
  for (int i = 0; i < count; ++i) {
    const DeviceScope scope(devices ? devices[i] : i);
    init_rank("CommInitAll", comms + i, count, number, i, nullptr);
  }
  return end_group();
}

ncclResult_t split(ncclComm_t comm, int color, int key, ncclComm_t* target, const ncclConfig_t* config) {
  CommunicatorRef parent;
  ncclResult_t checked = check_parent(comm, "CommSplit", &parent);
  if (checked == ncclSuccess) checked = check_pointer(target, "CommSplit", "newcomm");
  Configuration configuration;
  if (checked == ncclSuccess) checked = read_configuration(config, parent->configuration, &configuration);
  if (checked == ncclSuccess && color < 0 && color != NCCL_SPLIT_NOCOLOR) {
    checked = refuse(ncclInvalidArgument, "CommSplit : invalid color %d", color);
  }
  if (checked != ncclSuccess) return add_to_group(checked, nullptr);
  CommunicatorRef child;
  if (color != NCCL_SPLIT_NOCOLOR) child = std::make_shared<Communicator>(parent->device, configuration);
  const auto initialization = std::make_shared<Initialization>(child, parent, color, key);
  initialization->give_handle(target);
  if (child) child->set_initialization(initialization);
  parent->set_initialization(initialization);
  return add_to_group(ncclSuccess, initialization);
}

ncclResult_t check_excluded(const Communicator& parent, const int* excluded, int count, std::set<int>* out) {
  if (count <= 0 || !excluded) return refuse(ncclInvalidArgument, "CommShrink : no ranks to exclude");
  for (int i = 0; i < count; ++i) {
    const int rank = excluded[i];
    if (rank < 0 || rank >= parent.ranks || rank == parent.rank) {
      return refuse(ncclInvalidArgument, "CommShrink : rank %d cannot be excluded", rank);
    }
    out->insert(rank);
  }
  return ncclSuccess;
}

ncclResult_t shrink(ncclComm_t comm, const int* excluded, int count, ncclComm_t* target, const ncclConfig_t* config,
                    int flags) {
  CommunicatorRef parent;
  std::set<int> gone;
  Configuration configuration;
  ncclResult_t checked = check_parent(comm, "CommShrink", &parent);
  if (checked == ncclSuccess) checked = check_pointer(target, "CommShrink", "newcomm");
  if (checked == ncclSuccess) checked = check_excluded(*parent, excluded, count, &gone);
  if (checked == ncclSuccess) checked = read_configuration(config, parent->configuration, &configuration);
  if (checked == ncclSuccess && flags != NCCL_SHRINK_DEFAULT && flags != NCCL_SHRINK_ABORT) {
    checked = refuse(ncclInvalidArgument, "CommShrink : invalid flags %d", flags);
  }
  if (checked != ncclSuccess) return add_to_group(checked, nullptr);
  if (flags == NCCL_SHRINK_ABORT) parent->stop_operations();
  std::uint64_t which = kShrinkMark;
  for (const int rank : gone) which = combined(which, rank);
  const int before = static_cast<int>(std::distance(gone.begin(), gone.lower_bound(parent->rank)));
  auto child = std::make_shared<Communicator>(parent->device, configuration);
  child->identify(child_number(*parent, parent->next_shrink(), which), parent->rank - before,
                  parent->ranks - static_cast<int>(gone.size()));
  const auto initialization = std::make_shared<Initialization>(child);
  initialization->give_handle(target);
  child->set_initialization(initialization);
  return add_to_group(ncclSuccess, initialization);
}

// The id holds the number of the communicator to be, which old members work out from the parent.
ncclResult_t make_grow_id(ncclComm_t comm, ncclUniqueId* id) {
  CommunicatorRef parent;
  ncclResult_t checked = check_parent(comm, "CommGetUniqueId", &parent);
  if (checked == ncclSuccess) checked = make_unique_id(id);
  if (checked != ncclSuccess) return checked;
  const std::uint64_t number = child_number(*parent, parent->grows(), kGrowMark);
  std::memcpy(id->internal + sizeof(id->internal) - sizeof number, &number, sizeof number);
  return ncclSuccess;
}

ncclResult_t grow(ncclComm_t comm, int ranks, const ncclUniqueId* id, int rank, ncclComm_t* target,
                  const ncclConfig_t* config) {
  std::uint64_t number = 0;
  if (comm != nullptr) {
    CommunicatorRef parent;
    ncclResult_t checked = check_parent(comm, "CommGrow", &parent);
    if (checked == ncclSuccess && (rank != -1 || ranks <= parent->ranks))
      checked = refuse(ncclInvalidArgument, "CommGrow : invalid rank %d of %d", rank, ranks);
    if (checked != ncclSuccess) return add_to_group(checked, nullptr);
    number = child_number(*parent, parent->next_grow(), kGrowMark);
    rank = parent->rank;
  } else if (id != nullptr) {
    std::memcpy(&number, id->internal + sizeof(id->internal) - sizeof number, sizeof number);
  } else {
    return add_to_group(refuse(ncclInvalidArgument, "CommGrow : neither a communicator nor an id"), nullptr);
  }
  return init_rank("CommGrow", target, ranks, number, rank, config);
}

}  // namespace
}  // namespace simgpu::nccl

using namespace simgpu;

ncclResult_t pncclGetUniqueId(ncclUniqueId* uniqueId) {
  static const ApiFunction function{"ncclGetUniqueId", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(nccl::make_unique_id(uniqueId));
}
WEAK_TWIN(ncclGetUniqueId)

ncclResult_t pncclCommInitRank(ncclComm_t* comm, int nranks, ncclUniqueId commId, int rank) {
  static const ApiFunction function{"ncclCommInitRank", ApiDomain::Library};
  ApiCall call(function);
  const std::uint64_t number = nccl::hash_bytes(&commId, sizeof(commId));
  return call.leave(nccl::init_rank("CommInitRank", comm, nranks, number, rank, nullptr));
}
WEAK_TWIN(ncclCommInitRank)

ncclResult_t pncclCommInitRankConfig(ncclComm_t* comm, int nranks, ncclUniqueId commId, int rank,
                                     ncclConfig_t* config) {
  static const ApiFunction function{"ncclCommInitRankConfig", ApiDomain::Library};
  ApiCall call(function);
  const std::uint64_t number = nccl::hash_bytes(&commId, sizeof(commId));
  return call.leave(nccl::init_rank("CommInitRankConfig", comm, nranks, number, rank, config));
}
WEAK_TWIN(ncclCommInitRankConfig)

ncclResult_t pncclCommInitRankScalable(ncclComm_t* newcomm, int nranks, int myrank, int nId, ncclUniqueId* commIds,
                                       ncclConfig_t* config) {
  static const ApiFunction function{"ncclCommInitRankScalable", ApiDomain::Library};
  ApiCall call(function);
  if (!commIds || nId < 1 || nId > nranks) {
    return call.leave(
        nccl::refuse(ncclInvalidArgument, "improper usage of ncclCommInitRank: nId = %d, nranks=%d", nId, nranks));
  }
  const std::uint64_t number = nccl::hash_bytes(commIds, nId * sizeof(*commIds));
  return call.leave(nccl::init_rank("CommInitRankScalable", newcomm, nranks, number, myrank, config));
}
WEAK_TWIN(ncclCommInitRankScalable)

ncclResult_t pncclCommInitAll(ncclComm_t* comm, int ndev, const int* devlist) {
  static const ApiFunction function{"ncclCommInitAll", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(nccl::init_all(comm, ndev, devlist));
}
WEAK_TWIN(ncclCommInitAll)

ncclResult_t pncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t* newcomm, ncclConfig_t* config) {
  static const ApiFunction function{"ncclCommSplit", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(nccl::split(comm, color, key, newcomm, config));
}
WEAK_TWIN(ncclCommSplit)

ncclResult_t pncclCommShrink(ncclComm_t comm, int* excludeRanksList, int excludeRanksCount, ncclComm_t* newcomm,
                             ncclConfig_t* config, int shrinkFlags) {
  static const ApiFunction function{"ncclCommShrink", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(nccl::shrink(comm, excludeRanksList, excludeRanksCount, newcomm, config, shrinkFlags));
}
WEAK_TWIN(ncclCommShrink)

// nccl.h of the build may be too old to declare these two.
extern "C" {

SIMGPU_API ncclResult_t pncclCommGetUniqueId(ncclComm_t comm, ncclUniqueId* uniqueId) {
  static const ApiFunction function{"ncclCommGetUniqueId", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(nccl::make_grow_id(comm, uniqueId));
}
WEAK_TWIN_OF(ncclCommGetUniqueId)

SIMGPU_API ncclResult_t pncclCommGrow(ncclComm_t comm, int nRanks, const ncclUniqueId* uniqueId, int rank,
                                      ncclComm_t* newcomm, ncclConfig_t* config) {
  static const ApiFunction function{"ncclCommGrow", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(nccl::grow(comm, nRanks, uniqueId, rank, newcomm, config));
}
WEAK_TWIN_OF(ncclCommGrow)
}

ncclResult_t pncclCommFinalize(ncclComm_t comm) {
  static const ApiFunction function{"ncclCommFinalize", ApiDomain::Library};
  ApiCall call(function);
  nccl::CommunicatorRef communicator;
  const ncclResult_t checked = nccl::check_ready(comm, "CommFinalize", &communicator);
  return call.leave(checked == ncclSuccess ? nccl::finalize(communicator) : checked);
}
WEAK_TWIN(ncclCommFinalize)

ncclResult_t pncclCommDestroy(ncclComm_t comm) {
  static const ApiFunction function{"ncclCommDestroy", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(comm ? nccl::destroy(comm) : ncclSuccess);
}
WEAK_TWIN(ncclCommDestroy)

ncclResult_t pncclCommAbort(ncclComm_t comm) {
  static const ApiFunction function{"ncclCommAbort", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(comm ? nccl::abort(comm) : ncclSuccess);
}
WEAK_TWIN(ncclCommAbort)

ncclResult_t pncclCommRevoke(ncclComm_t comm, int revokeFlags) {
  static const ApiFunction function{"ncclCommRevoke", ApiDomain::Library};
  ApiCall call(function);
  nccl::CommunicatorRef communicator;
  const ncclResult_t checked = nccl::check_ready(comm, "CommRevoke", &communicator);
  if (checked != ncclSuccess) return call.leave(checked);
  if (revokeFlags != NCCL_REVOKE_DEFAULT) {
    return call.leave(nccl::refuse(ncclInvalidArgument, "CommRevoke : invalid flags %d", revokeFlags));
  }
  return call.leave(nccl::revoke(communicator));
}
WEAK_TWIN(ncclCommRevoke)
