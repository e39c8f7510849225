// A replay in which kernels are slower beside communication (contention.h), in the order of time.
//
// How long a kernel takes depends on when communication runs beside it, and the other way round, so neither can be
// known before the other, as in replay.h. Here time passes: whenever communication starts to wait on a device, starts
// to move data, or ends, the kernels that run there go on at another speed. That takes some ten times as long and the
// memory of an array of what comes after each operation, so larger runs keep what contention cost them as measured.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "replay/run_graph.h"

namespace tauprof {

struct ContendedRun {
  using Edge = OperationGraph<Nanoseconds>::Edge;

  const RunGraph* run = nullptr;
  const OperationGraph<Nanoseconds>* graph = nullptr;  // of the run, with or without changes
  std::function<Nanoseconds(OperationId)> work;        // how long it takes away from communication
  std::function<Nanoseconds(OperationId)> extra;       // time lost by a kernel, as measured
  std::function<Nanoseconds(OperationId)> delay;
  std::function<Nanoseconds(OperationId)> lead;  // how much shorter all lags to it are; empty: they are as they are
  std::function<std::span<const Edge>(OperationId)> edges;
  std::vector<uint16_t> added_on;  // collectives that the run lacks, behind its operations: the rank of each

  Nanoseconds lead_of(OperationId id) const { return lead ? lead(id) : 0; }
};

struct ContendedReplay {
  Schedule<Nanoseconds> schedule;
  double step_ns = 0;        // the mean
  double contention_ns = 0;  // how much shorter it is for less contention; negative: longer for more
};

ContendedReplay replay_contended(const ContendedRun& run);

}  // namespace tauprof
