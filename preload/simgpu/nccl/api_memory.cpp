// Memory for NCCL, and registration of buffers and windows. Registration does not change times here, but names of
// kernels, and its rules are checked.
#include <cstdint>

#include "simgpu/engine/device.h"
#include "simgpu/engine/memory.h"
#include "simgpu/nccl/api.h"
#include "simgpu/nccl/arguments.h"
#include "simgpu/nccl/debug_log.h"
#include "simgpu/nccl/registrations.h"

namespace simgpu::nccl {
namespace {

constexpr int kStrictOrdering = 0x02;  // NCCL_WIN_STRICT_ORDERING, since 2.29

ncclResult_t deregister(ncclComm_t comm, const char* function, const void* handle) {
  CommunicatorRef communicator;
  const ncclResult_t checked = check_handle(comm, function, &communicator);
  if (checked != ncclSuccess) return checked;
  if (!remove_registration(*communicator, handle))
    return refuse(ncclInvalidUsage, "%s : no such registration %p", function, handle);
  return ncclSuccess;
}

ncclResult_t register_buffer(ncclComm_t comm, const void* buffer, std::size_t size, void** handle) {
  CommunicatorRef communicator;
  ncclResult_t checked = check_ready(comm, "ncclCommRegister", &communicator);
  if (checked == ncclSuccess) checked = check_pointer(handle, "ncclCommRegister", "handle");
  if (checked == ncclSuccess) checked = check_pointer(buffer, "ncclCommRegister", "buff");
  if (checked != ncclSuccess) return checked;
  if (size == 0) return refuse(ncclInvalidArgument, "ncclCommRegister : size is 0");
  *handle = reinterpret_cast<void*>(add_registration({communicator->number, buffer, size}));
  return ncclSuccess;
}

ncclResult_t register_window(ncclComm_t comm, void* buffer, std::size_t size, ncclWindow_t* window, int flags) {
  CommunicatorRef communicator;
  ncclResult_t checked = check_ready(comm, "ncclCommWindowRegister", &communicator);
  if (checked == ncclSuccess) checked = check_pointer(window, "ncclCommWindowRegister", "win");
  if (checked == ncclSuccess) checked = check_pointer(buffer, "ncclCommWindowRegister", "buff");
  if (checked != ncclSuccess) return checked;
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(buffer) % NCCL_WIN_REQUIRED_ALIGNMENT == 0;
  if (size == 0 || !is_aligned || (flags & ~(NCCL_WIN_COLL_SYMMETRIC | kStrictOrdering))) {
    return refuse(ncclInvalidArgument, "ncclCommWindowRegister : buffer %p, size %zu, flags %d", buffer, size, flags);
  }
  const bool is_symmetric = (flags & NCCL_WIN_COLL_SYMMETRIC) != 0;
  *window = reinterpret_cast<ncclWindow_t>(add_registration({communicator->number, buffer, size, is_symmetric}));
  return ncclSuccess;
}

ncclResult_t cuda_result(cudaError_t error) {
  return error == cudaSuccess ? ncclSuccess : refuse(ncclUnhandledCudaError, "Cuda failure %d", error);
}

}  // namespace
}  // namespace simgpu::nccl

using namespace simgpu;

ncclResult_t pncclMemAlloc(void** ptr, size_t size) {
  static const ApiFunction function{"ncclMemAlloc", ApiDomain::Library};
  ApiCall call(function);
  if (!ptr || size == 0) {
    return call.leave(
        nccl::refuse(ncclInvalidArgument, "ncclMemAlloc : ptr %p, size %zu", static_cast<void*>(ptr), size));
  }
  return call.leave(nccl::cuda_result(allocate_device(current_device(), size, ptr)));
}
WEAK_TWIN(ncclMemAlloc)

ncclResult_t pncclMemFree(void* ptr) {
  static const ApiFunction function{"ncclMemFree", ApiDomain::Library};
  ApiCall call(function);
  const ncclResult_t checked = nccl::check_pointer(ptr, "ncclMemFree", "ptr");
  return call.leave(checked == ncclSuccess ? nccl::cuda_result(free_device(ptr)) : checked);
}
WEAK_TWIN(ncclMemFree)

ncclResult_t pncclCommRegister(const ncclComm_t comm, void* buff, size_t size, void** handle) {
  static const ApiFunction function{"ncclCommRegister", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(nccl::register_buffer(comm, buff, size, handle));
}
WEAK_TWIN(ncclCommRegister)

ncclResult_t pncclCommDeregister(const ncclComm_t comm, void* handle) {
  static const ApiFunction function{"ncclCommDeregister", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(nccl::deregister(comm, "ncclCommDeregister", handle));
}
WEAK_TWIN(ncclCommDeregister)

ncclResult_t pncclCommWindowRegister(ncclComm_t comm, void* buff, size_t size, ncclWindow_t* win, int winFlags) {
  static const ApiFunction function{"ncclCommWindowRegister", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(nccl::register_window(comm, buff, size, win, winFlags));
}
WEAK_TWIN(ncclCommWindowRegister)

ncclResult_t pncclCommWindowDeregister(ncclComm_t comm, ncclWindow_t win) {
  static const ApiFunction function{"ncclCommWindowDeregister", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(nccl::deregister(comm, "ncclCommWindowDeregister", win));
}
WEAK_TWIN(ncclCommWindowDeregister)
