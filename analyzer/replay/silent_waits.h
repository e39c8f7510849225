// Waits for the device that no record shows.
//
// A thread that was silent until the device had nothing left to do, and went on then, waited for it: it polled, or its
// call is missing. A program that waits at some place does so in most steps, and its silences are as long as the device
// takes. Where rather the silences are of one length, they are stalls, and when the device was done is a coincidence.
// Example: silences of 300, 310 and 320 us, each over 10 us after the device was done, are waits; silences of 330, 330
// and 330 us, over 30, 20 and 10 us after that, are not.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

// A silence that ended soon after the device was done.
struct SilentWait {
  uint32_t operation;  // of the thread meanwhile
  Interval silence;
  Nanoseconds drained;            // when the device was done
  std::vector<uint32_t> awaited;  // work that ended during the silence
};

class SilentWaits {
 public:
  // Between which calls a thread is silent.
  using Place = std::tuple<uint16_t, uint32_t, uint32_t, Phase>;
  static Place place_between(const HostCall& previous, const HostCall& next) {
    return {next.thread, previous.function, next.function, next.phase};
  }
  // Whether it ended after the device was done, within what it takes to notice.
  static bool may_be(Interval silence, Nanoseconds drained);

  void add(const Place& place, SilentWait wait) { waits_[place].push_back(std::move(wait)); }
  // Those that are waits, in a program of so many steps.
  std::vector<SilentWait> take(size_t steps);

 private:
  std::map<Place, std::vector<SilentWait>> waits_;
};

}  // namespace tauprof
