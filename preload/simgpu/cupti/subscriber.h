// A client's subscription to callbacks, and the callbacks that it has enabled.
#pragma once

#include <cupti.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace simgpu::cupti {

// The number of callback ids in a domain, including the invalid 0; 0: no such domain.
std::uint32_t callback_ids(CUpti_CallbackDomain domain);

class Subscriber {
 public:
  CUptiResult subscribe(CUpti_SubscriberHandle* handle, CUpti_CallbackFunc callback, void* userdata);
  bool is_subscribed() const { return handle_ != 0; }
  bool is_current(CUpti_SubscriberHandle handle) const;
  CUptiResult unsubscribe(CUpti_SubscriberHandle handle);
  CUptiResult enable(CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain, CUpti_CallbackId cbid, bool enabled);
  CUptiResult enable_domain(CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain, bool enabled);
  CUptiResult enable_all(CUpti_SubscriberHandle handle, bool enabled);
  CUptiResult state(CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain, CUpti_CallbackId cbid,
                    std::uint32_t* enabled);
  void clear();
  void set_name(const char* name);  // null: none
  std::string name();               // as reported to a second subscriber

  bool wants(CUpti_CallbackDomain domain, CUpti_CallbackId cbid) const;
  // Calls the subscriber if it wants this callback. No lock may be held.
  void call(CUpti_CallbackDomain domain, CUpti_CallbackId cbid, const void* data);

 private:
  static constexpr std::size_t kIds = 1024;
  static_assert(CUPTI_RUNTIME_TRACE_CBID_SIZE <= kIds && CUPTI_DRIVER_TRACE_CBID_SIZE <= kIds,
                "more API functions than ids: raise kIds");
  void set_domain(CUpti_CallbackDomain domain, bool enabled);

  std::array<std::array<std::atomic<bool>, kIds>, CUPTI_CB_DOMAIN_SIZE> enabled_{};
  std::mutex mutex_;  // guards all below; not held during a call of the subscriber
  CUpti_CallbackFunc callback_ = nullptr;
  void* userdata_ = nullptr;
  std::string name_;
  std::atomic<std::uintptr_t> handle_{0};  // a new number for every subscription of the process; 0: not subscribed
};

}  // namespace simgpu::cupti
