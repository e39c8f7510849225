// Functions of NCCL that are newer than the build's header, declared as the newer headers do. Each group was compared
// with the headers of all versions that have it, up to 2.32.
#pragma once

#include <nccl.h>

extern "C" {
#if NCCL_VERSION_CODE < NCCL_VERSION(2, 29, 0)
using ncclWaitSignalDesc_t = struct TauprofWaitSignal;  // opaque here
ncclResult_t ncclCommGrow(ncclComm_t comm, int size, const ncclUniqueId* id, int rank, ncclComm_t* grown,
                          ncclConfig_t* config);
ncclResult_t ncclPutSignal(const void* local, size_t count, ncclDataType_t datatype, int peer, ncclWindow_t window,
                           size_t offset, int signal, int context, unsigned int flags, ncclComm_t comm,
                           cudaStream_t stream);
ncclResult_t ncclSignal(int peer, int signal, int context, unsigned int flags, ncclComm_t comm, cudaStream_t stream);
ncclResult_t ncclWaitSignal(int count, ncclWaitSignalDesc_t* signals, ncclComm_t comm, cudaStream_t stream);
#endif
#if NCCL_VERSION_CODE < NCCL_VERSION(2, 30, 0)
ncclResult_t ncclCommSuspend(ncclComm_t comm, int flags);
ncclResult_t ncclCommResume(ncclComm_t comm);
#endif
#if NCCL_VERSION_CODE < NCCL_VERSION(2, 32, 0)
using ncclCollConfig_t = struct TauprofCollectiveConfig;  // opaque here
ncclResult_t ncclAllReduceConfig(const void* send, void* receive, size_t count, ncclDataType_t datatype, ncclRedOp_t op,
                                 ncclComm_t comm, cudaStream_t stream, const ncclCollConfig_t* config);
ncclResult_t ncclBroadcastConfig(const void* send, void* receive, size_t count, ncclDataType_t datatype, int root,
                                 ncclComm_t comm, cudaStream_t stream, const ncclCollConfig_t* config);
ncclResult_t ncclReduceConfig(const void* send, void* receive, size_t count, ncclDataType_t datatype, ncclRedOp_t op,
                              int root, ncclComm_t comm, cudaStream_t stream, const ncclCollConfig_t* config);
ncclResult_t ncclAllGatherConfig(const void* send, void* receive, size_t count, ncclDataType_t datatype, ncclComm_t comm,
                                 cudaStream_t stream, const ncclCollConfig_t* config);
ncclResult_t ncclReduceScatterConfig(const void* send, void* receive, size_t count, ncclDataType_t datatype,
                                     ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream,
                                     const ncclCollConfig_t* config);
ncclResult_t ncclAlltoAllConfig(const void* send, void* receive, size_t count, ncclDataType_t datatype, ncclComm_t comm,
                                cudaStream_t stream, const ncclCollConfig_t* config);
ncclResult_t ncclGatherConfig(const void* send, void* receive, size_t count, ncclDataType_t datatype, int root,
                              ncclComm_t comm, cudaStream_t stream, const ncclCollConfig_t* config);
ncclResult_t ncclScatterConfig(const void* send, void* receive, size_t count, ncclDataType_t datatype, int root,
                               ncclComm_t comm, cudaStream_t stream, const ncclCollConfig_t* config);
#endif
}
