// Follows what happens to the log's file while it is written. A full disk (or quota, or limit of the file's size) stops
// the recording until there is room again; the log says from when to when, and how much is missing. A log that has been
// removed or replaced ends the recording. Each is said once.
#pragma once

#include <stdint.h>

#include "log/writer.h"

namespace tauprof::capture {

class LogHealth {
 public:
  // To be called after each flush. False: the log is gone, or cannot be written for another reason; nothing more can be
  // recorded.
  bool follow(log::Writer& writer, uint64_t now);
  // Before the log is closed: the last try to write.
  void finish(log::Writer& writer, uint64_t now);
  // After that: says if the last rows could not be written.
  void closed(const log::Writer& writer) const;

 private:
  static constexpr uint64_t kLookInterval = 1'000'000'000;
  void try_to_resume(log::Writer& writer, uint64_t now);

  uint64_t blocked_since_ = 0;  // 0: it is not
  uint64_t looked_at_ = 0;
  const char* reason_ = "";
};

}  // namespace tauprof::capture
