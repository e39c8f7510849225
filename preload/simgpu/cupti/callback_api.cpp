// The exported functions of the callback API.
#include <cupti.h>

#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>

#include "simgpu/cupti/attachment.h"
#include "simgpu/cupti/faults.h"
#include "simgpu/cupti/names.h"
#include "simgpu/cupti/session.h"

using namespace simgpu::cupti;

namespace {

CUptiResult subscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* userdata) {
  if (const CUptiResult error = attach()) return error;
  if (Session::get().has_subscribers()) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  return Session::get().subscriber.subscribe(subscriber, callback, userdata);
}

// The sizes of CUpti_SubscriberParams before CUDA 13.2, which appended allowMultipleSubscribers, and since.
constexpr std::size_t kOldSize = 32;
constexpr std::size_t kNewSize = 40;

bool allows_several(const CUpti_SubscriberParams* parameters) {
  return parameters && parameters->structSize == kNewSize && reinterpret_cast<const char*>(parameters)[kOldSize] != 0;
}

// Subscribes a client that uses the functions with a subscriber from then on.
CUptiResult subscribe_beside(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* userdata,
                             bool allows_several) {
  if (const CUptiResult error = attach()) return error;
  Session& session = Session::get();
  const std::lock_guard lock(session.subscribing);
  const bool can_have_several = api_version() >= 130300 && !faults().one_subscriber;
  if (session.is_used_without_subscriber() || (allows_several && !can_have_several))
    return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  if (session.has_subscribers() && (!allows_several || session.allows_several != 1))
    return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  Client* const client = session.add_subscriber();
  if (!client) return CUPTI_ERROR_UNKNOWN;
  const CUptiResult result = client->subscriber.subscribe(subscriber, callback, userdata);
  if (result == CUPTI_SUCCESS) session.allows_several = allows_several;
  return result;
}

Subscriber* find(CUpti_SubscriberHandle handle) {
  Client* const client = Session::get().find(handle);
  return client ? &client->subscriber : nullptr;
}

// The name of the first that has subscribed.
std::string first_name() {
  std::string name;
  Session::get().each_client([&](Client& client) {
    if (name.empty() && client.subscriber.is_subscribed()) name = client.subscriber.name();
  });
  return name;
}

}  // namespace

CUptiResult cuptiSupportedDomains(size_t* domainCount, CUpti_DomainTable* domainTable) {
  static CUpti_CallbackDomain domains[] = {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_CB_DOMAIN_RUNTIME_API,
                                           CUPTI_CB_DOMAIN_RESOURCE,   CUPTI_CB_DOMAIN_SYNCHRONIZE,
                                           CUPTI_CB_DOMAIN_NVTX,       CUPTI_CB_DOMAIN_STATE};
  return serve([&] {
    if (!domainCount || !domainTable) return CUPTI_ERROR_INVALID_PARAMETER;
    *domainCount = sizeof domains / sizeof *domains;
    *domainTable = domains;
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* userdata) {
  return serve([&] { return subscribe(subscriber, callback, userdata); });
}

CUptiResult cuptiSubscribe_v2(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* userdata,
                              CUpti_SubscriberParams* pParams) {
  return serve([&] {
    const bool is_new = api_version() >= 130200;
    if (pParams && pParams->structSize != kOldSize && !(is_new && pParams->structSize == kNewSize))
      return CUPTI_ERROR_INVALID_PARAMETER;
    const std::string before = first_name();
    const CUptiResult result = is_new ? subscribe_beside(subscriber, callback, userdata, allows_several(pParams))
                                      : subscribe(subscriber, callback, userdata);
    if (!pParams) return result;
    if (result == CUPTI_SUCCESS) find(*subscriber)->set_name(pParams->subscriberName);
    if (!before.empty() && pParams->oldSubscriberName)
      std::snprintf(pParams->oldSubscriberName, pParams->oldSubscriberSize, "%s", before.c_str());
    return result;
  });
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle subscriber) {
  return serve([&] {
    Session& session = Session::get();
    Client* const client = session.find(subscriber);
    if (!client) return CUPTI_ERROR_INVALID_PARAMETER;
    delay_if_slow();
    if (client == &session) return session.subscriber.unsubscribe(subscriber);
    const std::lock_guard lock(session.subscribing);
    client->selection.clear();
    client->worker.stop();
    const CUptiResult result = client->subscriber.unsubscribe(subscriber);
    client->buffers.discard();
    if (!session.has_subscribers()) session.allows_several = 2;
    return result;
  });
}

CUptiResult cuptiGetCallbackState(uint32_t* enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain,
                                  CUpti_CallbackId cbid) {
  return serve([&] {
    Subscriber* const found = find(subscriber);
    return found ? found->state(subscriber, domain, cbid, enable) : CUPTI_ERROR_INVALID_PARAMETER;
  });
}

CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain,
                                CUpti_CallbackId cbid) {
  return serve([&] {
    Subscriber* const found = find(subscriber);
    return found ? found->enable(subscriber, domain, cbid, enable) : CUPTI_ERROR_INVALID_PARAMETER;
  });
}

CUptiResult cuptiEnableDomain(uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain) {
  return serve([&] {
    Subscriber* const found = find(subscriber);
    return found ? found->enable_domain(subscriber, domain, enable) : CUPTI_ERROR_INVALID_PARAMETER;
  });
}

CUptiResult cuptiEnableAllDomains(uint32_t enable, CUpti_SubscriberHandle subscriber) {
  return serve([&] {
    Subscriber* const found = find(subscriber);
    return found ? found->enable_all(subscriber, enable) : CUPTI_ERROR_INVALID_PARAMETER;
  });
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t cbid, const char** name) {
  if (!name) return keep_error(CUPTI_ERROR_INVALID_PARAMETER);
  *name = callback_name(domain, cbid);
  return keep_error(*name ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER);
}
