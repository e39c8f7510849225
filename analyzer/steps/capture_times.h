// When any stream of a process was captured into a graph, from the calls that begin and end captures.
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
  std::vector<Span> spans_;  // by start, apart from each other
};

}  // namespace tauprof
