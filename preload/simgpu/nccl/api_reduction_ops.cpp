// ncclRedOpCreatePreMulSum, ncclRedOpDestroy.
#include <map>
#include <mutex>

#include "simgpu/nccl/api.h"
#include "simgpu/nccl/arguments.h"
#include "simgpu/nccl/debug_log.h"
#include "simgpu/nccl/reduction.h"

namespace simgpu::nccl {
namespace {

struct MadeOperator {
  std::uint64_t communicator;
  int rank;
  ncclDataType_t type;
  double scale;
  const void* scale_address;
};

struct MadeOperators {
  std::mutex mutex;
  std::map<int, MadeOperator> all;
};

MadeOperators& made() {
  static auto& operators = *new MadeOperators;
  return operators;
}

bool belongs_to(const MadeOperator& one, const Communicator& communicator) {
  return one.communicator == communicator.number && one.rank == communicator.rank;
}

ncclResult_t create(ncclRedOp_t* op, void* scalar, ncclDataType_t type, ncclScalarResidence_t residence,
                    ncclComm_t comm) {
  constexpr const char* kFunction = "ncclRedOpCreatePreMulSum";
  CommunicatorRef communicator;
  ncclResult_t checked = check_ready(comm, kFunction, &communicator);
  if (checked == ncclSuccess) checked = check_pointer(op, kFunction, "op");
  if (checked == ncclSuccess) checked = check_pointer(scalar, kFunction, "scalar");
  if (checked != ncclSuccess) return checked;
  if (type < 0 || type >= ncclNumTypes) return refuse(ncclInvalidArgument, "%s : invalid type %d", kFunction, type);
  if (residence != ncclScalarDevice && residence != ncclScalarHostImmediate) {
    return refuse(ncclInvalidArgument, "%s : invalid residence %d", kFunction, residence);
  }
  const bool is_immediate = residence == ncclScalarHostImmediate;
  const std::lock_guard lock(made().mutex);
  int number = ncclNumOps;
  while (made().all.count(number)) ++number;
  made().all[number] = {communicator->number, communicator->rank, type, is_immediate ? scalar_value(scalar, type) : 1,
                        is_immediate ? nullptr : scalar};
  *op = static_cast<ncclRedOp_t>(number);
  return ncclSuccess;
}

ncclResult_t destroy_operator(ncclRedOp_t op, ncclComm_t comm) {
  CommunicatorRef communicator;
  const ncclResult_t checked = check_handle(comm, "ncclRedOpDestroy", &communicator);
  if (checked != ncclSuccess) return checked;
  if (op >= 0 && op < ncclNumOps) {
    return refuse(ncclInvalidArgument, "ncclRedOpDestroy : operator is a NCCL builtin.");
  }
  const std::lock_guard lock(made().mutex);
  const auto found = made().all.find(op);
  if (found == made().all.end())
    return refuse(ncclInvalidArgument, "ncclRedOpDestroy : operator unknown to this communicator.");
  if (!belongs_to(found->second, *communicator))
    return refuse(ncclInvalidArgument, "ncclRedOpDestroy : operator unknown to this communicator.");
  made().all.erase(found);
  return ncclSuccess;
}

}  // namespace

bool resolve_reduction(const Communicator& communicator, Message* message) {
  if (message->reduction >= 0 && message->reduction < ncclNumOps) return true;
  const std::lock_guard lock(made().mutex);
  const auto found = made().all.find(message->reduction);
  if (found == made().all.end()) return false;
  const MadeOperator& one = found->second;
  if (!belongs_to(one, communicator) || one.type != message->type) return false;
  message->reduction = ncclSum;
  message->scale = one.scale;
  message->scale_address = one.scale_address;
  return true;
}

}  // namespace simgpu::nccl

using namespace simgpu;

ncclResult_t pncclRedOpCreatePreMulSum(ncclRedOp_t* op, void* scalar, ncclDataType_t datatype,
                                       ncclScalarResidence_t residence, ncclComm_t comm) {
  static const ApiFunction function{"ncclRedOpCreatePreMulSum", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(nccl::create(op, scalar, datatype, residence, comm));
}
WEAK_TWIN(ncclRedOpCreatePreMulSum)

ncclResult_t pncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm) {
  static const ApiFunction function{"ncclRedOpDestroy", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(nccl::destroy_operator(op, comm));
}
WEAK_TWIN(ncclRedOpDestroy)
