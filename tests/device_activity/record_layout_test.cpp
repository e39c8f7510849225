// The prefixes of activity records lie where the installed headers say: if CUPTI ever moves a field, this does not
// compile, and the struct in cupti_records.h needs a sibling for the new version.
#include <cupti.h>

#include <cstddef>

#include "capture/device/cupti_records.h"

namespace tauprof::capture::cupti_records {

#define SAME_PLACE(Ours, our_field, Theirs, their_field)                      \
  static_assert(offsetof(Ours, our_field) == offsetof(Theirs, their_field) && \
                    sizeof(Ours::our_field) == sizeof(Theirs::their_field),   \
                #Theirs " has moved " #their_field ": see cupti_records.h")

SAME_PLACE(Kernel, kind, CUpti_ActivityKernel10, kind);
SAME_PLACE(Kernel, registers, CUpti_ActivityKernel10, registersPerThread);
SAME_PLACE(Kernel, start, CUpti_ActivityKernel10, start);
SAME_PLACE(Kernel, end, CUpti_ActivityKernel10, end);
SAME_PLACE(Kernel, device, CUpti_ActivityKernel10, deviceId);
SAME_PLACE(Kernel, context, CUpti_ActivityKernel10, contextId);
SAME_PLACE(Kernel, stream, CUpti_ActivityKernel10, streamId);
SAME_PLACE(Kernel, grid[0], CUpti_ActivityKernel10, gridX);
SAME_PLACE(Kernel, block[0], CUpti_ActivityKernel10, blockX);
SAME_PLACE(Kernel, block[2], CUpti_ActivityKernel10, blockZ);
SAME_PLACE(Kernel, static_shared_memory, CUpti_ActivityKernel10, staticSharedMemory);
SAME_PLACE(Kernel, dynamic_shared_memory, CUpti_ActivityKernel10, dynamicSharedMemory);
SAME_PLACE(Kernel, correlation, CUpti_ActivityKernel10, correlationId);
SAME_PLACE(Kernel, name, CUpti_ActivityKernel10, name);
SAME_PLACE(Kernel, graph_node, CUpti_ActivityKernel10, graphNodeId);
SAME_PLACE(Kernel, graph, CUpti_ActivityKernel10, graphId);

SAME_PLACE(Memcpy, copy_kind, CUpti_ActivityMemcpy6, copyKind);
SAME_PLACE(Memcpy, bytes, CUpti_ActivityMemcpy6, bytes);
SAME_PLACE(Memcpy, start, CUpti_ActivityMemcpy6, start);
SAME_PLACE(Memcpy, end, CUpti_ActivityMemcpy6, end);
SAME_PLACE(Memcpy, device, CUpti_ActivityMemcpy6, deviceId);
SAME_PLACE(Memcpy, context, CUpti_ActivityMemcpy6, contextId);
SAME_PLACE(Memcpy, stream, CUpti_ActivityMemcpy6, streamId);
SAME_PLACE(Memcpy, correlation, CUpti_ActivityMemcpy6, correlationId);
SAME_PLACE(Memcpy, graph_node, CUpti_ActivityMemcpy6, graphNodeId);
SAME_PLACE(Memcpy, graph, CUpti_ActivityMemcpy6, graphId);

SAME_PLACE(PeerMemcpy, copy_kind, CUpti_ActivityMemcpyPtoP4, copyKind);
SAME_PLACE(PeerMemcpy, bytes, CUpti_ActivityMemcpyPtoP4, bytes);
SAME_PLACE(PeerMemcpy, start, CUpti_ActivityMemcpyPtoP4, start);
SAME_PLACE(PeerMemcpy, stream, CUpti_ActivityMemcpyPtoP4, streamId);
SAME_PLACE(PeerMemcpy, destination_device, CUpti_ActivityMemcpyPtoP4, dstDeviceId);
SAME_PLACE(PeerMemcpy, correlation, CUpti_ActivityMemcpyPtoP4, correlationId);
SAME_PLACE(PeerMemcpy, graph_node, CUpti_ActivityMemcpyPtoP4, graphNodeId);
SAME_PLACE(PeerMemcpy, graph, CUpti_ActivityMemcpyPtoP4, graphId);

SAME_PLACE(Memset, bytes, CUpti_ActivityMemset4, bytes);
SAME_PLACE(Memset, start, CUpti_ActivityMemset4, start);
SAME_PLACE(Memset, stream, CUpti_ActivityMemset4, streamId);
SAME_PLACE(Memset, correlation, CUpti_ActivityMemset4, correlationId);
SAME_PLACE(Memset, graph_node, CUpti_ActivityMemset4, graphNodeId);
SAME_PLACE(Memset, graph, CUpti_ActivityMemset4, graphId);

SAME_PLACE(Synchronization, type, CUpti_ActivitySynchronization2, type);
SAME_PLACE(Synchronization, start, CUpti_ActivitySynchronization2, start);
SAME_PLACE(Synchronization, end, CUpti_ActivitySynchronization2, end);
SAME_PLACE(Synchronization, correlation, CUpti_ActivitySynchronization2, correlationId);
SAME_PLACE(Synchronization, context, CUpti_ActivitySynchronization2, contextId);
SAME_PLACE(Synchronization, stream, CUpti_ActivitySynchronization2, streamId);

SAME_PLACE(GraphTrace, correlation, CUpti_ActivityGraphTrace2, correlationId);
SAME_PLACE(GraphTrace, start, CUpti_ActivityGraphTrace2, start);
SAME_PLACE(GraphTrace, device, CUpti_ActivityGraphTrace2, deviceId);
SAME_PLACE(GraphTrace, graph, CUpti_ActivityGraphTrace2, graphId);
SAME_PLACE(GraphTrace, context, CUpti_ActivityGraphTrace2, contextId);
SAME_PLACE(GraphTrace, stream, CUpti_ActivityGraphTrace2, streamId);

SAME_PLACE(Context, context, CUpti_ActivityContext3, contextId);
SAME_PLACE(Context, device, CUpti_ActivityContext3, deviceId);

SAME_PLACE(ApiCall, start, CUpti_ActivityAPI, start);
SAME_PLACE(ApiCall, end, CUpti_ActivityAPI, end);
SAME_PLACE(ApiCall, thread, CUpti_ActivityAPI, threadId);
SAME_PLACE(ApiCall, correlation, CUpti_ActivityAPI, correlationId);

// As numbers: the compiler does not compare values of two enumerations.
constexpr bool is(uint32_t ours, uint32_t theirs) { return ours == theirs; }
static_assert(is(kMemcpy, CUPTI_ACTIVITY_KIND_MEMCPY) && is(kMemset, CUPTI_ACTIVITY_KIND_MEMSET) &&
              is(kDriver, CUPTI_ACTIVITY_KIND_DRIVER) && is(kRuntime, CUPTI_ACTIVITY_KIND_RUNTIME) &&
              is(kConcurrentKernel, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) &&
              is(kPeerMemcpy, CUPTI_ACTIVITY_KIND_MEMCPY2) &&
              is(kSynchronization, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION) && is(kContext, CUPTI_ACTIVITY_KIND_CONTEXT) &&
              is(kGraphTrace, CUPTI_ACTIVITY_KIND_GRAPH_TRACE));
static_assert(is(kNoStream, CUPTI_SYNCHRONIZATION_INVALID_VALUE));

}  // namespace tauprof::capture::cupti_records
