// The leading fields of activity records have the offsets of the installed headers. If CUPTI ever moves a field, this
// does not compile, and the struct in cupti_records.h needs a sibling for the new version.
#include <cupti.h>

#include <cstddef>

#include "capture/device/cupti_records.h"

namespace tauprof::capture::cupti_records {

#define SAME_OFFSET(Ours, our_field, Theirs, their_field)                     \
  static_assert(offsetof(Ours, our_field) == offsetof(Theirs, their_field) && \
                    sizeof(Ours::our_field) == sizeof(Theirs::their_field),   \
                #Theirs " has moved " #their_field ": see cupti_records.h")

SAME_OFFSET(Kernel, kind, CUpti_ActivityKernel10, kind);
SAME_OFFSET(Kernel, registers, CUpti_ActivityKernel10, registersPerThread);
SAME_OFFSET(Kernel, start, CUpti_ActivityKernel10, start);
SAME_OFFSET(Kernel, end, CUpti_ActivityKernel10, end);
SAME_OFFSET(Kernel, device, CUpti_ActivityKernel10, deviceId);
SAME_OFFSET(Kernel, context, CUpti_ActivityKernel10, contextId);
SAME_OFFSET(Kernel, stream, CUpti_ActivityKernel10, streamId);
SAME_OFFSET(Kernel, grid[0], CUpti_ActivityKernel10, gridX);
SAME_OFFSET(Kernel, block[0], CUpti_ActivityKernel10, blockX);
SAME_OFFSET(Kernel, block[2], CUpti_ActivityKernel10, blockZ);
SAME_OFFSET(Kernel, static_shared_memory, CUpti_ActivityKernel10, staticSharedMemory);
SAME_OFFSET(Kernel, dynamic_shared_memory, CUpti_ActivityKernel10, dynamicSharedMemory);
SAME_OFFSET(Kernel, correlation, CUpti_ActivityKernel10, correlationId);
SAME_OFFSET(Kernel, name, CUpti_ActivityKernel10, name);
SAME_OFFSET(Kernel, graph_node, CUpti_ActivityKernel10, graphNodeId);
SAME_OFFSET(Kernel, graph, CUpti_ActivityKernel10, graphId);

SAME_OFFSET(Memcpy, copy_kind, CUpti_ActivityMemcpy6, copyKind);
SAME_OFFSET(Memcpy, bytes, CUpti_ActivityMemcpy6, bytes);
SAME_OFFSET(Memcpy, start, CUpti_ActivityMemcpy6, start);
SAME_OFFSET(Memcpy, end, CUpti_ActivityMemcpy6, end);
SAME_OFFSET(Memcpy, device, CUpti_ActivityMemcpy6, deviceId);
SAME_OFFSET(Memcpy, context, CUpti_ActivityMemcpy6, contextId);
SAME_OFFSET(Memcpy, stream, CUpti_ActivityMemcpy6, streamId);
SAME_OFFSET(Memcpy, correlation, CUpti_ActivityMemcpy6, correlationId);
SAME_OFFSET(Memcpy, graph_node, CUpti_ActivityMemcpy6, graphNodeId);
SAME_OFFSET(Memcpy, graph, CUpti_ActivityMemcpy6, graphId);

SAME_OFFSET(PeerMemcpy, copy_kind, CUpti_ActivityMemcpyPtoP4, copyKind);
SAME_OFFSET(PeerMemcpy, bytes, CUpti_ActivityMemcpyPtoP4, bytes);
SAME_OFFSET(PeerMemcpy, start, CUpti_ActivityMemcpyPtoP4, start);
SAME_OFFSET(PeerMemcpy, stream, CUpti_ActivityMemcpyPtoP4, streamId);
SAME_OFFSET(PeerMemcpy, destination_device, CUpti_ActivityMemcpyPtoP4, dstDeviceId);
SAME_OFFSET(PeerMemcpy, correlation, CUpti_ActivityMemcpyPtoP4, correlationId);
SAME_OFFSET(PeerMemcpy, graph_node, CUpti_ActivityMemcpyPtoP4, graphNodeId);
SAME_OFFSET(PeerMemcpy, graph, CUpti_ActivityMemcpyPtoP4, graphId);

SAME_OFFSET(Memset, bytes, CUpti_ActivityMemset4, bytes);
SAME_OFFSET(Memset, start, CUpti_ActivityMemset4, start);
SAME_OFFSET(Memset, stream, CUpti_ActivityMemset4, streamId);
SAME_OFFSET(Memset, correlation, CUpti_ActivityMemset4, correlationId);
SAME_OFFSET(Memset, graph_node, CUpti_ActivityMemset4, graphNodeId);
SAME_OFFSET(Memset, graph, CUpti_ActivityMemset4, graphId);

SAME_OFFSET(Synchronization, type, CUpti_ActivitySynchronization2, type);
SAME_OFFSET(Synchronization, start, CUpti_ActivitySynchronization2, start);
SAME_OFFSET(Synchronization, end, CUpti_ActivitySynchronization2, end);
SAME_OFFSET(Synchronization, correlation, CUpti_ActivitySynchronization2, correlationId);
SAME_OFFSET(Synchronization, context, CUpti_ActivitySynchronization2, contextId);
SAME_OFFSET(Synchronization, stream, CUpti_ActivitySynchronization2, streamId);

SAME_OFFSET(GraphTrace, correlation, CUpti_ActivityGraphTrace2, correlationId);
SAME_OFFSET(GraphTrace, start, CUpti_ActivityGraphTrace2, start);
SAME_OFFSET(GraphTrace, device, CUpti_ActivityGraphTrace2, deviceId);
SAME_OFFSET(GraphTrace, graph, CUpti_ActivityGraphTrace2, graphId);
SAME_OFFSET(GraphTrace, context, CUpti_ActivityGraphTrace2, contextId);
SAME_OFFSET(GraphTrace, stream, CUpti_ActivityGraphTrace2, streamId);

SAME_OFFSET(Context, context, CUpti_ActivityContext3, contextId);
SAME_OFFSET(Context, device, CUpti_ActivityContext3, deviceId);

SAME_OFFSET(ApiCall, start, CUpti_ActivityAPI, start);
SAME_OFFSET(ApiCall, end, CUpti_ActivityAPI, end);
SAME_OFFSET(ApiCall, thread, CUpti_ActivityAPI, threadId);
SAME_OFFSET(ApiCall, correlation, CUpti_ActivityAPI, correlationId);

// Compares numbers, because the compiler warns about comparing two enumerations.
constexpr bool is(uint32_t ours, uint32_t theirs) { return ours == theirs; }
static_assert(is(kMemcpy, CUPTI_ACTIVITY_KIND_MEMCPY) && is(kMemset, CUPTI_ACTIVITY_KIND_MEMSET) &&
              is(kDriver, CUPTI_ACTIVITY_KIND_DRIVER) && is(kRuntime, CUPTI_ACTIVITY_KIND_RUNTIME) &&
              is(kConcurrentKernel, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) &&
              is(kPeerMemcpy, CUPTI_ACTIVITY_KIND_MEMCPY2) &&
              is(kSynchronization, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION) && is(kContext, CUPTI_ACTIVITY_KIND_CONTEXT) &&
              is(kGraphTrace, CUPTI_ACTIVITY_KIND_GRAPH_TRACE));
static_assert(is(kNoStream, CUPTI_SYNCHRONIZATION_INVALID_VALUE));

}  // namespace tauprof::capture::cupti_records
