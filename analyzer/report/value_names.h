// How values are written in reports: operations, types, classes, kernels' names, hosts of steps.
#pragma once

#include <string>
#include <string_view>

#include "findings/find.h"
#include "model/clock_map.h"
#include "model/operation_names.h"
#include "model/process_trace.h"

namespace tauprof {

std::string_view name_of(SpanClass span_class);
std::string_view name_of(Severity severity);
std::string_view name_of(ClockBasis basis);
std::string_view name_of(SuspectReason reason);
// Damaged logs and foreign traces may carry any bytes; reports are UTF-8.
std::string valid_utf8(std::string_view text);
// Nanoseconds since 1970 as 2026-01-31T12:00:00Z.
std::string iso_time(int64_t realtime_ns);

// Nanoseconds in the unit that suits them, as 12.345 ms.
std::string duration_text(double ns);

}  // namespace tauprof
