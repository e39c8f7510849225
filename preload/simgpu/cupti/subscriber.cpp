// Subscription and the tables of enabled callbacks.
#include "simgpu/cupti/subscriber.h"

#include <cstring>

#include "simgpu/cupti/faults.h"

namespace simgpu::cupti {
namespace {

std::atomic<std::uintptr_t> last_handle{0};

}  // namespace

std::uint32_t callback_ids(CUpti_CallbackDomain domain) {
  switch (domain) {
    case CUPTI_CB_DOMAIN_DRIVER_API:
      return CUPTI_DRIVER_TRACE_CBID_SIZE;
    case CUPTI_CB_DOMAIN_RUNTIME_API:
      return CUPTI_RUNTIME_TRACE_CBID_SIZE;
    case CUPTI_CB_DOMAIN_RESOURCE:
      return CUPTI_CBID_RESOURCE_SIZE;
    case CUPTI_CB_DOMAIN_SYNCHRONIZE:
      return CUPTI_CBID_SYNCHRONIZE_SIZE;
    case CUPTI_CB_DOMAIN_NVTX:
      return CUPTI_CBID_NVTX_SIZE;
    case CUPTI_CB_DOMAIN_STATE:
      return CUPTI_CBID_STATE_SIZE;
    default:
      return 0;
  }
}

bool Subscriber::is_current(CUpti_SubscriberHandle handle) const {
  const auto value = reinterpret_cast<std::uintptr_t>(handle);
  return value != 0 && value == handle_;
}

CUptiResult Subscriber::subscribe(CUpti_SubscriberHandle* handle, CUpti_CallbackFunc callback, void* userdata) {
  if (!handle) return CUPTI_ERROR_INVALID_PARAMETER;
  if (faults().subscribe != CUPTI_SUCCESS) return faults().subscribe;
  if (faults().registered_elsewhere) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  const std::lock_guard lock(mutex_);
  if (handle_ != 0) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  callback_ = callback;
  userdata_ = userdata;
  handle_ = ++last_handle;
  *handle = reinterpret_cast<CUpti_SubscriberHandle>(handle_.load());
  return CUPTI_SUCCESS;
}

CUptiResult Subscriber::unsubscribe(CUpti_SubscriberHandle handle) {
  if (!is_current(handle)) return CUPTI_ERROR_INVALID_PARAMETER;
  clear();
  return CUPTI_SUCCESS;
}

void Subscriber::clear() {
  const std::lock_guard lock(mutex_);
  handle_ = 0;
  callback_ = nullptr;
  name_.clear();
  for (auto& domain : enabled_) {
    for (auto& id : domain) id = false;
  }
}

void Subscriber::set_name(const char* name) {
  const std::lock_guard lock(mutex_);
  name_ = name ? std::string(name, strnlen(name, CUPTI_SUBSCRIBER_NAME_MAX_LEN)) : "";
}

std::string Subscriber::name() {
  const std::lock_guard lock(mutex_);
  return name_.empty() ? "CUPTI" : "CUPTI for " + name_;
}

CUptiResult Subscriber::enable(CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain, CUpti_CallbackId cbid,
                               bool enabled) {
  if (!is_current(handle) || cbid == 0 || cbid >= callback_ids(domain)) return CUPTI_ERROR_INVALID_PARAMETER;
  enabled_[domain][cbid] = enabled;
  return CUPTI_SUCCESS;
}

void Subscriber::set_domain(CUpti_CallbackDomain domain, bool enabled) {
  for (CUpti_CallbackId cbid = 1; cbid < callback_ids(domain); ++cbid) enabled_[domain][cbid] = enabled;
}

CUptiResult Subscriber::enable_domain(CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain, bool enabled) {
  if (!is_current(handle) || callback_ids(domain) == 0) return CUPTI_ERROR_INVALID_PARAMETER;
  set_domain(domain, enabled);
  return CUPTI_SUCCESS;
}

CUptiResult Subscriber::enable_all(CUpti_SubscriberHandle handle, bool enabled) {
  if (!is_current(handle)) return CUPTI_ERROR_INVALID_PARAMETER;
  for (int domain = CUPTI_CB_DOMAIN_DRIVER_API; domain < CUPTI_CB_DOMAIN_SIZE; ++domain) {
    set_domain(static_cast<CUpti_CallbackDomain>(domain), enabled);
  }
  return CUPTI_SUCCESS;
}

CUptiResult Subscriber::state(CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain, CUpti_CallbackId cbid,
                              std::uint32_t* enabled) {
  if (!enabled || !is_current(handle) || cbid == 0 || cbid >= callback_ids(domain)) {
    return CUPTI_ERROR_INVALID_PARAMETER;
  }
  *enabled = enabled_[domain][cbid];
  return CUPTI_SUCCESS;
}

bool Subscriber::wants(CUpti_CallbackDomain domain, CUpti_CallbackId cbid) const {
  return handle_ != 0 && cbid < kIds && enabled_[domain][cbid];
}

void Subscriber::call(CUpti_CallbackDomain domain, CUpti_CallbackId cbid, const void* data) {
  if (!wants(domain, cbid)) return;
  std::unique_lock lock(mutex_);
  const CUpti_CallbackFunc callback = callback_;
  void* const userdata = userdata_;
  lock.unlock();
  if (callback) callback(userdata, domain, cbid, data);
}

}  // namespace simgpu::cupti
