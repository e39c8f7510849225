// Writes the versions of the libraries in the process as attributes `version.…` of the log.
#pragma once

#include <stddef.h>

#include "log/writer.h"

namespace tauprof::capture {

class VersionFacts {
 public:
  // Writes the versions that have not been written yet; some libraries are loaded late. Takes the loader's lock, which
  // a thread that ends the process may hold, so it must not be called at the end.
  void write_new(log::Writer& writer);

 private:
  static constexpr size_t kMost = 16;
  bool is_written_[kMost];
};

}  // namespace tauprof::capture
