// Who has CUPTI: how the recorder takes it, gives it to another profiler, joins that one, and takes it again.
#include <time.h>

#include <string_view>

#include "capture/base/clock.h"
#include "capture/device/cupti_activity.h"

namespace tauprof::capture {
namespace {

// How long a profiler that comes now waits for each thing that the writer thread does with CUPTI, at most.
constexpr int kMostNaps = 300;
constexpr uint64_t kNapNs = 1'000'000;

template <class Condition>
void nap_while(Condition condition) {
  const timespec nap{0, kNapNs};
  for (int i = 0; i < kMostNaps && condition(); ++i) nanosleep(&nap, nullptr);
}

uint64_t CUPTIAPI monotonic_clock() { return now_ns(); }

// The clock that CUPTI uses if none is registered.
uint64_t CUPTIAPI default_clock() { return clock_ns(CLOCK_REALTIME); }

void CUPTIAPI ignore_callback(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}

}  // namespace

// NVIDIA asks every client to subscribe before it starts, because Nsight and cuda-gdb hold the subscription. A client
// in this process that only watches callbacks holds it, too, and takes no records away.
bool CuptiActivity::is_held_by_a_tool(const Setup& setup) {
  if (setup.others_are_subscribed) return false;
  CUpti_SubscriberHandle subscriber;
  const CUptiResult result = cupti_.cuptiSubscribe(&subscriber, ignore_callback, nullptr);
  if (result == CUPTI_SUCCESS) {
    cupti_.note_use();
    cupti_.cuptiUnsubscribe(subscriber);
  }
  if (result != CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) return false;
  fail("another tool has it, such as Nsight: ", result);
  return true;
}

// The clock comes first: no record may be made with another.
bool CuptiActivity::take() {
  CUptiResult result = cupti_.cuptiActivityRegisterTimestampCallback(monotonic_clock);
  if (result == CUPTI_SUCCESS) result = cupti_.cuptiActivityRegisterCallbacks(request_buffer, complete_buffer);
  cupti_.cuptiGetThreadIdType(&their_thread_ids_);
  cupti_.cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
  const bool is_wanted = __atomic_load_n(&is_wanted_, __ATOMIC_ACQUIRE);
  if (result == CUPTI_SUCCESS && is_wanted) result = kinds_.enable();
  if (result != CUPTI_SUCCESS) return fail("", result);
  have_taken(is_wanted);
  return true;
}

// Subscribes beside another client, unless an earlier subscription is still being left. What was said before about a
// failure is settled by that.
bool CuptiActivity::join() {
  if (!can_join_ || __atomic_load_n(&leaving_, __ATOMIC_ACQUIRE) != Leaving::kNot) return false;
  CUptiResult result = subscription_.open(request_buffer_beside, complete_buffer_beside, monotonic_clock);
  if (result != CUPTI_SUCCESS) return false;
  const bool is_wanted = __atomic_load_n(&is_wanted_, __ATOMIC_ACQUIRE);
  __atomic_store_n(&is_beside_, true, __ATOMIC_RELEASE);
  kinds_.init(acting(), !subscription_.has_whole_graphs());
  if (is_wanted) result = kinds_.enable();
  if (result != CUPTI_SUCCESS) {
    subscription_.close();
    __atomic_store_n(&is_beside_, false, __ATOMIC_RELEASE);
    kinds_.init(cupti_, with_graph_nodes_);
    return false;
  }
  failure_[0] = '\0';
  __atomic_store_n(&has_joined_, true, __ATOMIC_RELAXED);
  have_taken(is_wanted);
  return true;
}

void CuptiActivity::have_taken(bool is_wanted) {
  cupti_.note_use();
  __atomic_store_n(&records_, is_wanted, __ATOMIC_RELEASE);
  lent_.take(now_ns());
  __atomic_store_n(&use_, Use::kOurs, __ATOMIC_RELEASE);
}

bool CuptiActivity::other_user(const char* function) {
  others_.calls(function, now_ns());
  if (!takes_cupti(function)) {
    const bool excludes_us = std::string_view(function) == "cuptiSubscribe_v2" && quirks_.subscribers_exclude_us;
    return excludes_us && !is_beside() && give_way();
  }
  wait_until_taken();
  const bool is_given = give_way();
  wait_until_left();
  return is_given;
}

bool CuptiActivity::other_subscribed(bool has_succeeded, bool allows_others) {
  if (!quirks_.subscribers_exclude_us) return use() == Use::kOurs;
  others_.subscribed(has_succeeded);
  return use() == Use::kOurs || (use() == Use::kTheirs && has_succeeded && allows_others && join());
}

void CuptiActivity::other_unsubscribed() {
  if (others_.unsubscribed() && is_beside()) give_way();
}

// True: this call did it. A subscription of ours stays until the writer thread has read its buffers.
bool CuptiActivity::give_way() {
  const uint64_t now = now_ns();
  Use expected = Use::kOurs;
  if (!__atomic_compare_exchange_n(&use_, &expected, Use::kTheirs, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return false;
  kinds_.disable(!quirks_.disable_can_deadlock);
  flush_forced(Forced::kGivingWay);
  if (!is_beside()) {
    cupti_.cuptiActivityRegisterTimestampCallback(their_clock_ != nullptr ? their_clock_ : default_clock);
    cupti_.cuptiSetThreadIdType(their_thread_ids_);
  }
  lent_.give(now);
  if (is_beside()) __atomic_store_n(&leaving_, Leaving::kFlushed, __ATOMIC_RELEASE);
  return true;
}

// While we are subscribed, CUPTI refuses clients of the functions without a subscriber.
void CuptiActivity::wait_until_left() {
  nap_while([&] { return subscription_.is_open(); });
  subscription_.close();
  nap_while([&] { return subscription_.is_open(); });
}

// Callbacks that we registered while a client registers its own would get that one's records.
void CuptiActivity::wait_until_taken() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  nap_while([&] { return __atomic_load_n(&is_taking_, __ATOMIC_ACQUIRE); });
}

// False: CUPTI refuses. Of a client that calls now, either it sees that we take or we see that it has called.
bool CuptiActivity::take_if_free(uint64_t now) {
  __atomic_store_n(&is_taking_, true, __ATOMIC_RELEASE);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  const bool is_refused = others_.are_done(now) && !take();
  __atomic_store_n(&is_taking_, false, __ATOMIC_RELEASE);
  return !is_refused;
}

void CuptiActivity::return_when_free(uint64_t now) {
  if (use() != Use::kTheirs) return;
  if (is_beside()) return leave_others();
  if (!others_.are_done(now) || take_if_free(now)) return;
  kinds_.disable(!quirks_.disable_can_deadlock);
  leave("");
  __atomic_store_n(&has_refused_, true, __ATOMIC_RELEASE);
}

// The records that came while we gave way are taken first. A thread that is about to join has not begun to leave.
void CuptiActivity::leave_others() {
  const Leaving leaving = __atomic_load_n(&leaving_, __ATOMIC_ACQUIRE);
  if (leaving != Leaving::kReading) {
    if (leaving == Leaving::kFlushed) __atomic_store_n(&leaving_, Leaving::kReading, __ATOMIC_RELEASE);
    return;
  }
  __atomic_store_n(&leaving_, Leaving::kNot, __ATOMIC_RELEASE);
  subscription_.close();
  kinds_.init(cupti_, with_graph_nodes_);
  __atomic_store_n(&is_beside_, false, __ATOMIC_RELEASE);
}

}  // namespace tauprof::capture
