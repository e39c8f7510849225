// The phases of a communicator after Ready.
#include "simgpu/nccl/shutdown.h"

#include "simgpu/nccl/arguments.h"
#include "simgpu/nccl/debug_log.h"
#include "simgpu/nccl/initialization.h"
#include "simgpu/nccl/profiler.h"

namespace simgpu::nccl {
namespace {

using Phase = Communicator::Phase;

void leave(const Communicator& communicator, MemberState state) {
  if (communicator.place) communicator.place->member(communicator.rank).state.store(state);
}

ncclResult_t flush(Communicator& communicator) {
  const cudaError_t error = communicator.wait_until_idle();
  return error == cudaSuccess ? ncclSuccess : refuse(ncclUnhandledCudaError, "Cuda failure %d", error);
}

// Wakes this process's engine to notice that the operations are over. Only the engine knows those of graph launches.
void stop(Communicator& communicator) {
  communicator.stop_operations();
  if (communicator.place) communicator.place->ring(communicator.rank);
}

}  // namespace

ncclResult_t finalize(const CommunicatorRef& communicator) {
  auto expected = Phase::Ready;
  if (!communicator->phase.compare_exchange_strong(expected, Phase::Finalizing)) {
    return refuse(ncclInvalidUsage, "ncclCommFinalize : the communicator cannot be finalized now");
  }
  if (!communicator->configuration.is_blocking) return ncclInProgress;
  const ncclResult_t result = flush(*communicator);
  communicator->phase = Phase::Finalized;
  leave(*communicator, MemberState::Left);
  return result;
}

ncclResult_t destroy(ncclComm_t handle) {
  CommunicatorRef communicator;
  const ncclResult_t checked = check_handle(handle, "ncclCommDestroy", &communicator);
  if (checked != ncclSuccess) return checked;
  const Phase phase = communicator->phase;
  if (phase == Phase::Initializing) {
    return refuse(ncclInvalidArgument,
                  "Attempt to use communicator before the previous operation returned ncclSuccess");
  }
  // If two threads do this at the same time, the one that takes the handle destroys.
  communicator = forget_communicator(handle);
  if (!communicator) return refuse(ncclInvalidArgument, "Error: corrupted comm object detected");
  const bool has_work = phase == Phase::Ready || phase == Phase::Finalizing;
  const ncclResult_t result = has_work ? flush(*communicator) : ncclSuccess;
  communicator->phase = Phase::Finalized;
  profile_end(*communicator);
  leave(*communicator, MemberState::Left);
  log_info("comm %p rank %d nranks %d cudaDev %d - Destroy COMPLETE", static_cast<void*>(handle), communicator->rank,
           communicator->ranks, communicator->device);
  return result;
}

ncclResult_t abort(ncclComm_t handle) {
  CommunicatorRef communicator;
  const ncclResult_t checked = check_handle(handle, "ncclCommAbort", &communicator);
  if (checked != ncclSuccess) return checked;
  communicator = forget_communicator(handle);
  if (!communicator) return refuse(ncclInvalidArgument, "Error: corrupted comm object detected");
  const Phase before = communicator->phase.exchange(Phase::Aborted);
  stop(*communicator);
  const bool has_left = before == Phase::Finalized;
  profile_end(*communicator);
  if (!has_left) leave(*communicator, MemberState::Aborted);
  log_info("comm %p rank %d nranks %d cudaDev %d - Abort COMPLETE", static_cast<void*>(handle), communicator->rank,
           communicator->ranks, communicator->device);
  return ncclSuccess;
}

ncclResult_t revoke(const CommunicatorRef& communicator) {
  auto expected = Phase::Ready;
  if (!communicator->phase.compare_exchange_strong(expected, Phase::Revoked)) {
    return refuse(ncclInvalidUsage, "ncclCommRevoke : the communicator cannot be revoked now");
  }
  stop(*communicator);
  return ncclSuccess;
}

ncclResult_t asynchronous_state(const CommunicatorRef& communicator) {
  if (const InitializationRef initialization = communicator->initialization()) {
    const ncclResult_t result = initialization->advance();
    if (result == ncclInProgress) return ncclInProgress;
    communicator->set_initialization(nullptr);
    if (result != ncclSuccess) return result;
  }
  switch (communicator->phase.load()) {
    case Phase::Initializing:
      return ncclInProgress;
    case Phase::Failed:
      return communicator->async_result;
    case Phase::Finalizing:
      if (!communicator->is_idle()) break;
      communicator->phase = Phase::Finalized;
      leave(*communicator, MemberState::Left);
      return ncclSuccess;
    case Phase::Finalized:
    case Phase::Revoked:
      return ncclSuccess;
    default:
      break;
  }
  if (communicator->async_result == ncclSuccess) {
    const int lost = communicator->place->lost_member(communicator->rank);
    if (lost >= 0) communicator->async_result = refuse(ncclRemoteError, "rank %d is gone", lost);
  }
  const ncclResult_t failure = communicator->async_result;
  if (failure != ncclSuccess) return failure;
  return communicator->phase == Phase::Finalizing ? ncclInProgress : ncclSuccess;
}

}  // namespace simgpu::nccl
