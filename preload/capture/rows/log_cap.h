// Keeps the log below TAUPROF_MAX_MB.
//
// `stop` ends the recording. `wrap` makes it a flight recorder: when the file reaches two thirds of the bound, a file
// with its newest third replaces it. So the disk never holds more than the bound, and the log always holds between one
// and two thirds of it. The part that was dropped becomes a gap record.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/settings/configuration.h"
#include "log/writer.h"

namespace tauprof::capture {

class LogCap {
 public:
  LogCap(OnFull on_full, uint64_t max_bytes) : on_full_(on_full), max_bytes_(max_bytes) {}

  // As `stop`, from now on.
  void keep_oldest() { on_full_ = OnFull::kStop; }
  // To be called after each flush. True: the log is full and recording must stop.
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
  uint64_t started_at_ = 0;
  size_t marks_ = 0;
  Mark mark_[kMostMarks] = {};
  bool has_failed_ = false;
};

}  // namespace tauprof::capture
