// A time in which nothing was recorded, as a row.
#pragma once

#include <stdint.h>

#include "capture/rows/log_text.h"
#include "log/writer.h"

namespace tauprof::capture {

inline void append_gap(log::Writer& writer, uint64_t start, uint64_t end, const char* reason) {
  log::Gap row{};
  row.start = static_cast<int64_t>(start);
  row.duration = static_cast<int64_t>(end - start);
  row.scope = static_cast<int64_t>(log::GapScope::kAll);
  row.reason = intern(writer, reason);
  writer.append(row);
}

}  // namespace tauprof::capture
