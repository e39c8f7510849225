// How the framework is set up, as name and value: what Python code of ours finds out (torch_settings.py) and the
// writer thread puts into the log as attributes `setting.NAME`. A value that changes is written again.
#pragma once

#include <stdint.h>

#include "log/writer.h"

namespace tauprof::capture {

class Settings {
 public:
  // Numbers of texts (rows/text_table.h). One thread at a time: the one that holds the GIL.
  void set(uint32_t name, uint32_t value);
  // The writer thread: what is new.
  void write_new(log::Writer& writer);

 private:
  static constexpr uint32_t kMost = 128;  // more are left out
  struct Entry {
    uint32_t name, value;
    uint32_t written;  // the writer thread's
  };
  Entry entries_[kMost];
  uint32_t count_;
};

extern Settings settings;

}  // namespace tauprof::capture
