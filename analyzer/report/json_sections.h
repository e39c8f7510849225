// The sections of the JSON report and what they share, as lists of fields.
#pragma once

#include "report/fields.h"
#include "report/report.h"
#include "report/throughput.h"

namespace tauprof {

// Mean, median and so on, of times in nanoseconds.
Fields<Statistics> fields_of(const Statistics*);

struct TimedOverlap {
  const Overlap& of;
  bool is_timed;
};
Fields<TimedOverlap> fields_of(const TimedOverlap*);

struct QualityOfRun {
  const RunFacts& facts;
  const RunMetrics& metrics;
};
Fields<QualityOfRun> fields_of(const QualityOfRun*);

// What the framework was asked, by group; none if it was not.
std::optional<Named<Named<Json>>> settings_by_group(const RunFacts& facts);

struct StepsOfRun {
  const Report& report;
  const RunMetrics& metrics;
  const RunFacts& facts;
};
Fields<StepsOfRun> fields_of(const StepsOfRun*);

struct LedgerOfRun {
  const RunMetrics& metrics;
};
Fields<LedgerOfRun> fields_of(const LedgerOfRun*);

struct InputOfRun {
  const DataPipeline& input;
  std::optional<InputRate> samples;
};
Fields<InputOfRun> fields_of(const InputOfRun*);

struct EfficiencyOfRun {
  const Efficiency& efficiency;
  Nanoseconds step_ns;
};
Fields<EfficiencyOfRun> fields_of(const EfficiencyOfRun*);

struct MemoryOfRun {
  const std::vector<MemoryOfRank>& ranks;  // at least one
};
Fields<MemoryOfRun> fields_of(const MemoryOfRun*);

struct TelemetryOfRun {
  const std::vector<TelemetryOfRank>& ranks;
};
Fields<TelemetryOfRun> fields_of(const TelemetryOfRun*);

// A rank's clock and its device's.
struct PlacedClock {
  const RankClock& clock;
  const DeviceOffset& device;
};
Fields<PlacedClock> fields_of(const PlacedClock*);

// Of a run, what its repairs would save; of an operation trace, its answers.
struct ReplayOfRun {
  const Savings& savings;
  const std::optional<StragglerAnswers>& job;
};
Fields<ReplayOfRun> fields_of(const ReplayOfRun*);

}  // namespace tauprof
