// A replay in which kernels are slower beside communication (contention.h), in the order of time.
//
// How long a kernel takes depends on when communication runs beside it, and the other way round, so neither can be
// known before the other, as in replay.h. Here time passes: whenever communication starts to wait on a device, starts
// to move data, or ends, the kernels that run there go on at another speed. That takes some ten times as long and the
// memory of an array of what comes after each operation, so larger runs keep what contention cost them as measured.
#pragma once

#include "replay/run_graph.h"

namespace tauprof {

struct ContendedReplay {
  Schedule<Nanoseconds> schedule;
  double step_ns = 0;        // the mean
  double contention_ns = 0;  // how much shorter it is for less contention; negative: longer for more
};

}  // namespace tauprof
