// Rows that join the handle of a stream to the number that its work has in the log.
#pragma once

#include <stdint.h>

#include "capture/device/activity_rows.h"
#include "log/writer.h"

namespace tauprof::capture {

class StreamRows {
 public:
  struct Stream {
    uint64_t handle;
    uint64_t number;  // that CUPTI gives it; or the handle
    uint32_t device;
    bool takes_turns;  // with the default stream
  };
  // Any thread. A stream for which there is no room gets no row.
  void add(const Stream& stream);
  // For the writer thread.
  void write(log::Writer& writer, const ActivityRows& rows);

 private:
  static constexpr uint32_t kMost = 256;  // waiting for their rows
  uint32_t lock_ = 0;
  uint32_t count_ = 0;
  Stream streams_[kMost] = {};
};

}  // namespace tauprof::capture
