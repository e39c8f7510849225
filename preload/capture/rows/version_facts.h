// Which versions of which libraries the process has, as attributes `version.…` of the log.
#pragma once

#include <stddef.h>

#include "log/writer.h"

namespace tauprof::capture {

class VersionFacts {
 public:
  // Some libraries come late: each call writes what has not been written yet. It takes the loader's lock, which a
  // thread that ends the process may hold: so it is called at the start and now and then, but not at the end.
  void write_new(log::Writer& writer);

 private:
  static constexpr size_t kMost = 16;
  bool is_written_[kMost];
};

}  // namespace tauprof::capture
