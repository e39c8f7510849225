// The exported functions of the callback API.
#include <cupti.h>

#include <cstdio>
#include <string>

#include "simgpu/cupti/attachment.h"
#include "simgpu/cupti/faults.h"
#include "simgpu/cupti/names.h"
#include "simgpu/cupti/session.h"

using namespace simgpu::cupti;

namespace {

CUptiResult subscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* userdata) {
  if (const CUptiResult error = attach()) return error;
  return Session::get().subscriber.subscribe(subscriber, callback, userdata);
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
    if (api_version() >= 130200 && Session::get().selection.has_kinds())
      return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    if (!pParams) return subscribe(subscriber, callback, userdata);
    if (pParams->structSize != CUpti_SubscriberParams_STRUCT_SIZE) return CUPTI_ERROR_INVALID_PARAMETER;
    const CUptiResult result = subscribe(subscriber, callback, userdata);
    Subscriber& one = Session::get().subscriber;
    if (result == CUPTI_SUCCESS) one.set_name(pParams->subscriberName);
    if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED && pParams->oldSubscriberName) {
      const std::string name = one.name();
      std::snprintf(pParams->oldSubscriberName, pParams->oldSubscriberSize, "%s", name.c_str());
    }
    return result;
  });
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle subscriber) {
  return serve([&] { return Session::get().subscriber.unsubscribe(subscriber); });
}

CUptiResult cuptiGetCallbackState(uint32_t* enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain,
                                  CUpti_CallbackId cbid) {
  return serve([&] { return Session::get().subscriber.state(subscriber, domain, cbid, enable); });
}

CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain,
                                CUpti_CallbackId cbid) {
  return serve([&] { return Session::get().subscriber.enable(subscriber, domain, cbid, enable); });
}

CUptiResult cuptiEnableDomain(uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain) {
  return serve([&] { return Session::get().subscriber.enable_domain(subscriber, domain, enable); });
}

CUptiResult cuptiEnableAllDomains(uint32_t enable, CUpti_SubscriberHandle subscriber) {
  return serve([&] { return Session::get().subscriber.enable_all(subscriber, enable); });
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t cbid, const char** name) {
  if (!name) return keep_error(CUPTI_ERROR_INVALID_PARAMETER);
  *name = callback_name(domain, cbid);
  return keep_error(*name ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER);
}
