#include "simgpu/cupti/resource_watch.h"

#include "simgpu/cupti/contexts.h"
#include "simgpu/cupti/device_record.h"
#include "simgpu/cupti/session.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/stream.h"

namespace simgpu::cupti {
namespace {

// A call's parameters; null if the engine does not know them.
template <typename Parameters>
const Parameters* parameters_of(const ApiRecord& call) {
  return static_cast<const Parameters*>(call.parameters);
}

cudaStream_t created_stream(const ApiRecord& call) {
  if (call.result != 0 || !call.parameters) return nullptr;
  switch (call.cbid) {
    case CUPTI_RUNTIME_TRACE_CBID_cudaStreamCreate_v3020:
      return *parameters_of<cudaStreamCreate_v3020_params>(call)->pStream;
    case CUPTI_RUNTIME_TRACE_CBID_cudaStreamCreateWithFlags_v5000:
      return *parameters_of<cudaStreamCreateWithFlags_v5000_params>(call)->pStream;
    case CUPTI_RUNTIME_TRACE_CBID_cudaStreamCreateWithPriority_v5050:
      return *parameters_of<cudaStreamCreateWithPriority_v5050_params>(call)->pStream;
    default:
      return nullptr;
  }
}

CUpti_ActivityStreamFlag stream_flag(unsigned flags) {
  return flags & cudaStreamNonBlocking ? CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING
                                       : CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT;
}

// The null stream of a device that has a context.
StreamRef null_stream(int device) {
  const int before = current_device();
  set_current_device(device);
  StreamRef stream = find_stream(nullptr);
  set_current_device(before);
  return stream;
}

}  // namespace

void ResourceWatch::note_existing() {
  for (int device = 0; device < device_count(); ++device) known_contexts_[device] = existing_context(device) != 0;
}

void ResourceWatch::call_entered(const ApiRecord& call) {
  if (call.domain != ApiDomain::Runtime || !call.parameters) return;
  if (call.cbid != CUPTI_RUNTIME_TRACE_CBID_cudaStreamDestroy_v5050) return;
  const cudaStream_t stream = parameters_of<cudaStreamDestroy_v5050_params>(call)->stream;
  if (find_stream(stream)) call_back(CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING, call.context, stream);
}

void ResourceWatch::call_left(const ApiRecord& call) {
  if (call.context != 0 && !known_contexts_[current_device()]) announce_context(call);
  if (call.domain != ApiDomain::Runtime) return;
  if (const cudaStream_t stream = created_stream(call)) announce_stream(call, stream);
  if (call.result == 0) synchronized(call);
}

void ResourceWatch::announce_context(const ApiRecord& call) {
  const int device = current_device();
  bool first_context = true;
  for (const auto& known : known_contexts_) first_context = first_context && !known;
  if (known_contexts_[device].exchange(true)) return;
  if (first_context) stage_devices();
  stage_context(device, call.context);
  stage_stream(call.context, nullptr, call.correlation);
  call_back(CUPTI_CBID_RESOURCE_CONTEXT_CREATED, call.context, nullptr);
}

void ResourceWatch::announce_stream(const ApiRecord& call, cudaStream_t handle) {
  stage_stream(call.context, handle, call.correlation);
  call_back(CUPTI_CBID_RESOURCE_STREAM_CREATED, call.context, handle);
}

void ResourceWatch::synchronized(const ApiRecord& call) {
  CUpti_CallbackIdSync cbid;
  CUpti_SynchronizeData data{context_handle(call.context), nullptr};
  switch (call.cbid) {
    case CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020:
    case CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_ptsz_v7000:
      cbid = CUPTI_CBID_SYNCHRONIZE_STREAM_SYNCHRONIZED;
      if (call.parameters) data.stream = parameters_of<cudaStreamSynchronize_v3020_params>(call)->stream;
      break;
    case CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020:
    case CUPTI_RUNTIME_TRACE_CBID_cudaThreadSynchronize_v3020:
      cbid = CUPTI_CBID_SYNCHRONIZE_CONTEXT_SYNCHRONIZED;
      break;
    default:
      return;
  }
  session_.each_client([&](Client& client) { client.subscriber.call(CUPTI_CB_DOMAIN_SYNCHRONIZE, cbid, &data); });
}

void ResourceWatch::dump(CUpti_ActivityKind kind) {
  if (kind == CUPTI_ACTIVITY_KIND_DEVICE) return stage_devices();
  for (int device = 0; device < device_count(); ++device) {
    const std::uint32_t context = existing_context(device);
    if (context == 0) continue;
    if (kind == CUPTI_ACTIVITY_KIND_CONTEXT) stage_context(device, context);
  }
}

template <typename Record>
void ResourceWatch::stage(const Record& record, std::uint32_t context) {
  session_.each_client([&](Client& client) {
    if (client.selection.wants(record.kind, context)) client.buffers.stage(record);
  });
}

void ResourceWatch::stage_devices() {
  for (int device = 0; device < device_count(); ++device) stage(device_record(device), 0);
}

void ResourceWatch::stage_context(int device, std::uint32_t context) {
  ContextRecord record{};
  record.kind = CUPTI_ACTIVITY_KIND_CONTEXT;
  record.contextId = context;
  record.deviceId = static_cast<std::uint32_t>(device);
  record.computeApiKind = CUPTI_ACTIVITY_COMPUTE_API_CUDA;
  if (const StreamRef stream = null_stream(device)) {
    record.nullStreamId = static_cast<std::uint16_t>(stream_traits(*stream).id);
  }
  stage(record, context);
}

void ResourceWatch::stage_stream(std::uint32_t context, cudaStream_t handle, std::uint32_t correlation) {
  const StreamRef stream = find_stream(handle);
  if (!stream) return;
  const StreamTraits traits = stream_traits(*stream);
  StreamRecord record{};
  record.kind = CUPTI_ACTIVITY_KIND_STREAM;
  record.contextId = context;
  record.streamId = traits.id;
  record.priority = static_cast<std::uint32_t>(traits.priority);
  record.flag = handle ? stream_flag(traits.flags) : CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL;
  record.correlationId = correlation;
  stage(record, context);
}

void ResourceWatch::call_back(CUpti_CallbackIdResource cbid, std::uint32_t context, cudaStream_t stream) {
  CUpti_ResourceData data{};
  data.context = context_handle(context);
  data.resourceHandle.stream = stream;
  session_.each_client([&](Client& client) { client.subscriber.call(CUPTI_CB_DOMAIN_RESOURCE, cbid, &data); });
}

}  // namespace simgpu::cupti
