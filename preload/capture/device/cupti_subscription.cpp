#include "capture/device/cupti_subscription.h"

#include <string.h>

namespace tauprof::capture {
namespace {

// Of CUpti_ActivityAttribute, as it is from CUDA 13.3 on.
constexpr auto kGraphTrace = static_cast<CUpti_ActivityAttribute>(20);
constexpr auto kThreadIdType = static_cast<CUpti_ActivityAttribute>(21);
constexpr auto kTimestampCallback = static_cast<CUpti_ActivityAttribute>(22);

const CuptiSubscription* g_subscription;  // the functions without a subscriber carry no context

void CUPTIAPI ignore_callback(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}

}  // namespace

bool CuptiSubscription::load(const CuptiLibrary& cupti) {
  cupti_ = &cupti;
  bool has_all = true;
  const auto find = [&]<class Function>(const char* name, Function& function) {
    function = reinterpret_cast<Function>(cupti.function(name));
    has_all = has_all && function != nullptr;
  };
  find("cuptiSubscribe_v2", functions_.subscribe);
  find("cuptiActivityRegisterCallbacks_v2", functions_.register_callbacks);
  find("cuptiActivityEnable_v2", functions_.enable);
  find("cuptiActivityDisable_v2", functions_.disable);
  find("cuptiActivityEnableRuntimeApi_v2", functions_.enable_runtime);
  find("cuptiActivityEnableDriverApi_v2", functions_.enable_driver);
  find("cuptiActivityGetNextRecord_v2", functions_.next_record);
  find("cuptiActivityGetNumDroppedRecords_v2", functions_.count_dropped);
  find("cuptiActivityGetAttribute_v2", functions_.get_attribute);
  find("cuptiActivitySetAttribute_v2", functions_.set_attribute);
  find("cuptiActivityGetEnabledKinds", functions_.enabled_kinds);
  if (has_all) bind();
  return has_all;
}

// Buffers may be read after we have left: then CUPTI's own layout counts, which ours is.
void CuptiSubscription::bind() {
  g_subscription = this;
  bound_ = *cupti_;
  bound_.cuptiActivityEnable = [](CUpti_ActivityKind kind) {
    return g_subscription->functions_.enable(g_subscription->subscriber_, kind, nullptr);
  };
  bound_.cuptiActivityDisable = [](CUpti_ActivityKind kind) {
    return g_subscription->functions_.disable(g_subscription->subscriber_, kind, nullptr);
  };
  bound_.cuptiActivityEnableRuntimeApi = [](CUpti_CallbackId id, uint8_t enable) {
    return g_subscription->functions_.enable_runtime(g_subscription->subscriber_, id, enable);
  };
  bound_.cuptiActivityEnableDriverApi = [](CUpti_CallbackId id, uint8_t enable) {
    return g_subscription->functions_.enable_driver(g_subscription->subscriber_, id, enable);
  };
  bound_.cuptiActivityGetNextRecord = [](uint8_t* buffer, size_t valid, CUpti_Activity** record) {
    const Handle subscriber = __atomic_load_n(&g_subscription->subscriber_, __ATOMIC_ACQUIRE);
    return subscriber != nullptr ? g_subscription->functions_.next_record(subscriber, buffer, valid, record)
                                 : g_subscription->cupti_->cuptiActivityGetNextRecord(buffer, valid, record);
  };
  bound_.cuptiActivityGetNumDroppedRecords = [](CUcontext context, uint32_t stream, size_t* dropped) {
    return g_subscription->functions_.count_dropped(g_subscription->subscriber_, context, stream, dropped);
  };
  bound_.cuptiActivityGetAttribute = [](CUpti_ActivityAttribute attribute, size_t* size, void* value) {
    return g_subscription->functions_.get_attribute(g_subscription->subscriber_, attribute, size, value);
  };
}

CUptiResult CuptiSubscription::open(Requested requested, Completed completed, CUpti_TimestampCallbackFunc clock) {
  Parameters parameters{sizeof parameters, "tauprof", nullptr, 0, 1, {}};
  Handle subscriber = nullptr;
  const CUptiResult result = functions_.subscribe(&subscriber, ignore_callback, nullptr, &parameters);
  if (result != CUPTI_SUCCESS) return result;
  __atomic_store_n(&is_open_, true, __ATOMIC_RELEASE);
  __atomic_store_n(&subscriber_, subscriber, __ATOMIC_RELEASE);
  const CUptiResult configured = configure(requested, completed, clock);
  if (configured != CUPTI_SUCCESS) close();
  return configured;
}

// The clock and the kind of thread ids are indispensable: records are joined to calls by them.
CUptiResult CuptiSubscription::configure(Requested requested, Completed completed, CUpti_TimestampCallbackFunc clock) {
  uint8_t flag = 0;
  size_t size = sizeof flag;
  functions_.set_attribute(subscriber_, CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, &size, &flag);
  size = sizeof flag;
  has_whole_graphs_ =
      functions_.get_attribute(subscriber_, kGraphTrace, &size, &flag) == CUPTI_SUCCESS && size == 1 && flag == 1;
  size = sizeof clock;
  if (const CUptiResult result = functions_.set_attribute(subscriber_, kTimestampCallback, &size, &clock))
    return result;
  CUpti_ActivityThreadIdType type = CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM;
  size = sizeof type;
  if (const CUptiResult result = functions_.set_attribute(subscriber_, kThreadIdType, &size, &type)) return result;
  return functions_.register_callbacks(subscriber_, requested, completed);
}

void CuptiSubscription::close() {
  const Handle subscriber = __atomic_exchange_n(&subscriber_, nullptr, __ATOMIC_ACQ_REL);
  if (subscriber == nullptr) return;
  cupti_->cuptiUnsubscribe(subscriber);
  __atomic_store_n(&is_open_, false, __ATOMIC_RELEASE);
}

bool CuptiSubscription::is_alone() const {
  uint32_t count = 0;
  return functions_.enabled_kinds(nullptr, nullptr, nullptr, &count) == CUPTI_SUCCESS && count == 0;
}

bool CuptiSubscription::allows_others(const void* parameters) {
  if (parameters == nullptr) return false;
  const auto* read = static_cast<const Parameters*>(parameters);
  return read->size > offsetof(Parameters, allows_others) && read->allows_others != 0;
}

}  // namespace tauprof::capture
