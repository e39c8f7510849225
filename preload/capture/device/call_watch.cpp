#include "capture/device/call_watch.h"

#include <string.h>

#include <initializer_list>

#include "capture/rings/thread_state.h"

namespace tauprof::capture {
namespace {

// "cudaLaunchKernel_ptsz_v7000" is a callback for cudaLaunchKernel_ptsz. Names of the driver's have no such number:
// their versions are those of the exported names.
unsigned name_size(const char* name, bool is_driver) {
  const char* version = nullptr;
  for (const char* at = name; !is_driver && (at = strstr(at, "_v")) != nullptr; ++at) version = at;
  return static_cast<unsigned>(version != nullptr ? version - name : strlen(name));
}

}  // namespace

CallWatch call_watch;
uint16_t CallWatch::functions_[2][CallWatch::kMostIds];

// A function of the runtime whose arguments have changed has several ids. Its row has the newest arguments, and so does
// the id with the highest number.
void CallWatch::find_functions(CUpti_CallbackDomain domain) {
  const bool is_driver = domain == kDriver;
  uint16_t(&of_domain)[kMostIds] = functions_[is_driver];
  cupti_.each_function(domain, [&](CUpti_CallbackId id, const char* name) {
    const uint16_t function = setup_.function_named(is_driver, name, name_size(name, is_driver));
    if (function == kNoFunction) return;
    for (CUpti_CallbackId older = 1; older < id && !is_driver; ++older)
      if (of_domain[older] == function + 1) of_domain[older] = 0;
    of_domain[id] = static_cast<uint16_t>(function + 1);
  });
}

void CallWatch::enable_all(EnableCallback enable) const {
  for (const CUpti_CallbackDomain domain : {kRuntime, kDriver})
    for (CUpti_CallbackId id = 1; id < kMostIds; ++id)
      if (functions_[domain == kDriver][id] != 0) enable(1, subscriber_, domain, id);
}

void CallWatch::open(const Setup& setup) {
  const OwnCalls own;
  if (setup_.callback != nullptr) return;
  CuptiLibrary::open(nullptr);
  if (!cupti_.load()) return;
  setup_ = setup;
  find_functions(kRuntime);
  find_functions(kDriver);
  subscribe();
}

bool CallWatch::subscribe() {
  const auto enable = reinterpret_cast<EnableCallback>(cupti_.function("cuptiEnableCallback"));
  if (enable == nullptr || cupti_.cuptiSubscribe(&subscriber_, setup_.callback, nullptr) != CUPTI_SUCCESS) return false;
  cupti_.note_use();
  __atomic_store_n(&number_, ++subscriptions_, __ATOMIC_RELEASE);
  enable_all(enable);
  return true;
}

void CallWatch::close() {
  if (__atomic_exchange_n(&number_, 0, __ATOMIC_ACQ_REL) == 0) return;
  const OwnCalls own;
  cupti_.cuptiUnsubscribe(subscriber_);
}

void CallWatch::reopen() {
  if (!is_kept_ || is_open() || __atomic_load_n(&is_unwanted_, __ATOMIC_RELAXED)) return;
  const OwnCalls own;
  subscribe();
}

}  // namespace tauprof::capture
