#include "capture/rows/log_cap.h"

#include <string.h>

#include "capture/rows/loss_rows.h"

namespace tauprof::capture {

bool LogCap::follow(log::Writer& writer, uint64_t now) {
  if (started_at_ == 0) started_at_ = now;
  if (writer.is_blocked()) return false;
  const uint64_t bytes = writer.bytes_written();
  if (on_full_ == OnFull::kStop || has_failed_) {
    writer.set_event_limit(max_bytes_ - max_bytes_ / 16);  // the end of the log needs some room, too
    return writer.is_full();
  }
  add_mark(bytes, now);
  if (bytes >= max_bytes_ / 3 * 2) wrap(writer);
  return false;
}

void LogCap::add_mark(uint64_t offset, uint64_t time) {
  const uint64_t distance = max_bytes_ / kMostMarks;
  if (marks_ < kMostMarks && (marks_ == 0 || offset - mark_[marks_ - 1].offset >= distance))
    mark_[marks_++] = {offset, time};
}

void LogCap::wrap(log::Writer& writer) {
  const uint64_t before = writer.bytes_written();
  size_t first = 0;
  while (first + 1 < marks_ && before - mark_[first].offset > max_bytes_ / 3) ++first;
  const Mark kept = mark_[first];
  if (!writer.drop_before(kept.offset)) {
    has_failed_ = true;  // from now on the bound is kept by stopping
    return;
  }
  const uint64_t moved = before - writer.bytes_written();
  marks_ -= first;
  memmove(mark_, mark_ + first, marks_ * sizeof *mark_);
  for (size_t i = 0; i < marks_; ++i) mark_[i].offset -= moved;
  append_gap(writer, started_at_, kept.time, "gave way to newer records (TAUPROF_MAX_MB)");
}

}  // namespace tauprof::capture
