#include "hooks/callback_calls.h"

#include <cupti.h>
#include <string.h>

#include "capture/device/call_watch.h"
#include "capture/rings/recorder.h"
#include "capture/rings/recording.h"
#include "capture/session/session.h"
#include "capture/settings/variables.h"
#include "capture/window/record_window.h"
#include "hooks/callback_rows.h"

namespace tauprof::hooks {
namespace {

using capture::call_watch;
using capture::CallTimes;

// The runtime's hook is around this call: hooks see the runtime after all.
bool is_hooked_too(const ThreadState& thread, uint16_t hook) {
  capture::Ring::AnnouncedCall announced;
  return hook < kFirstCublasHook && thread.ring != nullptr && thread.ring->announced(announced) &&
         announced.function == hook;
}

// Returns what is to be recorded. There is no caller whose libraries could be preferred.
uint32_t start_session_at_callback() {
  call_watch.keep();
  const capture::OwnCalls own;
  capture::start_session(nullptr);
  capture::after_first_call();
  return capture::recording();
}

[[gnu::noinline]] void enter(uint16_t hook, const CUpti_CallbackData& call) {
  ThreadState& thread = capture::thread_state;
  if (thread.inside != 0) {
    if (is_hooked_too(thread, hook)) call_watch.ask_to_close();
    return;
  }
  const uint32_t watch = call_watch.number();
  const uintptr_t frame_end = TAUPROF_FRAME_END();
  if (thread.watched_by == watch) {
    if (capture::may_be_within(thread.watched_at, frame_end)) return;  // a call inside of one that is being recorded
    capture::ring_pool.count_left();
  }
  const CallbackTraits traits = callback_traits(hook);
  uint32_t bits = capture::recording();
  if (!(bits & traits.interest) || (traits.has_parameters && call.functionParams == nullptr)) return;
  if (bits & capture::kNotStarted) bits = start_session_at_callback();
  if (traits.is_followed && (bits & capture::kFollowsCalls))
    bits = capture::record_window.follow_call(capture::function_name(hook));
  thread.function = hook;
  thread.site = nullptr;
  before_callback_call(hook, thread, call.functionParams);
  const CallTimes times = capture::start_call(thread);
  thread.call_start = times.start;
  thread.call_cpu_ns = times.thread_cpu_ns;
  if (bits & traits.records) capture::announce_call(thread, hook, times);
  thread.watched_by = watch;
  thread.watched_at = frame_end;
  *call.correlationData = times.start;
}

void leave(uint16_t hook, const CUpti_CallbackData& call) {
  ThreadState& thread = capture::thread_state;
  const CallTimes times = {*call.correlationData, capture::read_ticks(), thread.call_cpu_ns};
  if (times.start == 0) return;  // nobody took note of its start
  thread.watched_by = 0;
  const int64_t result = call.functionReturnValue != nullptr ? *static_cast<const int*>(call.functionReturnValue) : 0;
  thread.function = hook;
  thread.site = nullptr;
  after_callback_call(hook, thread, result, call.functionParams);
  if (!(capture::recording() & callback_traits(hook).records)) return;
  Reading reading{nullptr};
  read_callback_call(hook, reading, call.functionParams);
  capture::Unit extension = {};
  extension.callback = {capture::ExtensionTag::kCallback, call.correlationId};
  capture::record_call(thread, hook, times, reading.call, result, capture::DropKind::kCall, &extension);
}

void CUPTIAPI take_callback(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  const uint16_t hook = call_watch.function(domain, id);
  if (hook == capture::CallWatch::kNoFunction) return;
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  call.callbackSite == CUPTI_API_ENTER ? enter(hook, call) : leave(hook, call);
}

}  // namespace

// Who has times from elsewhere, or none, wants CUPTI to be left alone.
void watch_calls() {
  const char* const timing = capture::value_of("TAUPROF_DEVICE_TIMING");
  if (timing != nullptr && (strcmp(timing, "events") == 0 || strcmp(timing, "off") == 0)) return;
  call_watch.open({function_with_callback, take_callback});
}

}  // namespace tauprof::hooks
