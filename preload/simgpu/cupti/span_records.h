// Makes activity records of work on a device, from what the engine reports.
//
// Times are host times here; they are converted when the buffer is delivered.
#pragma once

#include "simgpu/cupti/record_layout.h"
#include "simgpu/engine/observer.h"
#include "simgpu/engine/span.h"

namespace simgpu::cupti {

KernelRecord kernel_record(CUpti_ActivityKind kind, std::uint64_t id, const SpanDescription& what);
MemcpyRecord memcpy_record(const SpanDescription& what);
PeerCopyRecord peer_copy_record(const SpanDescription& what);
MemsetRecord memset_record(const SpanDescription& what);
GraphRecord graph_record(const SpanDescription& what);
SynchronizationRecord synchronization_record(const SyncSpan& sync);

// Writes the times of the finished span to its record at `bytes`.
void finish_record(std::uint8_t* bytes, const Span& span, bool with_latency);

}  // namespace simgpu::cupti
