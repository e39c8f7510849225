// Which checks pass: of clocks, by what is concluded from them.
#include "findings/health.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/statement_text.h"

namespace tauprof {
namespace {

// Two ranks, whose clocks may be off by 400 us.
class ClockCheck : public testing::Test {
 protected:
  static constexpr Nanoseconds kStep = 10'000'000, kUnsure = 400'000;

  ClockCheck() {
    facts_.ranks = facts_.world_size = 2;
    for (int32_t rank = 0; rank < 2; ++rank) {
      ClockSegment segment;
      segment.uncertainty = rank * kUnsure;
      metrics_.clocks.ranks.push_back({rank, ClockBasis::kWallClock, ClockMap(std::vector{segment})});
      metrics_.ranks.emplace_back().step_ns = kStep;
    }
  }
  // Each of a hundred waits as long as this, in doubt by so much.
  void wait(Nanoseconds each, Nanoseconds doubt) {
    metrics_.communication.wait_table.total.count = 100;
    metrics_.communication.wait_table.total.wait = 100 * each;
    metrics_.communication.wait_table.total.uncertainty = 100 * doubt;
    metrics_.time.ledger.add(Phase::kForward, LedgerRow::kExposedCommWait, 100 * each);
  }
  HealthCheck check(std::string_view id = "clocks") const {
    const std::vector<HealthCheck> all = health_of(facts_, metrics_, findings_);
    return *std::find_if(all.begin(), all.end(), [&](const HealthCheck& one) { return one.id == id; });
  }

  RunFacts facts_;
  RunMetrics metrics_;
  std::vector<Finding> findings_;
};

using StragglerCheck = ClockCheck;

TEST_F(StragglerCheck, DoesNotPassWhereRanksWaitForNobodyInParticular) {
  metrics_.communication.waits.split = 100;
  wait(100'000, 0);
  EXPECT_EQ(check("stragglers").outcome, HealthOutcome::kUnknown);
  EXPECT_EQ(text_of(check("stragglers").found),
            "50.0 % of all ranks' time is waiting for each other, for no rank in particular");
  metrics_.communication.messages.pipelines.emplace_back();  // stages wait for the schedule
  EXPECT_EQ(check("stragglers").outcome, HealthOutcome::kPass);
}

TEST_F(StragglerCheck, FailsWhereTheStragglerIsTheVerdictThoughFewWaitForIt) {
  metrics_.communication.waits.split = 100;
  metrics_.steps.step_duration.mean = static_cast<double>(kStep);
  findings_.emplace_back(FindingId::kStraggler, Severity::kWarning);
  findings_.back().ranks = {1};
  findings_.back().saves_ns_per_step = 0.17 * static_cast<double>(kStep);
  EXPECT_EQ(check("stragglers").outcome, HealthOutcome::kFail);
  EXPECT_EQ(text_of(check("stragglers").found), "repairing rank 1 makes the step 17.0 % shorter");
  findings_.back().saves_ns_per_step = 0.04 * static_cast<double>(kStep);
  EXPECT_EQ(check("stragglers").outcome, HealthOutcome::kPass);
}

TEST_F(StragglerCheck, DoesNotPassWhereALateRankMayBeTheClocks) {
  metrics_.communication.waits.split = 100;
  Straggler late;
  late.rank = 1;
  late.score = 0.45;
  late.is_within_clock_bound = true;
  metrics_.stragglers.found.push_back(late);
  EXPECT_EQ(check("stragglers").outcome, HealthOutcome::kUnknown);
  EXPECT_EQ(text_of(check("stragglers").found),
            "45.0 % of all ranks' time waits for rank 1, late by less than clocks may be off");
  metrics_.stragglers.found.front().is_within_clock_bound = false;
  EXPECT_EQ(check("stragglers").outcome, HealthOutcome::kFail);
}

TEST_F(StragglerCheck, SaysWhatOfTheWaitingTheLedgerDoesNotShow) {
  metrics_.communication.waits.split = 100;
  Straggler late;
  late.rank = 1;
  late.score = 0.15;
  metrics_.stragglers.found.push_back(late);
  metrics_.time.ledger.add(Phase::kForward, LedgerRow::kExposedCommWait, 4 * kStep / 25);
  EXPECT_EQ(text_of(check("stragglers").found), "15.0 % of all ranks' time waits for rank 1, 7.0 % hidden");
  facts_.ranks = 3;  // of which two were chosen
  EXPECT_EQ(text_of(check("stragglers").found), "15.0 % of all ranks' time waits for rank 1");
  facts_.ranks = 2;
  metrics_.time.ledger.add(Phase::kForward, LedgerRow::kExposedCommWait, kStep / 10);
  EXPECT_EQ(text_of(check("stragglers").found), "15.0 % of all ranks' time waits for rank 1")
      << "nearly all of it is in the ledger";
}

TEST_F(ClockCheck, PassesWhereNothingIsConcluded) {
  wait(1'000, kUnsure);  // under a twentieth of the time
  EXPECT_EQ(check().outcome, HealthOutcome::kPass);
  EXPECT_EQ(text_of(check().found), "within 400 us");
}

TEST_F(ClockCheck, PassesWhereWaitsAreLongerOrInNoDoubt) {
  wait(500'000, kUnsure);
  EXPECT_EQ(check().outcome, HealthOutcome::kPass);
  metrics_.communication.wait_table.total = {};
  wait(100'000, 0);
  EXPECT_EQ(check().outcome, HealthOutcome::kPass) << "lengths tell them";
}

TEST_F(ClockCheck, FailsWhereWaitsAreAFindingAndShorter) {
  wait(100'000, kUnsure);
  EXPECT_EQ(check().outcome, HealthOutcome::kFail);
  EXPECT_EQ(text_of(check().found), "within 400 us, but waits of 100 us on average are shorter");
}

TEST_F(ClockCheck, FailsWhereAStragglerIsLateByLess) {
  metrics_.stragglers.found.resize(1);
  metrics_.stragglers.found[0].rank = 1;
  EXPECT_EQ(check().outcome, HealthOutcome::kPass);
  metrics_.stragglers.found[0].is_within_clock_bound = true;
  EXPECT_EQ(check().outcome, HealthOutcome::kFail);
  EXPECT_EQ(text_of(check().found), "within 400 us, but rank 1 is late by less");
}

}  // namespace
}  // namespace tauprof
