// How reports write values: names of classes and reasons, dates; with times and texts from logs.
#pragma once

#include <string>
#include <string_view>

#include "findings/duration_text.h"
#include "findings/finding.h"
#include "metrics/hangs/job_progress.h"
#include "model/clock_map.h"
#include "model/operation_names.h"
#include "model/process_trace.h"
#include "model/terminal_text.h"

namespace tauprof {

std::string_view name_of(SpanClass span_class);
std::string_view name_of(Severity severity);
std::string_view name_of(ClockBasis basis);
std::string_view name_of(SuspectReason reason);
// `realtime_ns`: since 1970. Example: 2026-01-31T12:00:00Z.
std::string iso_time(int64_t realtime_ns);

}  // namespace tauprof
