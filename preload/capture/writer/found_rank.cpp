#include "capture/writer/found_rank.h"

#include <stdio.h>

#include "capture/calls/communicators.h"

namespace tauprof::capture {

bool FoundRank::follow(log::Writer& writer, const Placement& placement) {
  const Communicator* largest = communicators.largest();
  if (largest == nullptr || largest->size <= known_size_) return false;
  known_size_ = largest->size;
  rank_ = largest->rank;
  const bool is_world = *placement.launcher == '\0' || largest->size == placement.world_size;
  if (is_world && *placement.run_id == '\0') {
    char run_id[32];
    snprintf(run_id, sizeof run_id, "nccl-%016llx", static_cast<unsigned long long>(largest->identity));
    writer.set_run_id(run_id);
  }
  if (*placement.launcher != '\0') return false;
  writer.append(log::Process{largest->rank, largest->size, -1, 0});
  return true;
}

}  // namespace tauprof::capture
