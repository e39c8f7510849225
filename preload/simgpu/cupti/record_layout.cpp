// The table of record layouts.
#include "simgpu/cupti/record_layout.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace simgpu::cupti {
namespace {

constexpr std::size_t kKernelTimes[] = {offsetof(KernelFields, start), offsetof(KernelFields, end),
                                        offsetof(KernelFields, completed), offsetof(KernelFields, queued),
                                        offsetof(KernelFields, submitted)};
constexpr std::size_t kMemcpyTimes[] = {offsetof(MemcpyRecord, start), offsetof(MemcpyRecord, end)};
constexpr std::size_t kPeerCopyTimes[] = {offsetof(PeerCopyRecord, start), offsetof(PeerCopyRecord, end)};
constexpr std::size_t kMemsetTimes[] = {offsetof(MemsetRecord, start), offsetof(MemsetRecord, end)};
constexpr std::size_t kApiTimes[] = {offsetof(ApiCallRecord, start), offsetof(ApiCallRecord, end)};
constexpr std::size_t kSynchronizationTimes[] = {offsetof(SynchronizationRecord, start),
                                                 offsetof(SynchronizationRecord, end)};
constexpr std::size_t kGraphTimes[] = {offsetof(GraphRecord, start), offsetof(GraphRecord, end)};

const RecordLayout kLayouts[] = {
    {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, sizeof(KernelRecord), kKernelTimes},
    {CUPTI_ACTIVITY_KIND_KERNEL, sizeof(KernelRecord), kKernelTimes},
    {CUPTI_ACTIVITY_KIND_MEMCPY, sizeof(MemcpyRecord), kMemcpyTimes},
    {CUPTI_ACTIVITY_KIND_MEMCPY2, sizeof(PeerCopyRecord), kPeerCopyTimes},
    {CUPTI_ACTIVITY_KIND_MEMSET, sizeof(MemsetRecord), kMemsetTimes},
    {CUPTI_ACTIVITY_KIND_RUNTIME, sizeof(ApiCallRecord), kApiTimes},
    {CUPTI_ACTIVITY_KIND_DRIVER, sizeof(ApiCallRecord), kApiTimes},
    {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, sizeof(SynchronizationRecord), kSynchronizationTimes},
    {CUPTI_ACTIVITY_KIND_GRAPH_TRACE, sizeof(GraphRecord), kGraphTimes},
    {CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, sizeof(ExternalRecord), {}},
    {CUPTI_ACTIVITY_KIND_DEVICE, sizeof(DeviceRecord), {}},
    {CUPTI_ACTIVITY_KIND_CONTEXT, sizeof(ContextRecord), {}},
    {CUPTI_ACTIVITY_KIND_STREAM, sizeof(StreamRecord), {}},
};

}  // namespace

const RecordLayout* record_layout(std::uint32_t kind) {
  const auto found = std::find_if(std::begin(kLayouts), std::end(kLayouts),
                                  [&](const RecordLayout& layout) { return std::uint32_t(layout.kind) == kind; });
  return found == std::end(kLayouts) ? nullptr : &*found;
}

std::uint32_t record_kind(const std::uint8_t* bytes) {
  std::uint32_t kind;
  std::memcpy(&kind, bytes, sizeof kind);
  return kind;
}

CUptiResult next_record(std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record) {
  if (!buffer || !record) return CUPTI_ERROR_INVALID_PARAMETER;
  std::uint8_t* next = buffer;
  if (*record) {
    const auto* current = reinterpret_cast<const std::uint8_t*>(*record);
    const RecordLayout* layout = record_layout(record_kind(current));
    if (!layout) return CUPTI_ERROR_INVALID_KIND;
    next += (current - buffer) + layout->size;
  }
  const std::size_t left = valid - std::min(valid, static_cast<std::size_t>(next - buffer));
  if (left == 0) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  if (left < sizeof(CUpti_Activity)) return CUPTI_ERROR_INVALID_KIND;
  const RecordLayout* layout = record_layout(record_kind(next));
  if (!layout || layout->size > left) return CUPTI_ERROR_INVALID_KIND;
  *record = reinterpret_cast<CUpti_Activity*>(next);
  return CUPTI_SUCCESS;
}

}  // namespace simgpu::cupti
