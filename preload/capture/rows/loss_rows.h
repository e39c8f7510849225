// Rows that say what the log lacks: times in which nothing was recorded, and records that were dropped.
#pragma once

#include <stdint.h>

#include "capture/rows/log_text.h"
#include "log/writer.h"

namespace tauprof::capture {

inline void append_gap(log::Writer& writer, uint64_t start, uint64_t end, const char* reason,
                       log::GapScope scope = log::GapScope::kAll) {
  log::Gap row{};
  row.start = static_cast<int64_t>(start);
  row.duration = static_cast<int64_t>(end - start);
  row.scope = static_cast<int64_t>(scope);
  row.reason = intern(writer, reason);
  writer.append(row);
}

// Writes nothing if the count is 0. `thread`: whose records they were; 0: of several or none.
inline void append_drop(log::Writer& writer, uint64_t now, log::RecordKind kind, uint64_t count, const char* reason,
                        uint32_t thread = 0) {
  if (count == 0) return;
  log::Drop row{};
  row.time = static_cast<int64_t>(now);
  row.kind = static_cast<int64_t>(kind);
  row.count = static_cast<int64_t>(count);
  row.reason = intern(writer, reason);
  row.thread = thread;
  writer.append(row);
}

}  // namespace tauprof::capture
