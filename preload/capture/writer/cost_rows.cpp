#include "capture/writer/cost_rows.h"

#include "capture/base/clock.h"
#include "capture/rings/own_time.h"
#include "capture/rings/recorder.h"

namespace tauprof::capture {

void CostRows::write(log::Writer& writer, const TickScale& scale, uint64_t now, uint64_t records, uint64_t waited_ns,
                     uint32_t file_thread) const {
  log::Cost row{};
  row.time = static_cast<int64_t>(now);
  row.application_ns = static_cast<int64_t>(start_ns_ + records * call_ps_ / 1000);
  const uint64_t files_ns = file_thread != 0 ? kernel_clock_ns(cpu_clock_of(file_thread)) : 0;
  row.writer_ns = static_cast<int64_t>(read_thread_cpu_ns() + files_ns);
  const uint64_t ticks_a_millisecond = scale.ticks_in(1'000'000);
  const auto nanoseconds = [&](OwnWork work) {
    return static_cast<int64_t>(static_cast<double>(own_ticks_of(work)) * 1e6 /
                                static_cast<double>(ticks_a_millisecond != 0 ? ticks_a_millisecond : 1));
  };
  row.events_ns = nanoseconds(OwnWork::kEvents);
  row.cupti_ns = nanoseconds(OwnWork::kCupti);
  row.stacks_ns = nanoseconds(OwnWork::kStacks);
  row.end_ns = static_cast<int64_t>(waited_ns);
  row.has_parts = 1;
  writer.append(row);
}

}  // namespace tauprof::capture
