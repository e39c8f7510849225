// The collectives of NCCL 2.32 with a configuration per call. It chooses algorithms and channels, which the simulation
// does not have, so they are the plain ones. nccl.h of the build may be too old to declare them.
#include "simgpu/nccl/api.h"

#if NCCL_VERSION_CODE < NCCL_VERSION(2, 32, 0)
using ncclCollConfig_t = void;
#endif

extern "C" {

SIMGPU_API ncclResult_t pncclAllReduceConfig(const void* send, void* receive, size_t count, ncclDataType_t datatype,
                                             ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream,
                                             const ncclCollConfig_t*) {
  return pncclAllReduce(send, receive, count, datatype, op, comm, stream);
}

SIMGPU_API ncclResult_t pncclBroadcastConfig(const void* send, void* receive, size_t count, ncclDataType_t datatype,
                                             int root, ncclComm_t comm, cudaStream_t stream, const ncclCollConfig_t*) {
  return pncclBroadcast(send, receive, count, datatype, root, comm, stream);
}

SIMGPU_API ncclResult_t pncclReduceConfig(const void* send, void* receive, size_t count, ncclDataType_t datatype,
                                          ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream,
                                          const ncclCollConfig_t*) {
  return pncclReduce(send, receive, count, datatype, op, root, comm, stream);
}

SIMGPU_API ncclResult_t pncclAllGatherConfig(const void* send, void* receive, size_t count, ncclDataType_t datatype,
                                             ncclComm_t comm, cudaStream_t stream, const ncclCollConfig_t*) {
  return pncclAllGather(send, receive, count, datatype, comm, stream);
}

SIMGPU_API ncclResult_t pncclReduceScatterConfig(const void* send, void* receive, size_t count, ncclDataType_t datatype,
                                                 ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream,
                                                 const ncclCollConfig_t*) {
  return pncclReduceScatter(send, receive, count, datatype, op, comm, stream);
}

SIMGPU_API ncclResult_t pncclAlltoAllConfig(const void* send, void* receive, size_t count, ncclDataType_t datatype,
                                            ncclComm_t comm, cudaStream_t stream, const ncclCollConfig_t*) {
  return pncclAlltoAll(send, receive, count, datatype, comm, stream);
}

SIMGPU_API ncclResult_t pncclGatherConfig(const void* send, void* receive, size_t count, ncclDataType_t datatype,
                                          int root, ncclComm_t comm, cudaStream_t stream, const ncclCollConfig_t*) {
  return pncclGather(send, receive, count, datatype, root, comm, stream);
}

SIMGPU_API ncclResult_t pncclScatterConfig(const void* send, void* receive, size_t count, ncclDataType_t datatype,
                                           int root, ncclComm_t comm, cudaStream_t stream, const ncclCollConfig_t*) {
  return pncclScatter(send, receive, count, datatype, root, comm, stream);
}

WEAK_TWIN_OF(ncclAllReduceConfig)
WEAK_TWIN_OF(ncclBroadcastConfig)
WEAK_TWIN_OF(ncclReduceConfig)
WEAK_TWIN_OF(ncclAllGatherConfig)
WEAK_TWIN_OF(ncclReduceScatterConfig)
WEAK_TWIN_OF(ncclAlltoAllConfig)
WEAK_TWIN_OF(ncclGatherConfig)
WEAK_TWIN_OF(ncclScatterConfig)
}
