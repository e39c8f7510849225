// The work that made room in a device's full queue, for which a launch had blocked.
#pragma once

#include <cstdint>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

class FullQueue {
 public:
  // `nodes[device][span]`: the operation of each span; kNoIndex: it is no work.
  FullQueue(const ProcessTrace& trace, const std::vector<std::vector<uint32_t>>& nodes)
      : trace_(trace), nodes_(nodes), started_(trace.devices.size()) {}

  // Its operation; kNoIndex: the queue was not full, or nobody knows. `launched`: how much work was before the call.
  uint32_t made_room(uint32_t device, const HostCall& call, uint64_t launched) const;

 private:
  // How much work is among the device's first spans: some of them are records of synchronisation.
  uint64_t started_before(uint32_t device, size_t spans) const;

  const ProcessTrace& trace_;
  const std::vector<std::vector<uint32_t>>& nodes_;
  mutable std::vector<std::vector<uint32_t>> started_;  // by device: how many of its first n spans are work
};

}  // namespace tauprof
