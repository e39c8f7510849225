#include "capture/device/device_losses.h"

#include "capture/rows/loss_rows.h"

namespace tauprof::capture {
namespace {

constexpr auto kKind = log::RecordKind::kDeviceActivity;

}  // namespace

bool write_buffer_losses(log::Writer& writer, uint64_t now, CuptiActivity& cupti) {
  const uint64_t lost = cupti.take_lost_in_scratch();
  const uint64_t dropped = cupti.take_dropped();
  append_drop(writer, now, kKind, lost, "no buffer for CUPTI");
  append_drop(writer, now, kKind, dropped, "no buffer for CUPTI, which counts records of calls, too");
  return lost + dropped != 0;
}

void write_time_losses(log::Writer& writer, uint64_t now, ActivityRows& rows, EventTiming& events) {
  append_drop(writer, now, kKind, rows.take_without_times(Forced::kNot), "CUPTI had no time for it");
  append_drop(writer, now, kKind, rows.take_without_times(Forced::kWorkIsStuck),
              "not finished when a forced flush took the work before it");
  append_drop(writer, now, kKind, rows.take_without_times(Forced::kGivingWay), "not finished when CUPTI was given up");
  append_drop(writer, now, kKind, events.take_lost(EventTiming::Lost::kNoEvent),
              "more launches under way than CUDA events");
  append_drop(writer, now, kKind, events.take_lost(EventTiming::Lost::kFailed), "its CUDA events failed");
  append_drop(writer, now, kKind, events.take_lost(EventTiming::Lost::kUnfinished), "not finished at the end");
}

}  // namespace tauprof::capture
