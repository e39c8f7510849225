// The sections of the JSON report, each an object with a list of its fields: the structs of the analysis where they say
// all that a section needs, else those here. json_report.cpp has the list of the sections.
#pragma once

#include "report/fields.h"
#include "report/report.h"
#include "report/throughput.h"

namespace tauprof {

Fields<Statistics> fields_of(const Statistics*);

Fields<RunFacts> fields_of(const RunFacts*);
// The framework's settings, by group; none if it was not asked.
std::optional<Named<Named<Json>>> settings_by_group(const RunFacts& facts);

struct QualityOfRun {
  const RunFacts& facts;
  const RunMetrics& metrics;
};
Fields<QualityOfRun> fields_of(const QualityOfRun*);

struct StepsOfRun {
  const Report& report;
  const RunMetrics& metrics;
  const RunFacts& facts;
};
Fields<StepsOfRun> fields_of(const StepsOfRun*);
Fields<PhaseMetrics> fields_of(const PhaseMetrics*);

struct InputOfRun {
  const DataPipeline& input;
  std::optional<InputRate> samples;
};
Fields<InputOfRun> fields_of(const InputOfRun*);

struct LedgerOfRun {
  const RunMetrics& metrics;
};
Fields<LedgerOfRun> fields_of(const LedgerOfRun*);

struct TimedOverlap {
  const Overlap& of;
  bool is_timed;
};
Fields<TimedOverlap> fields_of(const TimedOverlap*);
Fields<RankMetrics> fields_of(const RankMetrics*);

Fields<CollectiveMetrics> fields_of(const CollectiveMetrics*);
Fields<LinkFit> fields_of(const LinkFit*);
Fields<WaitTable> fields_of(const WaitTable*);
Fields<MessageTable> fields_of(const MessageTable*);

// Groups with the balance of their weights, if they are sharded.
struct GroupsAndBalance {
  const ParallelGroups& groups;
  std::optional<ShardingBalance> balance;
};
Fields<GroupsAndBalance> fields_of(const GroupsAndBalance*);
std::vector<GroupsAndBalance> groups_with_balance(const RunMetrics& metrics);

struct StragglersOfRun {
  const StragglerReport& report;
  const StepSeries& series;
};
Fields<StragglersOfRun> fields_of(const StragglersOfRun*);

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

Fields<CallMetrics> fields_of(const CallMetrics*);

// A kernel beside all of them.
struct KernelOfRun {
  const KernelMetrics& kernel;
  Nanoseconds total;  // of all

  double share() const { return total > 0 ? static_cast<double>(kernel.total) / static_cast<double>(total) : 0; }
};
Fields<KernelOfRun> fields_of(const KernelOfRun*);
std::vector<KernelOfRun> kernels_of(const RunMetrics& metrics);

struct LineOfRun {
  const SourceLineMetrics& line;
  bool is_timed;  // any rank of the run
};
Fields<LineOfRun> fields_of(const LineOfRun*);
std::vector<LineOfRun> slow_lines(const RunMetrics& metrics);

struct TimesOfRun {
  const TimesOfName& times;
  bool is_timed;  // any rank of the run
};
Fields<TimesOfRun> fields_of(const TimesOfRun*);
std::vector<TimesOfRun> times_of_run(const RunMetrics& metrics, std::vector<TimesOfName> RunWork::*times);

// A node of the call tree, with those inside of it that a picture would not show.
struct ShownNode {
  std::optional<uint32_t> parent;  // none: it lies in none
  PathKind kind = PathKind::kRoot;
  std::string name;
  PathTimes times;
  bool is_timed = false;  // any rank of the run
};
Fields<ShownNode> fields_of(const ShownNode*);
std::vector<ShownNode> shown_nodes(const RunMetrics& metrics);

// A rank's clock and its device's.
struct PlacedClock {
  const RankClock& clock;
  const DeviceOffset& device;
};
Fields<PlacedClock> fields_of(const PlacedClock*);
std::vector<PlacedClock> placed_clocks(const RunMetrics& metrics);

Fields<HealthCheck> fields_of(const HealthCheck*);
Fields<JobProgress> fields_of(const JobProgress*);
Fields<CollectiveMismatch> fields_of(const CollectiveMismatch*);

Fields<Disturbance> fields_of(const Disturbance*);

// Of a run, what its repairs would save; of an operation trace, its answers.
struct ReplayOfRun {
  const Savings& savings;
  const std::optional<StragglerAnswers>& job;
};
Fields<ReplayOfRun> fields_of(const ReplayOfRun*);

}  // namespace tauprof
