// How reports write values: names of classes and reasons, dates; with times and texts from logs.
#pragma once

#include <string>
#include <string_view>

#include "findings/duration_text.h"
#include "findings/finding.h"
#include "metrics/collectives/parallelism.h"
#include "metrics/hangs/job_progress.h"
#include "metrics/input/data_pipeline.h"
#include "metrics/stragglers/stragglers.h"
#include "metrics/telemetry/telemetry_table.h"
#include "model/clock_map.h"
#include "model/gemm_work.h"
#include "model/operation_names.h"
#include "model/process_trace.h"
#include "model/terminal_text.h"

namespace tauprof {

std::string_view name_of(SpanClass span_class);
std::string_view name_of(Severity severity);
std::string_view name_of(ClockBasis basis);
std::string_view name_of(SuspectReason reason);
std::string_view name_of(StepOrigin origin);
inline std::string_view name_of(Cause cause) { return kCauseNames[static_cast<size_t>(cause)]; }
inline std::string_view name_of(StragglerPattern pattern) { return kPatternNames[static_cast<size_t>(pattern)]; }
inline std::string_view name_of(WaitPattern pattern) { return kWaitPatternNames[static_cast<size_t>(pattern)]; }
inline std::string_view name_of(Parallelism kind) { return kParallelismNames[static_cast<size_t>(kind)]; }
inline std::string_view name_of(Sharding sharding) { return kShardingNames[static_cast<size_t>(sharding)]; }
inline std::string_view name_of(Sensor sensor) { return kSensorNames[static_cast<size_t>(sensor)]; }
inline std::string_view name_of(MatrixKernel kind) { return kMatrixKernelNames[static_cast<size_t>(kind)]; }
inline std::string_view name_of(Precision precision) { return precision_name(precision); }
inline std::string_view name_of(Phase phase) { return phase_name(phase); }
// `realtime_ns`: since 1970. Example: 2026-01-31T12:00:00Z.
std::string iso_time(int64_t realtime_ns);

}  // namespace tauprof
