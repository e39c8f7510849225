// The functions of the activity API for a client with a subscriber of its own. CUDA 13.2 to 13.4 brought them, so
// headers of older versions do not declare them, and those of newer ones would contradict what is defined here: each
// gets its exported name without a declaration.
#include <cupti.h>

#include <cstdint>
#include <cstring>

#include "simgpu/cupti/activity_selection.h"
#include "simgpu/cupti/attributes.h"
#include "simgpu/cupti/faults.h"
#include "simgpu/cupti/session.h"
#include "simgpu/engine/visibility.h"

using namespace simgpu;
using namespace simgpu::cupti;

namespace {

// Of CUpti_ActivityAttribute, as it is from CUDA 13.2 on.
enum Attribute : std::uint32_t {
  kMultipleSubscriberState = 12,
  kMultiSubscriberGraphTrace = 20,
  kThreadIdType = 21,
  kTimestampCallback = 22,
};

// Runs `body` for the client with this handle.
template <typename Body>
CUptiResult serve_client(CUpti_SubscriberHandle handle, Body body) {
  return serve([&] {
    Session& session = Session::get();
    Client* const client = session.find(handle);
    return client && client != &session ? body(*client) : CUPTI_ERROR_INVALID_PARAMETER;
  });
}

CUptiResult set_kind(Client& client, CUpti_ActivityKind kind, bool enabled) {
  const CUptiResult error = check_enable(kind);
  if (enabled && faults().enable != CUPTI_SUCCESS) return faults().enable;
  if (enabled && error != CUPTI_SUCCESS) return error;
  if (error == CUPTI_ERROR_INVALID_KIND) return error;
  if (enabled) client.worker.start();
  client.selection.set(kind, enabled);
  return CUPTI_SUCCESS;
}

CUptiResult set_call(Client& client, ApiDomain domain, CUpti_CallbackId cbid, bool enabled) {
  if (enabled) client.worker.start();
  return client.selection.set_call(domain, cbid, enabled);
}

// "Current behavior is that this cannot be used when multiple subscribers are allowed." (13.3, of the clock)
CUptiResult set_clock(Client& client, CUpti_TimestampCallbackFunc clock) {
  if (api_version() < 130400 && Session::get().allows_several == 1) return CUPTI_ERROR_NOT_SUPPORTED;
  client.clock.use(clock);
  return CUPTI_SUCCESS;
}

template <typename Value>
CUptiResult copy_in(const std::size_t* size, const void* from, Value& value) {
  if (!size || !from) return CUPTI_ERROR_INVALID_PARAMETER;
  if (*size < sizeof value) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
  std::memcpy(&value, from, sizeof value);
  return CUPTI_SUCCESS;
}

CUptiResult set(Client& client, std::uint32_t attribute, const std::size_t* size, const void* value) {
  CUptiResult error = CUPTI_SUCCESS;
  if (attribute == kTimestampCallback) {
    CUpti_TimestampCallbackFunc clock = nullptr;
    error = copy_in(size, value, clock);
    return error != CUPTI_SUCCESS ? error : set_clock(client, clock);
  }
  if (attribute == kThreadIdType) {
    CUpti_ActivityThreadIdType type{};
    error = copy_in(size, value, type);
    if (error == CUPTI_SUCCESS) client.thread_id_type = type;
    return error;
  }
  if (attribute == CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER) {
    std::uint8_t per_thread = 0;
    error = copy_in(size, value, per_thread);
    if (error == CUPTI_SUCCESS) client.buffers.per_thread = per_thread != 0;
    return error;
  }
  if (attribute == kMultipleSubscriberState) return CUPTI_ERROR_NOT_SUPPORTED;
  return set_attribute(static_cast<CUpti_ActivityAttribute>(attribute), size, value);
}

CUptiResult get(std::uint32_t attribute, std::size_t* size, void* value) {
  if (!size || !value) return CUPTI_ERROR_INVALID_PARAMETER;
  if (attribute != kMultipleSubscriberState && attribute != kMultiSubscriberGraphTrace)
    return get_attribute(static_cast<CUpti_ActivityAttribute>(attribute), size, value);
  if (*size < 1) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
  *static_cast<std::uint8_t*>(value) =
      attribute == kMultipleSubscriberState ? Session::get().allows_several.load() : std::uint8_t{0};
  *size = 1;
  return CUPTI_SUCCESS;
}

}  // namespace

#define SIMGPU_SUBSCRIBER_FUNCTION(name, ...)                                     \
  extern "C" SIMGPU_API CUptiResult of_subscriber_##name(__VA_ARGS__) asm(#name); \
  CUptiResult of_subscriber_##name(__VA_ARGS__)

SIMGPU_SUBSCRIBER_FUNCTION(cuptiActivityRegisterCallbacks_v2, CUpti_SubscriberHandle subscriber,
                           ActivityBuffers::SubscriberRequested requested,
                           ActivityBuffers::SubscriberCompleted completed) {
  return serve_client(subscriber, [&](Client& client) {
    if (!requested || !completed) return CUPTI_ERROR_INVALID_PARAMETER;
    if (faults().register_callbacks != CUPTI_SUCCESS) return faults().register_callbacks;
    client.buffers.use_subscriber_callbacks(requested, completed);
    return CUPTI_SUCCESS;
  });
}

SIMGPU_SUBSCRIBER_FUNCTION(cuptiActivityEnable_v2, CUpti_SubscriberHandle subscriber, CUpti_ActivityKind kind, void*) {
  return serve_client(subscriber, [&](Client& client) {
    delay_if_slow();
    return set_kind(client, kind, true);
  });
}

SIMGPU_SUBSCRIBER_FUNCTION(cuptiActivityDisable_v2, CUpti_SubscriberHandle subscriber, CUpti_ActivityKind kind, void*) {
  return serve_client(subscriber, [&](Client& client) { return set_kind(client, kind, false); });
}

SIMGPU_SUBSCRIBER_FUNCTION(cuptiActivityEnableRuntimeApi_v2, CUpti_SubscriberHandle subscriber, CUpti_CallbackId cbid,
                           std::uint8_t enable) {
  return serve_client(subscriber,
                      [&](Client& client) { return set_call(client, ApiDomain::Runtime, cbid, enable != 0); });
}

SIMGPU_SUBSCRIBER_FUNCTION(cuptiActivityEnableDriverApi_v2, CUpti_SubscriberHandle subscriber, CUpti_CallbackId cbid,
                           std::uint8_t enable) {
  return serve_client(subscriber,
                      [&](Client& client) { return set_call(client, ApiDomain::Driver, cbid, enable != 0); });
}

SIMGPU_SUBSCRIBER_FUNCTION(cuptiActivitySetAttribute_v2, CUpti_SubscriberHandle subscriber, std::uint32_t attribute,
                           std::size_t* size, void* value) {
  return serve_client(subscriber, [&](Client& client) { return set(client, attribute, size, value); });
}

// "Check multi-subscriber state" comes before the subscription, so there need be no subscriber.
SIMGPU_SUBSCRIBER_FUNCTION(cuptiActivityGetAttribute_v2, CUpti_SubscriberHandle, std::uint32_t attribute,
                           std::size_t* size, void* value) {
  return serve([&] { return get(attribute, size, value); });
}

SIMGPU_SUBSCRIBER_FUNCTION(cuptiActivityGetNextRecord_v2, CUpti_SubscriberHandle subscriber, std::uint8_t* buffer,
                           std::size_t valid, CUpti_Activity** record) {
  return serve_client(subscriber, [&](Client&) { return next_record(buffer, valid, record); });
}

SIMGPU_SUBSCRIBER_FUNCTION(cuptiActivityGetNumDroppedRecords_v2, CUpti_SubscriberHandle subscriber, CUcontext,
                           std::uint32_t, std::size_t* dropped) {
  return serve_client(subscriber, [&](Client& client) {
    if (!dropped) return CUPTI_ERROR_INVALID_PARAMETER;
    *dropped = client.buffers.take_dropped();
    return CUPTI_SUCCESS;
  });
}

SIMGPU_SUBSCRIBER_FUNCTION(cuptiGetTimestamp_v2, CUpti_SubscriberHandle subscriber, std::uint64_t* timestamp) {
  return serve_client(subscriber, [&](Client& client) {
    if (!timestamp) return CUPTI_ERROR_INVALID_PARAMETER;
    *timestamp = client.clock.now();
    return CUPTI_SUCCESS;
  });
}

// "If NULL, the union of activity kinds enabled across all subscribers is returned." Only the count is simulated.
SIMGPU_SUBSCRIBER_FUNCTION(cuptiActivityGetEnabledKinds, CUpti_SubscriberHandle subscriber, CUpti_ActivityKind* buffer,
                           std::uint32_t*, std::uint32_t* count) {
  return serve([&] {
    if (buffer) return CUPTI_ERROR_NOT_SUPPORTED;
    if (!count) return CUPTI_ERROR_INVALID_PARAMETER;
    std::uint64_t kinds = 0;
    Session::get().each_client([&](Client& client) {
      if (!subscriber || client.subscriber.is_current(subscriber)) kinds |= client.selection.kinds();
    });
    *count = static_cast<std::uint32_t>(__builtin_popcountll(kinds));
    return CUPTI_SUCCESS;
  });
}
