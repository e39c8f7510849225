#include "simgpu/cupti/recorder.h"

#include <pthread.h>
#include <unistd.h>

#include "simgpu/cupti/contexts.h"
#include "simgpu/cupti/external_correlation.h"
#include "simgpu/cupti/faults.h"
#include "simgpu/cupti/session.h"
#include "simgpu/cupti/span_records.h"

namespace simgpu::cupti {
namespace {

// The calls under way on this thread. What they stage is placed when they return.
thread_local int calls_under_way = 0;

CUpti_CallbackDomain callback_domain(ApiDomain domain) {
  return domain == ApiDomain::Runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API;
}

std::uint32_t thread_id(const ApiRecord& call, CUpti_ActivityThreadIdType type) {
  return type == CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM ? static_cast<std::uint32_t>(call.thread)
                                                      : static_cast<std::uint32_t>(pthread_self());
}

}  // namespace

void Recorder::api_entered(const ApiRecord& call) {
  if (is_lost_in_fork()) return;
  ++calls_under_way;
  call_back(call, CUPTI_API_ENTER);
  resources_.call_entered(call);
}

void Recorder::api_left(const ApiRecord& call) {
  if (is_lost_in_fork()) return;
  resources_.call_left(call);
  session_.each_client([&](Client& client) { record_call(client, call); });
  call_back(call, CUPTI_API_EXIT);
  // The observer may have been set during this call.
  if (calls_under_way > 0) --calls_under_way;
  session_.each_client([](Client& client) { client.buffers.place_own(); });
}

void Recorder::call_back(const ApiRecord& call, CUpti_ApiCallbackSite site) {
  const CUpti_CallbackDomain domain = callback_domain(call.domain);
  if (!wants_callback(domain, call.cbid)) return;
  int result = call.result;
  CUpti_CallbackData data{};
  data.callbackSite = site;
  data.functionName = call.function;
  data.functionParams = call.parameters;
  data.functionReturnValue = site == CUPTI_API_EXIT ? &result : nullptr;
  data.symbolName = call.symbol;
  data.context = context_handle(call.context);
  data.contextUid = call.context;
  data.correlationData = call.scratch;
  data.correlationId = call.correlation;
  session_.each_client([&](Client& client) { client.subscriber.call(domain, call.cbid, &data); });
}

bool Recorder::wants_callback(CUpti_CallbackDomain domain, std::uint32_t cbid) const {
  bool wants = false;
  session_.each_client([&](Client& client) { wants = wants || client.subscriber.wants(domain, cbid); });
  return wants;
}

void Recorder::record_call(Client& client, const ApiRecord& call) {
  if (!client.selection.wants_call(call.domain, call.cbid, call.context)) return;
  if (client.selection.wants(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, call.context)) {
    for (int i = CUPTI_EXTERNAL_CORRELATION_KIND_UNKNOWN; i < CUPTI_EXTERNAL_CORRELATION_KIND_SIZE; ++i) {
      const auto kind = static_cast<CUpti_ExternalCorrelationKind>(i);
      if (const auto id = top_external_id(kind)) {
        client.buffers.stage(ExternalRecord{CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, kind, *id, call.correlation, 0});
      }
    }
  }
  ApiCallRecord record{};
  record.kind = call.domain == ApiDomain::Runtime ? CUPTI_ACTIVITY_KIND_RUNTIME : CUPTI_ACTIVITY_KIND_DRIVER;
  record.cbid = call.cbid;
  record.start = static_cast<std::uint64_t>(call.start);
  record.end = static_cast<std::uint64_t>(call.end);
  record.processId = static_cast<std::uint32_t>(getpid());
  record.threadId = thread_id(call, client.thread_id_type);
  record.correlationId = call.correlation;
  record.returnValue = static_cast<std::uint32_t>(call.result);
  client.buffers.stage(record);
}

void Recorder::span_submitted(std::uint64_t id, const SpanDescription& what) {
  if (is_lost_in_fork()) return;
  session_.each_client([&](Client& client) { span_submitted(client, id, what); });
}

void Recorder::span_submitted(Client& client, std::uint64_t id, const SpanDescription& what) {
  if (client.has_graphs_as_nodes && what.kind == SpanKind::Graph) return;
  const bool is_node = what.graph != 0 && what.kind != SpanKind::Graph && !client.has_graphs_as_nodes;
  if (is_node && client.selection.wants(CUPTI_ACTIVITY_KIND_GRAPH_TRACE, what.context)) {
    const bool is_copy_or_set = what.kind == SpanKind::Memcpy || what.kind == SpanKind::Memset;
    if (is_copy_or_set && api_version() < 23) crash("tracing a graph with copies");
    return;
  }
  stage_span(client, id, what);
}

void Recorder::stage_span(Client& client, std::uint64_t id, const SpanDescription& what) {
  const auto wants = [&](CUpti_ActivityKind kind) { return client.selection.wants(kind, what.context); };
  ActivityBuffers& buffers = client.buffers;
  switch (what.kind) {
    case SpanKind::None:
      return;
    case SpanKind::Kernel:
    case SpanKind::Collective:
      if (wants(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)) {
        buffers.stage(kernel_record(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, id, what), id);
      } else if (wants(CUPTI_ACTIVITY_KIND_KERNEL)) {
        // The real kind serializes kernels; here they still run concurrently.
        buffers.stage(kernel_record(CUPTI_ACTIVITY_KIND_KERNEL, id, what), id);
      } else {
        return;
      }
      break;
    case SpanKind::Memcpy:
      if (what.direction == CopyDirection::PeerToPeer) {
        if (!wants(CUPTI_ACTIVITY_KIND_MEMCPY2)) return;
        buffers.stage(peer_copy_record(what), id);
      } else {
        if (!wants(CUPTI_ACTIVITY_KIND_MEMCPY)) return;
        buffers.stage(memcpy_record(what), id);
      }
      break;
    case SpanKind::Memset:
      if (!wants(CUPTI_ACTIVITY_KIND_MEMSET)) return;
      buffers.stage(memset_record(what), id);
      break;
    case SpanKind::Graph:
      if (!wants(CUPTI_ACTIVITY_KIND_GRAPH_TRACE)) return;
      buffers.stage(graph_record(what), id);
      break;
  }
  if (calls_under_way == 0) buffers.wake_worker();
}

void Recorder::span_finished(const Span& span) {
  if (is_lost_in_fork()) return;
  session_.each_client([&](Client& client) {
    const bool with_latency = client.latency_timestamps;
    client.buffers.complete(span.id, [&](std::uint8_t* bytes) { finish_record(bytes, span, with_latency); });
  });
}

bool Recorder::collects() {
  bool collects = false;
  session_.each_client([&](Client& client) { collects = collects || client.selection.has_kinds(); });
  return collects;
}

void Recorder::synchronized(const SyncSpan& sync) {
  if (is_lost_in_fork()) return;
  session_.each_client([&](Client& client) {
    if (!client.selection.wants(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, sync.context)) return;
    client.buffers.stage(synchronization_record(sync));
    if (calls_under_way == 0) client.buffers.wake_worker();
  });
}

}  // namespace simgpu::cupti
