// The host's time in a step, by phase.
#pragma once

#include "model/phase.h"
#include "model/time.h"

namespace tauprof {

struct HostTimes {
  PerPhase<Nanoseconds> total{};
  PerPhase<Nanoseconds> blocked{};  // the part of it in which it was blocked behind the device (blocked_host.h)

  void add(Phase phase, Nanoseconds time, Nanoseconds blocked_time) {
    total[static_cast<size_t>(phase)] += time;
    blocked[static_cast<size_t>(phase)] += blocked_time;
  }
};

}  // namespace tauprof
