// Our subscription to CUPTI's callbacks of calls: the door for a program whose calls no hook sees, because it contains
// the runtime or found it by dlsym.
//
// It opens when the driver loads us, in cuInit. If the first call on a device is then seen by a hook, the hooks see
// this program, and the door closes before anything is recorded. If CUPTI reports that call, the door stays open: until
// another client subscribes (there is one subscription), or until a hook and a callback see the same call after all.
// The functions to be called back for are those that have a row in a hook table.
#pragma once

#include <stdint.h>

#include "capture/device/cupti_library.h"

namespace tauprof::capture {

class CallWatch {
 public:
  static constexpr uint16_t kNoFunction = UINT16_MAX;
  struct Setup {
    // The hook number of a function by its name, which has `size` characters; kNoFunction: it has no row.
    uint16_t (*function_named)(bool is_driver, const char* name, unsigned size);
    CUpti_CallbackFunc callback;
  };

  // In the driver's call of our entry for injection. Does nothing if CUPTI is not there or is subscribed to.
  void open(const Setup& setup);
  // Not from a callback.
  void close();
  // Opens again what another client made us close.
  void reopen();
  // Asks the writer thread to close: for callbacks.
  void ask_to_close() { __atomic_store_n(&is_unwanted_, true, __ATOMIC_RELAXED); }
  void close_if_asked() {
    if (__atomic_load_n(&is_unwanted_, __ATOMIC_RELAXED)) close();
  }

  bool is_open() const { return number() != 0; }
  // The number of this subscription; 0: none. What a thread noted under another number is void, because the callback
  // of a call's end may have been lost.
  uint32_t number() const { return __atomic_load_n(&number_, __ATOMIC_ACQUIRE); }
  uint16_t function(CUpti_CallbackDomain domain, CUpti_CallbackId id) const {
    const bool is_known = id < kMostIds && (domain == kRuntime || domain == kDriver);
    return is_known ? static_cast<uint16_t>(functions_[domain == kDriver][id] - 1) : kNoFunction;
  }

  // A callback starts the session: the door is needed.
  void keep() { is_kept_ = true; }
  bool is_kept() const { return is_kept_; }

 private:
  static constexpr auto kRuntime = CUPTI_CB_DOMAIN_RUNTIME_API;
  static constexpr auto kDriver = CUPTI_CB_DOMAIN_DRIVER_API;
  static constexpr uint32_t kMostIds = CuptiLibrary::kMostFunctions;
  using EnableCallback = decltype(&::cuptiEnableCallback);

  bool subscribe();
  void find_functions(CUpti_CallbackDomain domain);
  void enable_all(EnableCallback enable) const;

  Setup setup_ = {};
  CuptiLibrary cupti_;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  uint32_t number_ = 0;
  uint32_t subscriptions_ = 0;
  bool is_kept_ = false;
  bool is_unwanted_ = false;
  static uint16_t functions_[2][kMostIds];  // by id, of the runtime and of the driver: hook number + 1
};

extern CallWatch call_watch;

}  // namespace tauprof::capture
