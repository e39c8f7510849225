// The operations. Each call becomes a message in the thread's group.
#include "simgpu/nccl/api.h"
#include "simgpu/nccl/arguments.h"
#include "simgpu/nccl/group.h"

namespace simgpu::nccl {
namespace {

ncclResult_t enqueue(const char* function, ncclComm_t comm, cudaStream_t stream, Message message) {
  CommunicatorRef communicator;
  ncclResult_t checked = check_ready(comm, function, &communicator);
  if (checked == ncclSuccess) checked = check_message(*communicator, function, &message);
  message.call = current_call_site();
  return add_to_group(checked, communicator, message, stream);
}

}  // namespace
}  // namespace simgpu::nccl

using namespace simgpu;
using nccl::Function;

ncclResult_t pncclAllReduce(const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype, ncclRedOp_t op,
                            ncclComm_t comm, cudaStream_t stream) {
  static const ApiFunction function{"ncclAllReduce", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(
      nccl::enqueue("AllReduce", comm, stream, {Function::AllReduce, sendbuff, recvbuff, count, datatype, op}));
}
WEAK_TWIN(ncclAllReduce)

ncclResult_t pncclReduce(const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype, ncclRedOp_t op,
                         int root, ncclComm_t comm, cudaStream_t stream) {
  static const ApiFunction function{"ncclReduce", ApiDomain::Library};
  ApiCall call(function);
  nccl::Message message{Function::Reduce, sendbuff, recvbuff, count, datatype, op};
  message.peer = root;
  return call.leave(nccl::enqueue("Reduce", comm, stream, message));
}
WEAK_TWIN(ncclReduce)

ncclResult_t pncclReduceScatter(const void* sendbuff, void* recvbuff, size_t recvcount, ncclDataType_t datatype,
                                ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  static const ApiFunction function{"ncclReduceScatter", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(nccl::enqueue("ReduceScatter", comm, stream,
                                  {Function::ReduceScatter, sendbuff, recvbuff, recvcount, datatype, op}));
}
WEAK_TWIN(ncclReduceScatter)

ncclResult_t pncclAllGather(const void* sendbuff, void* recvbuff, size_t sendcount, ncclDataType_t datatype,
                            ncclComm_t comm, cudaStream_t stream) {
  static const ApiFunction function{"ncclAllGather", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(
      nccl::enqueue("AllGather", comm, stream, {Function::AllGather, sendbuff, recvbuff, sendcount, datatype}));
}
WEAK_TWIN(ncclAllGather)

ncclResult_t pncclAlltoAll(const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype, ncclComm_t comm,
                           cudaStream_t stream) {
  static const ApiFunction function{"ncclAlltoAll", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(nccl::enqueue("AlltoAll", comm, stream, {Function::AlltoAll, sendbuff, recvbuff, count, datatype}));
}
WEAK_TWIN(ncclAlltoAll)

ncclResult_t pncclBroadcast(const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype, int root,
                            ncclComm_t comm, cudaStream_t stream) {
  static const ApiFunction function{"ncclBroadcast", ApiDomain::Library};
  ApiCall call(function);
  nccl::Message message{Function::Broadcast, sendbuff, recvbuff, count, datatype};
  message.peer = root;
  return call.leave(nccl::enqueue("Broadcast", comm, stream, message));
}
WEAK_TWIN(ncclBroadcast)

ncclResult_t pncclBcast(void* buff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm,
                        cudaStream_t stream) {
  static const ApiFunction function{"ncclBcast", ApiDomain::Library};
  ApiCall call(function);
  nccl::Message message{Function::Broadcast, buff, buff, count, datatype};
  message.peer = root;
  return call.leave(nccl::enqueue("Bcast", comm, stream, message));
}
WEAK_TWIN(ncclBcast)

ncclResult_t pncclGather(const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype, int root,
                         ncclComm_t comm, cudaStream_t stream) {
  static const ApiFunction function{"ncclGather", ApiDomain::Library};
  ApiCall call(function);
  nccl::Message message{Function::Gather, sendbuff, recvbuff, count, datatype};
  message.peer = root;
  return call.leave(nccl::enqueue("Gather", comm, stream, message));
}
WEAK_TWIN(ncclGather)

ncclResult_t pncclScatter(const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype, int root,
                          ncclComm_t comm, cudaStream_t stream) {
  static const ApiFunction function{"ncclScatter", ApiDomain::Library};
  ApiCall call(function);
  nccl::Message message{Function::Scatter, sendbuff, recvbuff, count, datatype};
  message.peer = root;
  return call.leave(nccl::enqueue("Scatter", comm, stream, message));
}
WEAK_TWIN(ncclScatter)

ncclResult_t pncclSend(const void* sendbuff, size_t count, ncclDataType_t datatype, int peer, ncclComm_t comm,
                       cudaStream_t stream) {
  static const ApiFunction function{"ncclSend", ApiDomain::Library};
  ApiCall call(function);
  nccl::Message message{Function::Send, sendbuff, nullptr, count, datatype};
  message.peer = peer;
  return call.leave(nccl::enqueue("Send", comm, stream, message));
}
WEAK_TWIN(ncclSend)

ncclResult_t pncclRecv(void* recvbuff, size_t count, ncclDataType_t datatype, int peer, ncclComm_t comm,
                       cudaStream_t stream) {
  static const ApiFunction function{"ncclRecv", ApiDomain::Library};
  ApiCall call(function);
  nccl::Message message{Function::Recv, nullptr, recvbuff, count, datatype};
  message.peer = peer;
  return call.leave(nccl::enqueue("Recv", comm, stream, message));
}
WEAK_TWIN(ncclRecv)
