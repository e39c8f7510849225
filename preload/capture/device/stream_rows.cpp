#include "capture/device/stream_rows.h"

#include "capture/base/spin_lock.h"

namespace tauprof::capture {

void StreamRows::add(const Stream& stream) {
  const SpinLock lock(lock_);
  if (count_ < kMost) streams_[count_++] = stream;
}

// A context's number is known once it has done work. Before that, nothing refers to its streams.
void StreamRows::write(log::Writer& writer, const ActivityRows& rows) {
  if (__atomic_load_n(&count_, __ATOMIC_RELAXED) == 0) return;
  const SpinLock lock(lock_);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count_; ++i) {
    const Stream& stream = streams_[i];
    const uint32_t context = rows.context_of(stream.device);
    if (context == 0 && stream.number != stream.handle) {
      streams_[kept++] = stream;
      continue;
    }
    log::Stream row{};
    row.device = stream.device;
    row.context = context;
    row.stream = static_cast<int64_t>(stream.number);
    row.handle = static_cast<int64_t>(stream.handle);
    row.takes_turns = stream.takes_turns;
    writer.append(row);
  }
  count_ = kept;
}

}  // namespace tauprof::capture
