// Streams: creation, order, waiting and attributes.
#include <map>
#include <mutex>

#include "simgpu/cudart/runtime_call.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/graph.h"

namespace simgpu {
namespace {

// Attributes, by stream id. They have no effect but can be read back.
struct StreamAttributes {
  std::mutex mutex;
  std::map<std::pair<std::uint32_t, cudaLaunchAttributeID>, cudaStreamAttrValue> values;
};

StreamAttributes& stream_attributes() {
  static auto* const instance = new StreamAttributes;
  return *instance;
}

bool is_kept(cudaLaunchAttributeID attribute) {
  return attribute == cudaLaunchAttributeAccessPolicyWindow || attribute == cudaLaunchAttributeSynchronizationPolicy ||
         attribute == cudaLaunchAttributeMemSyncDomainMap || attribute == cudaLaunchAttributeMemSyncDomain;
}

cudaError_t get_attribute(const Stream& stream, cudaLaunchAttributeID attribute, cudaStreamAttrValue* out) {
  if (attribute == cudaLaunchAttributePriority) {
    out->priority = stream_traits(stream).priority;
    return cudaSuccess;
  }
  if (!is_kept(attribute)) return cudaErrorInvalidValue;
  const std::lock_guard lock(stream_attributes().mutex);
  *out = stream_attributes().values[{stream_traits(stream).id, attribute}];
  return cudaSuccess;
}

cudaError_t set_attribute(const Stream& stream, cudaLaunchAttributeID attribute, const cudaStreamAttrValue& value) {
  if (!is_kept(attribute)) return cudaErrorInvalidValue;
  const std::lock_guard lock(stream_attributes().mutex);
  stream_attributes().values[{stream_traits(stream).id, attribute}] = value;
  return cudaSuccess;
}

cudaError_t create(cudaStream_t* out, unsigned flags, int priority) {
  if (out == nullptr || (flags & ~unsigned{cudaStreamNonBlocking}) != 0) return cudaErrorInvalidValue;
  return create_stream(current_device(), flags, priority, out);
}

}  // namespace

RUNTIME_CALL(cudaStreamCreate, v3020, (cudaStream_t * pStream), (pStream)) {
  return create(pStream, cudaStreamDefault, kLeastPriority);
}

RUNTIME_CALL(cudaStreamCreateWithFlags, v5000, (cudaStream_t * pStream, unsigned flags), (pStream, flags)) {
  return create(pStream, flags, kLeastPriority);
}

RUNTIME_CALL(cudaStreamCreateWithPriority, v5050, (cudaStream_t * pStream, unsigned flags, int priority),
             (pStream, flags, priority)) {
  return create(pStream, flags, priority);
}

RUNTIME_CALL(cudaStreamDestroy, v5050, (cudaStream_t stream), (stream)) { return destroy_stream(stream); }

RUNTIME_TWINS(cudaStreamSynchronize, _ptsz, v3020, v7000, (cudaStream_t stream), (stream)) {
  const StreamRef found = find_stream(stream, default_stream);
  return found == nullptr ? cudaErrorInvalidResourceHandle : synchronize_stream(found);
}

RUNTIME_TWINS(cudaStreamQuery, _ptsz, v3020, v7000, (cudaStream_t stream), (stream)) {
  const StreamRef found = find_stream(stream, default_stream);
  return found == nullptr ? cudaErrorInvalidResourceHandle : query_stream(found);
}

RUNTIME_TWINS(cudaStreamWaitEvent, _ptsz, v3020, v7000, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
              (stream, event, flags)) {
  if (flags != cudaEventWaitDefault && flags != cudaEventWaitExternal) return cudaErrorInvalidValue;
  const StreamRef found = find_stream(stream, default_stream);
  const EventRef awaited = find_event(event);
  if (found == nullptr || awaited == nullptr) return cudaErrorInvalidResourceHandle;
  return wait_event(found, awaited, flags);
}

RUNTIME_TWINS(cudaStreamGetPriority, _ptsz, v5050, v7000, (cudaStream_t hStream, int* priority), (hStream, priority)) {
  const StreamRef found = find_stream(hStream, default_stream);
  if (priority == nullptr) return cudaErrorInvalidValue;
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  *priority = stream_traits(*found).priority;
  return cudaSuccess;
}

RUNTIME_TWINS(cudaStreamGetFlags, _ptsz, v5050, v7000, (cudaStream_t hStream, unsigned* flags), (hStream, flags)) {
  const StreamRef found = find_stream(hStream, default_stream);
  if (flags == nullptr) return cudaErrorInvalidValue;
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  *flags = stream_traits(*found).flags;
  return cudaSuccess;
}

RUNTIME_TWINS(cudaStreamGetId, _ptsz, v12000, v12000, (cudaStream_t hStream, unsigned long long* streamId),
              (hStream, streamId)) {
  const StreamRef found = find_stream(hStream, default_stream);
  if (streamId == nullptr) return cudaErrorInvalidValue;
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  *streamId = stream_traits(*found).id;
  return cudaSuccess;
}

RUNTIME_TWINS(cudaStreamGetDevice, _ptsz, v12080, v12080, (cudaStream_t hStream, int* device), (hStream, device)) {
  const StreamRef found = find_stream(hStream, default_stream);
  if (device == nullptr) return cudaErrorInvalidValue;
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  *device = stream_traits(*found).device;
  return cudaSuccess;
}

RUNTIME_TWINS(cudaStreamGetAttribute, _ptsz, v11000, v11000,
              (cudaStream_t hStream, cudaStreamAttrID attr, cudaStreamAttrValue* value_out),
              (hStream, attr, value_out)) {
  const StreamRef found = find_stream(hStream, default_stream);
  if (value_out == nullptr) return cudaErrorInvalidValue;
  return found == nullptr ? cudaErrorInvalidResourceHandle : get_attribute(*found, attr, value_out);
}

RUNTIME_TWINS(cudaStreamSetAttribute, _ptsz, v11000, v11000,
              (cudaStream_t hStream, cudaStreamAttrID attr, const cudaStreamAttrValue* value), (hStream, attr, value)) {
  const StreamRef found = find_stream(hStream, default_stream);
  if (value == nullptr) return cudaErrorInvalidValue;
  return found == nullptr ? cudaErrorInvalidResourceHandle : set_attribute(*found, attr, *value);
}

RUNTIME_TWINS(cudaStreamCopyAttributes, _ptsz, v11000, v11000, (cudaStream_t dst, cudaStream_t src), (dst, src)) {
  const StreamRef to = find_stream(dst, default_stream);
  const StreamRef from = find_stream(src, default_stream);
  if (to == nullptr || from == nullptr) return cudaErrorInvalidResourceHandle;
  const std::lock_guard lock(stream_attributes().mutex);
  auto& values = stream_attributes().values;
  const auto source_id = stream_traits(*from).id;
  for (auto entry = values.lower_bound({source_id, cudaLaunchAttributeIgnore});
       entry != values.end() && entry->first.first == source_id; ++entry) {
    values[{stream_traits(*to).id, entry->first.second}] = entry->second;
  }
  return cudaSuccess;
}

}  // namespace simgpu
