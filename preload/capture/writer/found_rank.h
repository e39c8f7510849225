// The rank and the run of a process that has no launcher to say them: NCCL's largest communicator does.
#pragma once

#include <stdint.h>

#include "capture/settings/launcher.h"
#include "log/writer.h"

namespace tauprof::capture {

class FoundRank {
 public:
  // Writes what a larger communicator than before says. True: it says which rank this process is.
  bool follow(log::Writer& writer, const Placement& placement);
  int32_t rank() const { return rank_; }

 private:
  int32_t known_size_ = 0;  // of the largest communicator so far
  int32_t rank_ = -1;
};

}  // namespace tauprof::capture
