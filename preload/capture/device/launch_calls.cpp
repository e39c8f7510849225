#include "capture/device/launch_calls.h"

namespace tauprof::capture {

// At least half of the memory is for calls, because there are more of them.
void LaunchCalls::init(void* memory, size_t bytes) {
  size_t launches = 1;
  while (launches * 2 * sizeof(Launch) <= bytes / 2) launches *= 2;
  mask_ = static_cast<uint32_t>(launches - 1);
  launches_ = static_cast<Launch*>(memory);
  calls_.init(launches_ + launches, bytes - launches * sizeof(Launch));
}

void LaunchCalls::add_launch(const cupti_records::ApiCall& call) {
  const uint64_t length = call.end - call.start;
  const Launch& known = launches_[call.correlation & mask_];
  launches_[call.correlation & mask_] = {call.correlation,
                                         call.thread,
                                         call.start,
                                         known.correlation == call.correlation ? known.call : 0,
                                         static_cast<uint32_t>(length < UINT32_MAX ? length : UINT32_MAX),
                                         static_cast<uint16_t>(call.callback_id),
                                         call.kind == cupti_records::kDriver,
                                         false};
}

void LaunchCalls::add_call(const RecordedCall& call) {
  calls_.add(call);
  if (call.correlation == 0) return;
  Launch& launch = launches_[call.correlation & mask_];
  if (launch.correlation != call.correlation) launch = {call.correlation};
  launch.call = call.number;
}

CallIndex::Answer LaunchCalls::call_of(uint32_t correlation, uint64_t& number) {
  Launch& launch = launches_[correlation & mask_];
  if (correlation == 0 || launch.correlation != correlation) return CallIndex::Answer::kNotYet;
  if (launch.call == 0) {
    const CallIndex::Answer answer = calls_.find(launch.thread_id, launch.middle(), number);
    if (answer == CallIndex::Answer::kNotYet) return answer;
    launch.call = answer == CallIndex::Answer::kFound  ? number
                  : answer == CallIndex::Answer::kNone ? kOutside
                                                       : kForgotten;
  }
  number = launch.call;
  if (launch.call == kForgotten) return CallIndex::Answer::kForgotten;
  return launch.call == kOutside ? CallIndex::Answer::kNone : CallIndex::Answer::kFound;
}

// A call that launches nothing had returned.
bool LaunchCalls::settle_last(uint32_t correlation, Announced (*announced)(uint32_t os_id)) {
  Launch& launch = launches_[correlation & mask_];
  if (correlation == 0 || launch.correlation != correlation || launch.call != 0) return false;
  const Announced call = announced(launch.thread_id);
  if (call.start == 0 || call.start > launch.start) return false;
  if (call.may_launch && !calls_.is_newest(launch.thread_id, call.start)) return false;
  launch.call = kOutside;
  return true;
}

bool LaunchCalls::find_launch(uint32_t correlation, uint32_t& thread_id, uint64_t& time) const {
  const Launch& launch = launches_[correlation & mask_];
  if (correlation == 0 || launch.correlation != correlation || launch.start == 0) return false;
  thread_id = launch.thread_id;
  time = launch.middle();
  return true;
}

const LaunchCalls::Launch* LaunchCalls::take_outside(uint32_t correlation) {
  Launch& launch = launches_[correlation & mask_];
  if (launch.correlation != correlation || launch.call != kOutside || launch.is_taken) return nullptr;
  launch.is_taken = true;
  return &launch;
}

}  // namespace tauprof::capture
