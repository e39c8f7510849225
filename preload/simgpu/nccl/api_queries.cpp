// Queries.
#include "simgpu/nccl/api.h"
#include "simgpu/nccl/arguments.h"
#include "simgpu/nccl/debug_log.h"
#include "simgpu/nccl/shutdown.h"

namespace simgpu::nccl {
namespace {

ncclResult_t query(ncclComm_t comm, const char* function, int* out, int Communicator::*rank_or_ranks) {
  CommunicatorRef communicator;
  ncclResult_t checked = check_ready(comm, function, &communicator);
  if (checked == ncclSuccess) checked = check_pointer(out, function, "result");
  if (checked == ncclSuccess) *out = communicator.get()->*rank_or_ranks;
  return checked;
}

}  // namespace
}  // namespace simgpu::nccl

using namespace simgpu;

ncclResult_t pncclGetVersion(int* version) {
  static const ApiFunction function{"ncclGetVersion", ApiDomain::Library};
  ApiCall call(function);
  if (!version) return call.leave(ncclInvalidArgument);
  *version = NCCL_VERSION_CODE;
  return call.leave(ncclSuccess);
}
WEAK_TWIN(ncclGetVersion)

const char* pncclGetErrorString(ncclResult_t result) {
  switch (result) {
    case ncclSuccess:
      return "no error";
    case ncclUnhandledCudaError:
      return "unhandled cuda error (run with NCCL_DEBUG=INFO for details)";
    case ncclSystemError:
      return "unhandled system error (run with NCCL_DEBUG=INFO for details)";
    case ncclInternalError:
      return "internal error - please report this issue to the NCCL developers";
    case ncclInvalidArgument:
      return "invalid argument (run with NCCL_DEBUG=WARN for details)";
    case ncclInvalidUsage:
      return "invalid usage (run with NCCL_DEBUG=WARN for details)";
    case ncclRemoteError:
      return "remote process exited or there was a network error";
    case ncclInProgress:
      return "NCCL operation in progress";
    default:
      return "unknown result code";
  }
}
WEAK_TWIN(ncclGetErrorString)

const char* pncclGetLastError(ncclComm_t) { return nccl::last_error(); }
WEAK_TWIN(ncclGetLastError)

ncclResult_t pncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* asyncError) {
  static const ApiFunction function{"ncclCommGetAsyncError", ApiDomain::Library};
  ApiCall call(function);
  nccl::CommunicatorRef communicator;
  ncclResult_t checked = nccl::check_handle(comm, "ncclGetAsyncError", &communicator);
  if (checked == ncclSuccess) checked = nccl::check_pointer(asyncError, "ncclGetAsyncError", "asyncError");
  if (checked == ncclSuccess) *asyncError = nccl::asynchronous_state(communicator);
  return call.leave(checked);
}
WEAK_TWIN(ncclCommGetAsyncError)

ncclResult_t pncclCommCount(const ncclComm_t comm, int* count) {
  static const ApiFunction function{"ncclCommCount", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(nccl::query(comm, "CommCount", count, &nccl::Communicator::ranks));
}
WEAK_TWIN(ncclCommCount)

ncclResult_t pncclCommUserRank(const ncclComm_t comm, int* rank) {
  static const ApiFunction function{"ncclCommUserRank", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(nccl::query(comm, "CommUserRank", rank, &nccl::Communicator::rank));
}
WEAK_TWIN(ncclCommUserRank)

ncclResult_t pncclCommCuDevice(const ncclComm_t comm, int* device) {
  static const ApiFunction function{"ncclCommCuDevice", ApiDomain::Library};
  ApiCall call(function);
  nccl::CommunicatorRef communicator;
  ncclResult_t checked = nccl::check_ready(comm, "CommCuDevice", &communicator);
  if (checked == ncclSuccess) checked = nccl::check_pointer(device, "CommCuDevice", "device");
  if (checked == ncclSuccess) *device = communicator->device;
  return call.leave(checked);
}
WEAK_TWIN(ncclCommCuDevice)

// NCCL exports this under a third name, which it does not declare.
extern "C" void ncclResetDebugInitInternal() { nccl::reset_debug_log(); }

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
void pncclResetDebugInit() { nccl::reset_debug_log(); }
WEAK_TWIN(ncclResetDebugInit)
#pragma GCC diagnostic pop
