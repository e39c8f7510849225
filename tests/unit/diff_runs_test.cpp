// Comparing reports that were built by hand.
#include "diff/diff_runs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "diff/diff_forms.h"
#include "noisy_series.h"

namespace tauprof {
namespace {

constexpr size_t kSteps = 40;

// A run with steps that compute half of the time and idle the other half.
AnalyzedRun run_of(double step_ns, uint64_t seed, const std::string& path = "logs") {
  AnalyzedRun run;
  run.path = path;
  run.report.facts.id = std::to_string(seed);
  run.report.facts.ranks = 2;
  run.report.facts.steps_source = "marker nvtx:step";
  run.report.facts.steps_confidence = 1;
  StepSeries& series = run.report.metrics.steps.series;
  series.host_ns = series.device_ns = noisy_series(kSteps, step_ns, {0.01 * step_ns, 0}, seed);
  for (auto& row : series.row_ns) row.assign(kSteps, 0);
  for (auto& phase : series.phase_ns) phase.assign(kSteps, 0);
  std::vector<double> half = series.device_ns;
  for (double& value : half) value /= 2;
  series.row_ns[static_cast<size_t>(LedgerRow::kCompute)] = half;
  series.row_ns[static_cast<size_t>(LedgerRow::kIdleHostLaunch)] = half;
  series.phase_ns[static_cast<size_t>(Phase::kForward)] = series.device_ns;
  series.phases = {{"forward", false, series.host_ns, series.device_ns}};
  run.report.metrics.time.windows = kSteps;
  return run;
}

CollectiveMetrics all_reduce(const std::string& communicator, bool is_named, double ns) {
  CollectiveMetrics metrics;
  metrics.communicator = communicator;
  metrics.is_named = is_named;
  metrics.operation = log::Operation::kAllReduce;
  metrics.ranks = 2;
  metrics.count = kSteps;
  metrics.size_bytes = 1024;
  metrics.busbw_gb_per_s = 1000 / ns;
  metrics.span_per_step = {ns, std::vector<double>(32, ns)};
  metrics.exposed_per_step = {ns / 2, std::vector<double>(32, ns / 2)};
  return metrics;
}

bool has_note(const Diff& diff, std::string_view words) {
  return std::any_of(diff.notes.begin(), diff.notes.end(),
                     [&](const std::string& note) { return note.find(words) != note.npos; });
}

TEST(DiffRuns, RowsSumToTheStepOnBothSides) {
  const Diff diff = diff_runs({run_of(1001, 1), run_of(1003, 2)}, {run_of(900, 3), run_of(905, 4), run_of(904, 5)});
  for (const auto* parts : {&diff.rows, &diff.phase_parts}) {
    Nanoseconds a = 0, b = 0;
    for (const NamedTime& part : *parts) a += part.time.a_ns, b += part.time.b_ns;
    EXPECT_EQ(a, diff.step.time.a_ns);
    EXPECT_EQ(b, diff.step.time.b_ns);
  }
  EXPECT_EQ(diff.step.outcome, Outcome::kSlower);
  EXPECT_EQ(diff.step.time.means.units, Units::kRuns);
}

TEST(DiffRuns, WithoutDeviceTimesCompareHosts) {
  AnalyzedRun untimed = run_of(1000, 1);
  untimed.report.metrics.steps.series.device_ns.clear();
  const Diff diff = diff_runs({untimed}, {run_of(900, 2)});
  EXPECT_TRUE(diff.step.is_on_host);
  EXPECT_EQ(diff.step.outcome, Outcome::kSlower);
  EXPECT_TRUE(diff.rows.empty() && diff.phase_parts.empty() && diff.kernels.empty() && diff.collectives.empty());
  EXPECT_FALSE(diff.phases.front().device.has_value());
  EXPECT_TRUE(has_note(diff, "device times are missing"));
  EXPECT_EQ(verdict_text(diff).rfind("host step", 0), 0u);
  EXPECT_NE(diff_json(diff).find("\"rows\": null"), std::string::npos);
  EXPECT_FALSE(diff_text(diff, {}, 100).empty());
}

TEST(DiffRuns, CountCommunicatorsWithoutANameTogether) {
  AnalyzedRun a = run_of(1000, 1), b = run_of(1000, 2);
  a.report.metrics.communication.collectives = {all_reduce("00000000000000aa", false, 100),
                                                all_reduce("00000000000000ab", false, 300),
                                                all_reduce("data", true, 50)};
  b.report.metrics.communication.collectives = {all_reduce("00000000000000ff", false, 200),
                                                all_reduce("data", true, 50)};
  const Diff diff = diff_runs({a}, {b});
  ASSERT_EQ(diff.collectives.size(), 2u);
  const CollectiveDiff& unnamed = diff.collectives.front();
  EXPECT_EQ(unnamed.communicator, "");
  EXPECT_EQ(unnamed.time.a_ns, 400);
  EXPECT_EQ(unnamed.time.b_ns, 200);
  EXPECT_EQ(unnamed.exposed.difference_ns(), 100);
  EXPECT_DOUBLE_EQ(*unnamed.a_busbw_gb_per_s, 5);  // twice the bytes in 400 ns
  EXPECT_EQ(diff.collectives.back().communicator, "data");
  EXPECT_EQ(diff.collectives.back().time.difference_ns(), 0);
}

TEST(DiffRuns, ListSettingsThatNoRunOfTheOtherSideHas) {
  AnalyzedRun a = run_of(1000, 1), b = run_of(1000, 2);
  a.report.facts.settings = {{"loader.workers", {{"8", {0, 1}}}}, {"optimizer.class", {{"AdamW", {0, 1}}}}};
  b.report.facts.settings = {{"loader.workers", {{"4", {0}}, {"6", {1}}}}, {"optimizer.class", {{"AdamW", {0, 1}}}}};
  a.report.facts.versions = {{"nccl", "2.28.9"}};
  const Diff diff = diff_runs({a}, {b});
  ASSERT_EQ(diff.settings.size(), 2u);
  EXPECT_EQ(diff.settings[0].name, "loader.workers");
  EXPECT_EQ(diff.settings[0].a, std::vector<std::string>{"8"});
  EXPECT_EQ(diff.settings[0].b, std::vector<std::string>{"4, 6"});
  EXPECT_EQ(diff.settings[1].group, "versions");
  EXPECT_TRUE(diff.settings[1].b.empty());
}

TEST(DiffRuns, WarnOfStepsThatAreNotTheSameWork) {
  AnalyzedRun a = run_of(1000, 1), b = run_of(1000, 2);
  a.report.facts.settings["loader.batch_size"]["64"] = {0, 1};
  b.report.facts.settings["loader.batch_size"]["32"] = {0, 1};
  b.report.facts.ranks = 4;
  b.report.facts.steps_confidence = 0.6;
  const Diff diff = diff_runs({a}, {b});
  EXPECT_TRUE(has_note(diff, "batch sizes differ"));
  EXPECT_TRUE(has_note(diff, "numbers of ranks differ"));
  EXPECT_TRUE(has_note(diff, "steps are inferred"));
  EXPECT_TRUE(has_note(diff, "one run on each side"));
}

TEST(DiffRuns, RefuseSlicesOfTime) {
  AnalyzedRun run = run_of(1000, 1, "some-logs");
  EXPECT_TRUE(can_be_compared(run).is_ok());
  run.report.facts.steps_source = kByTime;
  const Status status = can_be_compared(run);
  EXPECT_FALSE(status.is_ok());
  EXPECT_EQ(status.message().rfind("some-logs: no steps are known", 0), 0u);
}

}  // namespace
}  // namespace tauprof
