// TAUPROF_MAX_MB: what happens when the log is as large as it may be.
//
// `stop` ends the recording. `wrap` makes a flight recorder of it: at two thirds of the bound the file is
// replaced by one with its newest third, so that at no time more than the bound is on the disk, and between a
// third and two thirds of it is there to read. What was dropped leaves a gap record.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/settings/configuration.h"
#include "log/writer.h"

namespace tauprof::capture {

class LogCap {
 public:
  LogCap(OnFull on_full, uint64_t max_bytes) : on_full_(on_full), max_bytes_(max_bytes) {}

  // After each flush. True: the log is full, recording must stop.
  bool follow(log::Writer& writer, uint64_t now);

 private:
  static constexpr size_t kMostMarks = 128;
  struct Mark {
    uint64_t offset;  // in the file, where a flush ended
    uint64_t time;
  };
  void wrap(log::Writer& writer);
  void add_mark(uint64_t offset, uint64_t time);

  OnFull on_full_;
  uint64_t max_bytes_;
  uint64_t began_ = 0;
  size_t marks_ = 0;
  Mark mark_[kMostMarks] = {};
  bool has_failed_ = false;
};

}  // namespace tauprof::capture
