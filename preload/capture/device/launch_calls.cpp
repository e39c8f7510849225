#include "capture/device/launch_calls.h"

namespace tauprof::capture {

// At least half is for the calls: there are more of them.
void LaunchCalls::begin(void* memory, size_t bytes) {
  size_t launches = 1;
  while (launches * 2 * sizeof(Launch) <= bytes / 2) launches *= 2;
  mask_ = static_cast<uint32_t>(launches - 1);
  launches_ = static_cast<Launch*>(memory);
  calls_.begin(launches_ + launches, bytes - launches * sizeof(Launch));
}

void LaunchCalls::add_launch(uint32_t correlation, uint32_t thread_id, uint64_t time) {
  launches_[correlation & mask_] = {correlation, thread_id, time, 0};
}

CallIndex::Answer LaunchCalls::call_of(uint32_t correlation, uint64_t& number) {
  Launch& launch = launches_[correlation & mask_];
  if (correlation == 0 || launch.correlation != correlation) return CallIndex::Answer::kNotYet;
  if (launch.call == 0) {
    const CallIndex::Answer answer = calls_.find(launch.thread_id, launch.time, number);
    if (answer == CallIndex::Answer::kNotYet) return answer;
    launch.call = answer == CallIndex::Answer::kFound ? number : kOutside;
  }
  number = launch.call;
  return launch.call == kOutside ? CallIndex::Answer::kNone : CallIndex::Answer::kFound;
}

}  // namespace tauprof::capture
