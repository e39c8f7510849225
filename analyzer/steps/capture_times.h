// When any stream of a process was being captured into a graph, by the calls that start and end captures.
#pragma once

#include <vector>

#include "model/process_trace.h"

namespace tauprof {

class CaptureTimes {
 public:
  explicit CaptureTimes(const ProcessTrace& trace);
  bool has(Nanoseconds time) const;

 private:
  struct Span {
    Nanoseconds start = 0;
    Nanoseconds end = 0;
  };
  std::vector<Span> spans_;  // by start, disjoint
};

}  // namespace tauprof
