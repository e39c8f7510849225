#include "simgpu/cupti/span_records.h"

#include <cstring>

#include "simgpu/engine/device.h"

namespace simgpu::cupti {
namespace {

std::uint8_t memory_kind_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::Pageable:
      return CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
    case MemoryKind::Pinned:
      return CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
    case MemoryKind::Device:
      return CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    case MemoryKind::Managed:
      return CUPTI_ACTIVITY_MEMORY_KIND_MANAGED;
  }
  return CUPTI_ACTIVITY_MEMORY_KIND_UNKNOWN;
}

std::uint8_t copy_kind_of(CopyDirection direction) {
  switch (direction) {
    case CopyDirection::HostToDevice:
      return CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
    case CopyDirection::DeviceToHost:
      return CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
    case CopyDirection::DeviceToDevice:
      return CUPTI_ACTIVITY_MEMCPY_KIND_DTOD;
    case CopyDirection::HostToHost:
      return CUPTI_ACTIVITY_MEMCPY_KIND_HTOH;
    case CopyDirection::PeerToPeer:
      return CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
  }
  return CUPTI_ACTIVITY_MEMCPY_KIND_UNKNOWN;
}

// The common fields of span records.
template <typename Record>
Record new_record(CUpti_ActivityKind kind, const SpanDescription& what) {
  Record record{};
  record.kind = kind;
  record.deviceId = static_cast<std::uint32_t>(what.device);
  record.contextId = what.context;
  record.streamId = what.stream;
  record.correlationId = what.correlation;
  record.graphId = what.graph;
  return record;
}

template <typename Record>
Record begun_copy(CUpti_ActivityKind kind, const SpanDescription& what) {
  Record record = new_record<Record>(kind, what);
  record.copyKind = copy_kind_of(what.direction);
  record.srcKind = memory_kind_of(what.source);
  record.dstKind = memory_kind_of(what.destination);
  record.flags = what.is_async ? CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC : CUPTI_ACTIVITY_FLAG_NONE;
  record.bytes = what.bytes;
  record.graphNodeId = what.graph_node;
  record.channelType = CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY;
  return record;
}

void put_time(std::uint8_t* bytes, std::size_t offset, Nanoseconds time) {
  const std::uint64_t value = static_cast<std::uint64_t>(time);
  std::memcpy(bytes + offset, &value, sizeof value);
}

}  // namespace

KernelRecord kernel_record(CUpti_ActivityKind kind, std::uint64_t id, const SpanDescription& what) {
  KernelRecord record = new_record<KernelRecord>(kind, what);
  const KernelShape& shape = what.shape;
  record.gridX = static_cast<std::int32_t>(shape.grid[0]);
  record.gridY = static_cast<std::int32_t>(shape.grid[1]);
  record.gridZ = static_cast<std::int32_t>(shape.grid[2]);
  record.blockX = static_cast<std::int32_t>(shape.block[0]);
  record.blockY = static_cast<std::int32_t>(shape.block[1]);
  record.blockZ = static_cast<std::int32_t>(shape.block[2]);
  record.staticSharedMemory = static_cast<std::int32_t>(shape.static_shared_bytes);
  record.dynamicSharedMemory = static_cast<std::int32_t>(shape.dynamic_shared_bytes);
  record.sharedMemoryExecuted = shape.static_shared_bytes + shape.dynamic_shared_bytes;
  record.registersPerThread = static_cast<std::uint16_t>(shape.registers_per_thread);
  record.gridId = static_cast<std::int64_t>(id);
  record.name = what.name;
  record.launchType = CUPTI_ACTIVITY_LAUNCH_TYPE_REGULAR;
  record.graphNodeId = what.graph_node;
  record.channelType = CUPTI_CHANNEL_TYPE_COMPUTE;
  return record;
}

MemcpyRecord memcpy_record(const SpanDescription& what) {
  MemcpyRecord record = begun_copy<MemcpyRecord>(CUPTI_ACTIVITY_KIND_MEMCPY, what);
  record.runtimeCorrelationId = what.correlation;
  record.copyCount = 1;
  return record;
}

PeerCopyRecord peer_copy_record(const SpanDescription& what) {
  PeerCopyRecord record = begun_copy<PeerCopyRecord>(CUPTI_ACTIVITY_KIND_MEMCPY2, what);
  record.srcDeviceId = static_cast<std::uint32_t>(what.device);
  record.srcContextId = what.context;
  record.dstDeviceId = static_cast<std::uint32_t>(what.peer_device);
  record.dstContextId = existing_context(what.peer_device);
  return record;
}

MemsetRecord memset_record(const SpanDescription& what) {
  MemsetRecord record = new_record<MemsetRecord>(CUPTI_ACTIVITY_KIND_MEMSET, what);
  record.value = what.set_value;
  record.bytes = what.bytes;
  record.flags = what.is_async ? CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC : CUPTI_ACTIVITY_FLAG_NONE;
  record.memoryKind = memory_kind_of(what.destination);
  record.graphNodeId = what.graph_node;
  record.channelType = CUPTI_CHANNEL_TYPE_COMPUTE;
  return record;
}

GraphRecord graph_record(const SpanDescription& what) {
  GraphRecord record = new_record<GraphRecord>(CUPTI_ACTIVITY_KIND_GRAPH_TRACE, what);
  record.endDeviceId = record.deviceId;
  record.endContextId = record.contextId;
  return record;
}

SynchronizationRecord synchronization_record(const SyncSpan& sync) {
  const bool of_event = sync.kind == SyncKind::EventSynchronize || sync.kind == SyncKind::StreamWaitEvent;
  SynchronizationRecord record{};
  record.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
  switch (sync.kind) {
    case SyncKind::EventSynchronize:
      record.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE;
      break;
    case SyncKind::StreamWaitEvent:
      record.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
      break;
    case SyncKind::StreamSynchronize:
      record.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE;
      break;
    case SyncKind::ContextSynchronize:
      record.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE;
      break;
  }
  record.start = static_cast<std::uint64_t>(sync.start);
  record.end = static_cast<std::uint64_t>(sync.end);
  record.correlationId = sync.correlation;
  record.contextId = sync.context;
  record.streamId = sync.stream;
  record.cudaEventId = of_event ? sync.event : CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  // Would name the record of the event's recording, but there are no such records.
  record.cudaEventSyncId = CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  return record;
}

void finish_record(std::uint8_t* bytes, const Span& span, bool with_latency) {
  const std::uint32_t kind = record_kind(bytes);
  const RecordLayout* layout = record_layout(kind);
  put_time(bytes, layout->times[0], span.device_start);
  put_time(bytes, layout->times[1], span.device_end);
  if (kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL && kind != CUPTI_ACTIVITY_KIND_KERNEL) return;
  put_time(bytes, offsetof(KernelFields, completed), span.device_end);
  if (!with_latency) return;
  put_time(bytes, offsetof(KernelFields, queued), span.submitted);
  put_time(bytes, offsetof(KernelFields, submitted), span.submitted);
}

}  // namespace simgpu::cupti
