// Rows that say how much device work has no times in the log, and why.
#pragma once

#include <stdint.h>

#include "capture/device/activity_rows.h"
#include "capture/device/cupti_activity.h"
#include "capture/device/event_timing.h"
#include "log/writer.h"

namespace tauprof::capture {

// Records that found no buffer until the last flush. Returns true if there were any.
bool write_buffer_losses(log::Writer& writer, uint64_t now, CuptiActivity& cupti);
// Records that came without times.
void write_time_losses(log::Writer& writer, uint64_t now, ActivityRows& rows, EventTiming& events);

}  // namespace tauprof::capture
