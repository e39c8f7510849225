#include "capture/rows/log_health.h"

#include <errno.h>
#include <string.h>

#include "capture/base/messages.h"
#include "capture/rows/loss_rows.h"
#include "log/record_traits.h"

namespace tauprof::capture {
namespace {

const char* reason_of(int code) {
  switch (code) {
    case ENOSPC:
      return "No space left on device";
    case EDQUOT:
      return "Disk quota exceeded";
    case EFBIG:
      return "File too large";
    default:
      return "the log cannot be written";
  }
}

}  // namespace

bool LogHealth::follow(log::Writer& writer, uint64_t now) {
  if (writer.is_blocked() && blocked_since_ == 0) {
    blocked_since_ = looked_at_ = now;
    reason_ = reason_of(writer.error());
    const int code = writer.error();
    const bool is_full = code == ENOSPC || code == EDQUOT || code == EFBIG;
    say(LogLevel::kError, Cause::kFullDisk, "cannot write the log: %s; recording goes on when %s",
        is_full ? reason_ : strerror(code), is_full ? "there is room" : "that passes");
  }
  if (writer.ok() && now - looked_at_ < kLookInterval) return true;
  looked_at_ = now;
  if (writer.is_blocked()) try_to_resume(writer, now);
  const int gone = writer.ok() ? writer.look() : writer.error();
  if (gone == 0) return true;
  if (gone == ENOENT || gone == ESTALE)
    say(LogLevel::kError, Cause::kRecorder, "the log was %s; recording has stopped",
        gone == ENOENT ? "removed, or its directory" : "replaced by another file");
  else
    say(LogLevel::kError, Cause::kRecorder, "the log cannot be written: %s; recording has stopped", strerror(gone));
  return false;
}

void LogHealth::try_to_resume(log::Writer& writer, uint64_t now) {
  if (!writer.resume()) return;
  append_gap(writer, blocked_since_, now, reason_);
  for (size_t kind = 0; kind < log::kKindLimit; ++kind) {
    const auto discarded = static_cast<log::RecordKind>(kind);
    append_drop(writer, now, discarded, writer.take_discarded(discarded), reason_);
  }
  blocked_since_ = 0;
}

void LogHealth::finish(log::Writer& writer, uint64_t now) {
  if (writer.is_blocked()) try_to_resume(writer, now);
}

void LogHealth::closed(const log::Writer& writer) const {
  if (writer.is_blocked() && blocked_since_ == 0)
    say(LogLevel::kError, Cause::kFullDisk, "cannot write the log: %s; its end is missing", reason_of(writer.error()));
}

}  // namespace tauprof::capture
