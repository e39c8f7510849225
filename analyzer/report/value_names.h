// How reports write values: names of classes and reasons, times, and texts from logs.
#pragma once

#include <string>
#include <string_view>

#include "findings/finding.h"
#include "metrics/hangs/job_progress.h"
#include "model/clock_map.h"
#include "model/operation_names.h"
#include "model/process_trace.h"

namespace tauprof {

std::string_view name_of(SpanClass span_class);
std::string_view name_of(Severity severity);
std::string_view name_of(ClockBasis basis);
std::string_view name_of(SuspectReason reason);
// Reports are UTF-8, but damaged logs and foreign traces may hold any bytes: those that are not UTF-8 become U+FFFD.
std::string valid_utf8(std::string_view text);
// `realtime_ns`: since 1970. Example: 2026-01-31T12:00:00Z.
std::string iso_time(int64_t realtime_ns);

// A time in the unit that suits it, such as 12.345 ms.
std::string duration_text(double ns);

}  // namespace tauprof
