// How reports write values: names of classes and reasons, dates; with times and texts from logs.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "findings/finding.h"
#include "findings/health.h"
#include "metrics/collectives/parallelism.h"
#include "metrics/efficiency/roofline.h"
#include "metrics/hangs/job_progress.h"
#include "metrics/input/data_pipeline.h"
#include "metrics/link_model/link_fit.h"
#include "metrics/stragglers/stragglers.h"
#include "metrics/telemetry/telemetry_table.h"
#include "model/call_path.h"
#include "model/clock_map.h"
#include "model/collective_algorithm.h"
#include "model/disturbance.h"
#include "model/gemm_work.h"
#include "model/operation_names.h"
#include "model/process_trace.h"
#include "model/terminal_text.h"
#include "report/text_values.h"

namespace tauprof {

// The names of an enum's values, in their order. The pointer only says of which enum.
using NameList = std::span<const std::string_view>;
NameList names_of(const SpanClass*);
NameList names_of(const Severity*);
NameList names_of(const ClockBasis*);
NameList names_of(const SuspectReason*);
NameList names_of(const StepOrigin*);
NameList names_of(const LinkUnknown*);
NameList names_of(const HostSource*);
NameList names_of(const HealthOutcome*);
inline NameList names_of(const Cause*) { return kCauseNames; }
inline NameList names_of(const StragglerPattern*) { return kPatternNames; }
inline NameList names_of(const WaitPattern*) { return kWaitPatternNames; }
inline NameList names_of(const Parallelism*) { return kParallelismNames; }
inline NameList names_of(const Sharding*) { return kShardingNames; }
inline NameList names_of(const PathKind*) { return kPathKindNames; }
inline NameList names_of(const Sensor*) { return kSensorNames; }
inline NameList names_of(const MatrixKernel*) { return kMatrixKernelNames; }
inline NameList names_of(const log::ProductForm*) { return kProductFormNames; }
inline NameList names_of(const Bound*) { return kBoundNames; }
inline NameList names_of(const Precision*) { return kPrecisionNames; }
inline NameList names_of(const Phase*) { return kPhaseNames; }
inline NameList names_of(const CollectiveAlgorithm*) { return kAlgorithmNames; }

template <class Enum>
concept HasNames = requires(const Enum* of) {
  names_of(of);
};

template <HasNames Enum>
std::string_view name_of(Enum value) {
  return names_of(&value)[static_cast<size_t>(value)];
}

// `realtime_ns`: since 1970. Example: 2026-01-31T12:00:00Z.
std::string iso_time(int64_t realtime_ns);

}  // namespace tauprof
