// The subject of the verdict, from findings whose savings or times are given.
#include "findings/verdict.h"

#include <gtest/gtest.h>

#include "report/statement_text.h"
#include "report/text_sections.h"
#include "report/text_values.h"

namespace tauprof {
namespace {

constexpr double kStep = 100e6;

// A run of ten steps of 100 ms that computes `computes` of the time.
RunMetrics run_that_computes(double computes) {
  RunMetrics metrics;
  metrics.steps.step_duration.mean = kStep;
  metrics.steps.step_duration.count = 10;
  for (int64_t step = 0; step < 10; ++step) metrics.steps.selection.analysed.push_back({step});
  RankMetrics rank;
  rank.rank = 0;
  rank.step_ns = static_cast<Nanoseconds>(10 * kStep);
  const auto compute = static_cast<Nanoseconds>(computes * static_cast<double>(rank.step_ns));
  metrics.time.ledger.add(Phase::kOther, LedgerRow::kCompute, compute);
  metrics.time.ledger.add(Phase::kOther, LedgerRow::kIdleHostLaunch, rank.step_ns - compute);
  metrics.ranks.push_back(rank);
  return metrics;
}

Finding finding(FindingId id, const char* title, double ms) {
  Finding made(id, Severity::kWarning);
  made.title = title;
  made.cost_ns_per_step = ms * 1e6;
  made.saves_ns_per_step = ms * 1e6;
  return made;
}

Savings nothing_replayed() {
  Savings savings;
  savings.reason = "replayed steps are off by 4.2 %, too much to price repairs";
  return savings;
}

std::vector<Finding> unpriced(std::vector<Finding> findings) {
  for (Finding& one : findings) one.saves_ns_per_step.reset();
  return findings;
}

TEST(Verdict, IsWhatRepairsGive) {
  const auto verdict =
      verdict_of(RunFacts(), run_that_computes(0.5), {finding(FindingId::kLaunchBound, "The host is slow", 30)}, {});
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->kind, VerdictClass::kHost);
  EXPECT_EQ(text_of(verdict->title), "The host is slow. Without that the step takes 70 ms instead of 100.0 ms");
  EXPECT_FALSE(verdict->is_by_time);
}

TEST(Verdict, IsByTimeWhereNothingWasReplayed) {
  const std::vector<Finding> findings = unpriced({finding(FindingId::kLaunchBound, "The host is slow", 35),
                                                  finding(FindingId::kExposedComm, "Transfers are exposed", 9)});
  const auto verdict = verdict_of(RunFacts(), run_that_computes(0.5), findings, nothing_replayed());
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->kind, VerdictClass::kHost);
  EXPECT_EQ(text_of(verdict->title), "The host is slow, 35.00 ms of a step of 100.0 ms");
  EXPECT_TRUE(verdict->is_by_time);
  EXPECT_EQ(verdict->about, 0u);
  EXPECT_EQ(text_of(verdict->because.back()),
            "by time alone: replayed steps are off by 4.2 %, too much to price repairs");
}

TEST(Verdict, ByTimeHasTheOtherClassesToo) {
  const RunMetrics mostly_computes = run_that_computes(0.92);
  EXPECT_EQ(verdict_of(RunFacts(), mostly_computes, {}, nothing_replayed())->kind, VerdictClass::kGpu);
  EXPECT_EQ(verdict_of(RunFacts(), run_that_computes(0.7), {}, nothing_replayed())->kind, VerdictClass::kBalanced);
  EXPECT_EQ(verdict_of(RunFacts(), mostly_computes, unpriced({finding(FindingId::kExposedComm, "Transfers", 5)}),
                       nothing_replayed())
                ->kind,
            VerdictClass::kGpu);
  std::vector<Finding> late = unpriced(
      {finding(FindingId::kLaunchBound, "The host is slow", 35), finding(FindingId::kStraggler, "Rank 2 is late", 8)});
  EXPECT_EQ(verdict_of(RunFacts(), run_that_computes(0.5), late, nothing_replayed())->kind, VerdictClass::kStraggler);
  late[1].at_most = Severity::kInfo;  // its clock may be wrong by as much
  EXPECT_EQ(verdict_of(RunFacts(), run_that_computes(0.5), late, nothing_replayed())->kind, VerdictClass::kHost);
}

TEST(Verdict, ByTimeABubbleLongerThanAnyOtherCauseComesBeforeTheDevice) {
  RunMetrics metrics = run_that_computes(0.9);
  Pipeline& pipeline = metrics.communication.messages.pipelines.emplace_back();
  pipeline.stages.resize(2);
  pipeline.stages[0].wait_next = static_cast<Nanoseconds>(10 * 0.06 * kStep);
  const auto kind = [&](double other_ms) {
    const auto other = unpriced({finding(FindingId::kExposedComm, "Transfers are exposed", other_ms)});
    return verdict_of(RunFacts(), metrics, other, nothing_replayed())->kind;
  };
  EXPECT_EQ(kind(4), VerdictClass::kPipeline);
  EXPECT_EQ(kind(9), VerdictClass::kGpu);
}

TEST(Verdict, NeverSaysLessThanTheFirstRepair) {
  for (const FindingKind& kind : kFindingKinds) {
    if (kind.scope != FindingScope::kRepair) continue;
    const auto id = static_cast<FindingId>(&kind - kFindingKinds);
    ASSERT_NE(kind.verdict, VerdictClass::kNone) << kind.name;
    for (const double computes : {0.1, 0.95}) {
      const auto verdict = verdict_of(RunFacts(), run_that_computes(computes), {finding(id, "A cause", 4)}, {});
      EXPECT_EQ(verdict->kind, id == FindingId::kStraggler ? VerdictClass::kStraggler : kind.verdict) << kind.name;
      EXPECT_EQ(verdict->about, 0u) << kind.name;
    }
  }
}

TEST(Verdict, NamesACauseWithoutAPriceBeforeItSaysThatNothingIsWorthIt) {
  std::vector<Finding> findings = unpriced({finding(FindingId::kDeviceLatency, "Late starts", 60)});
  findings[0].saves_reason = "most of it is usual";
  const auto verdict = verdict_of(RunFacts(), run_that_computes(0.36), findings, {});
  EXPECT_EQ(verdict->kind, VerdictClass::kGpu);
  EXPECT_EQ(text_of(verdict->title), "Late starts, 60.00 ms of a step of 100.0 ms; gain not known");
  EXPECT_EQ(text_of(verdict->because.back()), "no price: most of it is usual");
  findings[0].cost_ns_per_step = 2e6;
  EXPECT_EQ(verdict_of(RunFacts(), run_that_computes(0.36), findings, {})->kind, VerdictClass::kBalanced);
}

TEST(Verdict, IsAllTogetherWhereEachHidesTheOthers) {
  const std::vector<Finding> findings = {finding(FindingId::kDataWait, "Input is late", 0.5),
                                         finding(FindingId::kHostStall, "The host is stalled", 1)};
  Savings savings;
  savings.combined_ns_per_step = 60e6;
  const auto verdict = verdict_of(RunFacts(), run_that_computes(0.9), findings, savings);
  EXPECT_EQ(verdict->kind, VerdictClass::kHost);
  EXPECT_EQ(verdict->about, 1u);
  EXPECT_EQ(text_of(verdict->title),
            "Several causes at once: no repair alone gives 3 % of the step, all together make it 40 ms instead of "
            "100.0 ms");
  savings.combined_ns_per_step = 2e6;
  EXPECT_EQ(verdict_of(RunFacts(), run_that_computes(0.7), findings, savings)->kind, VerdictClass::kBalanced);
}

TEST(Verdict, IsWhyRatherThanWhen) {
  Finding when = finding(FindingId::kSlowSteps, "Steps 4, 8 are slow", 23),
          why = finding(FindingId::kDataWait, "Input", 21.5);
  when.tells = Tells::kWhen;
  EXPECT_EQ(verdict_of(RunFacts(), run_that_computes(0.3), {when, why}, {})->kind, VerdictClass::kData);
  why.saves_ns_per_step = 15e6;
  EXPECT_EQ(verdict_of(RunFacts(), run_that_computes(0.3), {when, why}, {})->kind, VerdictClass::kSteps);
}

TEST(PredictedText, HasTheDigitsThatTheErrorBears) {
  EXPECT_EQ(predicted_text(236.04e6, std::nullopt), "240 ms");
  EXPECT_EQ(predicted_text(236.04e6, 0.0), "236 ms");
  EXPECT_EQ(predicted_text(236.04e6, 1.6e6), "236 ms");
  EXPECT_EQ(predicted_text(236.04e6, 30e6), "240 ms");
  EXPECT_EQ(predicted_text(9.9996e6, 0.0), "10.0 ms");
  EXPECT_EQ(predicted_text(1.2345e9, 1e6), "1.23 s");
  EXPECT_EQ(predicted_text(7284.0, std::nullopt), "7.3 us");
  EXPECT_EQ(predicted_text(0, 0.0), "0 ns");
}

TEST(Verdict, NeedsSteps) { EXPECT_FALSE(verdict_of(RunFacts(), RunMetrics(), {}, nothing_replayed())); }

TEST(Verdict, IsAStragglerOfUnknownCauseOnlyWhereNothingGivesMore) {
  std::vector<Finding> findings = {finding(FindingId::kStraggler, "Rank 7 is late", 12),
                                   finding(FindingId::kLaunchBound, "Slow host", 60)};
  EXPECT_EQ(verdict_of(RunFacts(), run_that_computes(0.1), findings, {})->kind, VerdictClass::kStraggler);
  findings[0].is_why_unknown = true;
  EXPECT_EQ(verdict_of(RunFacts(), run_that_computes(0.1), findings, {})->kind, VerdictClass::kHost);
  findings[0].saves_ns_per_step = 70e6;
  EXPECT_EQ(verdict_of(RunFacts(), run_that_computes(0.1), findings, {})->kind, VerdictClass::kStraggler);
}

Report report_of(RunMetrics metrics, std::vector<Finding> findings, Savings savings) {
  Report report;
  report.metrics = std::move(metrics);
  report.findings = std::move(findings);
  report.savings = std::move(savings);
  report.verdict = verdict_of(report.facts, report.metrics, report.findings, report.savings);
  return report;
}

TEST(VerdictText, SaysWhyNothingIsPricedAndWhatTakesTheTime) {
  const std::string text =
      verdict_text(report_of(run_that_computes(0.5),
                             unpriced({finding(FindingId::kLaunchBound, "The host is slow", 35)}), nothing_replayed()),
                   {});
  EXPECT_NE(text.find("VERDICT  host: The host is slow, 35.00 ms of a step of 100.0 ms. By time alone: replayed steps"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("takes of the step\n 1  The host is slow"), std::string::npos) << text;
  EXPECT_NE(text.find(" 35.00 ms\n"), std::string::npos) << text;
}

TEST(VerdictText, HasNoBoundOfNearlyNothing) {
  RunMetrics metrics = run_that_computes(0.5);
  metrics.devices.efficiency.is_lower_bound = true;
  metrics.devices.efficiency.hfu = 0.3;
  EXPECT_NE(verdict_text(report_of(metrics, {}, {}), {}).find("HFU 30.0 % or more"), std::string::npos);
  metrics.devices.efficiency.hfu = 4.3e-8;
  const std::string text = verdict_text(report_of(metrics, {}, {}), {});
  EXPECT_EQ(text.find("or more"), std::string::npos) << text;
  EXPECT_NE(text.find("HFU not known"), std::string::npos) << text;
}

TEST(VerdictText, FitsTheLinesAndCutsDetailsBeforeRepairs) {
  std::vector<Finding> findings;
  for (const FindingId id : {FindingId::kLaunchBound, FindingId::kExposedComm, FindingId::kDataWait}) {
    findings.push_back(finding(id, kind_of(id).name.data(), 20));
    findings.back().evidence = findings.back().advice = std::string(60, 'a') + " " + std::string(60, 'b');
  }
  const Report report = report_of(run_that_computes(0.4), findings, {});
  for (size_t most = 18; most <= kScreenLines; ++most) {
    const std::string text = verdict_text(report, {}, most);
    EXPECT_LE(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')), most) << text;
    EXPECT_NE(text.find("\n 3  data-wait"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tauprof
