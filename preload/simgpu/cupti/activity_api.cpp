// The exported functions of the activity API.
#include <cupti.h>
#include <unistd.h>

#include <algorithm>

#include "simgpu/cupti/attachment.h"
#include "simgpu/cupti/attributes.h"
#include "simgpu/cupti/contexts.h"
#include "simgpu/cupti/external_correlation.h"
#include "simgpu/cupti/faults.h"
#include "simgpu/cupti/session.h"
#include "simgpu/engine/device.h"

using namespace simgpu;
using namespace simgpu::cupti;

namespace {

// The common start of all functions that enable records: checks for an injected fault, the kind and devices.
CUptiResult begin_collection(CUpti_ActivityKind kind) {
  if (Session::get().has_subscribers()) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  if (faults().enable != CUPTI_SUCCESS) return faults().enable;
  if (const CUptiResult error = check_enable(kind)) return error;
  if (const CUptiResult error = attach()) return error;
  Session::get().worker.start();
  return CUPTI_SUCCESS;
}

CUptiResult set_kind(CUpti_ActivityKind kind, bool enabled) {
  if (enabled) {
    if (const CUptiResult error = begin_collection(kind)) return error;
  } else if (Session::get().has_subscribers()) {
    return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  } else if (check_enable(kind) == CUPTI_ERROR_INVALID_KIND) {
    return CUPTI_ERROR_INVALID_KIND;
  } else if (faults().disable_hangs && kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
    while (Session::get().buffers.has_unfinished()) pause();
  }
  Session::get().selection.set(kind, enabled);
  return CUPTI_SUCCESS;
}

CUptiResult set_kind_in_context(CUcontext context, CUpti_ActivityKind kind, bool enabled) {
  const auto id = context_id(context);
  if (!id) return CUPTI_ERROR_INVALID_CONTEXT;
  const CUptiResult error = enabled ? begin_collection(kind) : check_enable(kind);
  if (error != CUPTI_SUCCESS) return error;
  Session::get().selection.set_in_context(*id, kind, enabled);
  return CUPTI_SUCCESS;
}

CUptiResult set_call(CUpti_ActivityKind kind, ApiDomain domain, CUpti_CallbackId cbid, bool enabled) {
  if (enabled) {
    if (const CUptiResult error = begin_collection(kind)) return error;
  }
  return Session::get().selection.set_call(domain, cbid, enabled);
}

CUptiResult flush(std::uint32_t flag) {
  if (faults().flush != CUPTI_SUCCESS) return faults().flush;
  if (device_count() == 0) return CUPTI_ERROR_UNKNOWN;
  const bool is_forced = flag & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED;
  bool has_callbacks = false;
  Session::get().each_client([&](Client& client) {
    ActivityBuffers& buffers = client.buffers;
    if (!buffers.has_callbacks()) return;
    has_callbacks = true;
    if (is_forced && faults().flush_crashes && buffers.has_unfinished()) crash("cuptiActivityFlushAll");
    buffers.flush(is_forced);
  });
  return has_callbacks ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_OPERATION;
}

}  // namespace

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc requested,
                                           CUpti_BuffersCallbackCompleteFunc completed) {
  return serve([&] {
    if (!requested || !completed) return CUPTI_ERROR_INVALID_PARAMETER;
    if (const CUptiResult error = claim()) return error;
    if (Session::get().has_subscribers()) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    if (faults().register_callbacks != CUPTI_SUCCESS) return faults().register_callbacks;
    Session::get().buffers.use_callbacks(requested, completed);
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  return serve([&] { return set_kind(kind, true); });
}

CUptiResult cuptiActivityEnableAndDump(CUpti_ActivityKind kind) {
  return serve([&] {
    const CUptiResult error = set_kind(kind, true);
    if (error != CUPTI_SUCCESS || !Session::get().buffers.has_callbacks()) return error;
    dump_resources(kind);
    Session::get().buffers.place_own();
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
  return serve([&] { return set_kind(kind, false); });
}

CUptiResult cuptiActivityEnableContext(CUcontext context, CUpti_ActivityKind kind) {
  return serve([&] { return set_kind_in_context(context, kind, true); });
}

CUptiResult cuptiActivityDisableContext(CUcontext context, CUpti_ActivityKind kind) {
  return serve([&] { return set_kind_in_context(context, kind, false); });
}

CUptiResult cuptiActivityEnableRuntimeApi(CUpti_CallbackId cbid, uint8_t enable) {
  return serve([&] { return set_call(CUPTI_ACTIVITY_KIND_RUNTIME, ApiDomain::Runtime, cbid, enable); });
}

CUptiResult cuptiActivityEnableDriverApi(CUpti_CallbackId cbid, uint8_t enable) {
  return serve([&] { return set_call(CUPTI_ACTIVITY_KIND_DRIVER, ApiDomain::Driver, cbid, enable); });
}

CUptiResult cuptiActivityFlushAll(uint32_t flag) {
  return serve([&] { return flush(flag); });
}

CUptiResult cuptiActivityFlush(CUcontext, uint32_t, uint32_t flag) {
  return serve([&] { return flush(flag); });
}

CUptiResult cuptiActivityFlushPeriod(uint32_t time) {
  return serve([&] {
    Session::get().worker.set_period(time);
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiActivityGetNextRecord(uint8_t* buffer, size_t valid_bytes, CUpti_Activity** record) {
  return keep_error(next_record(buffer, valid_bytes, record));
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, uint32_t, size_t* dropped) {
  return serve([&] {
    if (!dropped) return CUPTI_ERROR_INVALID_PARAMETER;
    if (Session::get().has_subscribers()) return CUPTI_ERROR_NOT_COMPATIBLE;
    *dropped = Session::get().buffers.take_dropped();
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiActivityGetAttribute(CUpti_ActivityAttribute attr, size_t* valueSize, void* value) {
  return serve([&] {
    if (Session::get().has_subscribers()) return CUPTI_ERROR_NOT_COMPATIBLE;
    return get_attribute(attr, valueSize, value);
  });
}

CUptiResult cuptiActivitySetAttribute(CUpti_ActivityAttribute attr, size_t* valueSize, void* value) {
  return serve([&] {
    if (Session::get().has_subscribers()) return CUPTI_ERROR_NOT_COMPATIBLE;
    return set_attribute(attr, valueSize, value);
  });
}

CUptiResult cuptiActivityPushExternalCorrelationId(CUpti_ExternalCorrelationKind kind, uint64_t id) {
  return serve([&] {
    if (!is_external_kind(kind)) return CUPTI_ERROR_INVALID_PARAMETER;
    push_external_id(kind, id);
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiActivityPopExternalCorrelationId(CUpti_ExternalCorrelationKind kind, uint64_t* lastId) {
  return serve([&] {
    if (!is_external_kind(kind)) return CUPTI_ERROR_INVALID_PARAMETER;
    const auto id = pop_external_id(kind);
    if (!id) return CUPTI_ERROR_QUEUE_EMPTY;
    if (lastId) *lastId = *id;
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc callback) {
  return serve([&] {
    if (!callback) return CUPTI_ERROR_INVALID_PARAMETER;
    if (Session::get().has_subscribers()) return CUPTI_ERROR_NOT_COMPATIBLE;
    delay_if_slow();
    Session::get().clock.use(callback);
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiActivityEnableLatencyTimestamps(uint8_t enable) {
  return serve([&] {
    Session::get().latency_timestamps = enable != 0;
    return CUPTI_SUCCESS;
  });
}
