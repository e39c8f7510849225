#include <cmath>

#include "operations/straggler_answers.h"

namespace tauprof {
namespace {

// A job of two data-parallel ranks and two stages with one micro-batch. The worker of dp_rank 1 and stage 1 (rank 3)
// computes half as fast as the others.
class TrainingJobTest : public testing::Test {
 protected:
  TrainingJobTest() {
    trace_.job = {{"dsp_size", "1"}};
    add_rank(0, 1, 14, 15);
    add_rank(1, 2, 20, 21);
  }

  void add(int32_t dp_rank, int32_t stage, const char* type, double start_s, double end_s, int32_t chunk = -1) {
    const auto known = std::find(trace_.types.begin(), trace_.types.end(), type);
    const auto index = static_cast<uint32_t>(known - trace_.types.begin());
    if (known == trace_.types.end()) trace_.types.emplace_back(type);
    OperationRow row;
    row.step = 5;
    row.dp_rank = dp_rank;
    row.stage = stage;
    row.rank = 2 * stage + dp_rank;
    row.type = index;
    row.start_s = start_s;
    row.duration_s = end_s - start_s;
    row.chunk = chunk;
    row.model_chunk = chunk < 0 ? -1 : 2 * chunk + stage;
    trace_.rows.push_back(row);
  }

  // `slow`: how many times as long the second stage computes. Its peer ends its backward pass, and both their
  // reduction.
  void add_rank(int32_t dp, double slow, double backward_end, double reduced) {
    const double forward_end = 3.5 + 2 * slow, gradient = forward_end + 4 * slow;
    add(dp, 0, "params-all-gather", 0, 1, 0);
    add(dp, 1, "params-all-gather", 0, 1, 0);
    add(dp, 0, "forward-compute", 1, 3, 0);
    add(dp, 0, "forward-send", 3, 3.5);
    add(dp, 1, "forward-recv", 0, 3.5);
    add(dp, 1, "forward-compute", 3.5, forward_end, 0);
    add(dp, 1, "backward-compute", forward_end, gradient, 0);
    add(dp, 1, "backward-send", gradient, gradient + 0.5);
    add(dp, 0, "backward-recv", 0, gradient + 0.5);
    add(dp, 0, "backward-compute", gradient + 0.5, backward_end, 0);
    for (int32_t stage = 0; stage < 2; ++stage) {
      const double end = stage == 0 ? backward_end : gradient;
      add(dp, stage, "gc", end, end);
      add(dp, stage, "layernorm-grads-all-reduce", end, end);
      add(dp, stage, "embedding-grads-all-reduce", end, reduced);
      add(dp, stage, "grads-reduce-scatter", reduced, 22, 0);
      add(dp, stage, "optimizer-clip-main-grad", 22, 22.5);
      add(dp, stage, "optimizer", 22.5, 23.5);
    }
  }

  OperationRow& row(int32_t dp_rank, int32_t stage, const std::string& type) {
    for (OperationRow& row : trace_.rows)
      if (row.dp_rank == dp_rank && row.stage == stage && trace_.types[row.type] == type) return row;
    throw std::logic_error("no " + type);
  }
  void remove(int32_t dp_rank, int32_t stage, const std::string& type) {
    trace_.rows.erase(trace_.rows.begin() + (&row(dp_rank, stage, type) - trace_.rows.data()));
  }

  StragglerAnswers answers() {
    StragglerAnswers answers;
    const Status status = answer_stragglers(trace_, std::nullopt, answers);
    EXPECT_TRUE(status.is_ok()) << status.message();
    return answers;
  }
  std::string complaint() {
    const Status status = check_operation_trace(trace_);
    return status.is_ok() ? "" : status.message();
  }
  static double of(const SlowdownByKey& slowdowns, const std::string& name) {
    for (const SlowdownByKey::Key& key : slowdowns.keys)
      if (key.name == name) return key.slowdown;
    return NAN;
  }

  OperationTrace trace_;
};

TEST_F(TrainingJobTest, AnswersTheWorkedExample) {
  const StragglerAnswers job = answers();
  EXPECT_DOUBLE_EQ(job.recorded_s, 23.5);
  EXPECT_DOUBLE_EQ(job.without_delays_s, 23.5);
  EXPECT_DOUBLE_EQ(job.ideal_s, 20.5);
  EXPECT_NEAR(job.slowdown, 1.146341463, 1e-9);
  EXPECT_DOUBLE_EQ(job.launch_slowdown, 1);
  EXPECT_FALSE(job.of_launch_slowdown);
  ASSERT_TRUE(job.of_slowdown);
  const Decomposition& by = *job.of_slowdown;
  EXPECT_NEAR(of(by.by_dp_rank, "0"), 1, 1e-9);
  EXPECT_NEAR(of(by.by_dp_rank, "1"), 1.146341463, 1e-9);
  EXPECT_NEAR(of(by.by_stage, "0"), 0.926829268, 1e-9);
  EXPECT_NEAR(of(by.by_stage, "1"), 1.219512195, 1e-9);
  EXPECT_NEAR(of(by.by_type, "forward-compute"), 1.048780488, 1e-9);
  EXPECT_NEAR(of(by.by_type, "backward-compute"), 1.097560976, 1e-9);
  EXPECT_NEAR(of(by.by_type, "forward-pp-comm"), 1, 1e-9);
  EXPECT_EQ(by.by_type.keys.size(), 11u);
}

TEST_F(TrainingJobTest, RepairsTheRankThatItsDataParallelRankAndItsStageAccuse) {
  const StragglerAnswers job = answers();
  std::vector<double> scores;
  for (const RankScore& rank : job.ranks) scores.push_back(*rank.slowdown);
  EXPECT_NEAR(scores[0], 0.926829268, 1e-9);
  EXPECT_NEAR(scores[1], 0.926829268, 1e-9);
  EXPECT_NEAR(scores[2], 1, 1e-9);
  EXPECT_NEAR(scores[3], 1.146341463, 1e-9);
  ASSERT_TRUE(job.worst_ranks);
  EXPECT_EQ(job.worst_ranks->ranks, std::vector<int32_t>{3});
  EXPECT_EQ(job.last_stage.ranks, (std::vector<int32_t>{2, 3}));
  for (const Explanation& of : {*job.worst_ranks, job.last_stage}) {
    EXPECT_DOUBLE_EQ(of.repaired_s, 19);
    EXPECT_DOUBLE_EQ(of.alone_s, 25);
    EXPECT_NEAR(*of.removed, 1.5, 1e-9);
  }
}

TEST_F(TrainingJobTest, DoesNotDivideASlowdownThatIsNone) {
  trace_.rows.clear();
  add_rank(0, 1, 14, 15);
  add_rank(1, 1, 14, 15);
  for (OperationRow& row : trace_.rows)
    if (trace_.types[row.type] == "grads-reduce-scatter") row.start_s = 21, row.duration_s = 1;
  const StragglerAnswers job = answers();
  EXPECT_DOUBLE_EQ(job.slowdown, 1);
  EXPECT_FALSE(job.of_slowdown);
  EXPECT_FALSE(job.worst_ranks);
  EXPECT_FALSE(job.last_stage.removed);
}

TEST_F(TrainingJobTest, KnowsNoReplayErrorFromASingleStep) { EXPECT_FALSE(answers().replay_error); }

TEST_F(TrainingJobTest, ReplaysAStepWithTheDelaysOfTheOthers) {
  const size_t rows = trace_.rows.size();
  for (const int64_t step : {6, 7}) {
    for (size_t i = 0; i < rows; ++i) {
      OperationRow row = trace_.rows[i];
      row.step = step;
      if (step == 7 && trace_.types[row.type] == "optimizer") row.start_s += 2;
      trace_.rows.push_back(row);
    }
  }
  // Steps 5 and 6 are replayed with half of step 7's delay of 2 s, step 7 with none: 1/23.5, 1/23.5 and 2/25.5.
  EXPECT_NEAR(*answers().replay_error, (2 / 23.5 + 2 / 25.5) / 3, 1e-9);
}

TEST_F(TrainingJobTest, ATraceIsTheSameFromAnyOrigin) {
  const double slowdown = answers().slowdown;
  for (OperationRow& row : trace_.rows) row.start_s += 1.7e9 + 1.0 / 1024;
  EXPECT_NEAR(answers().slowdown, slowdown, 1e-6);
}

TEST_F(TrainingJobTest, SaysWhichRowIsTwice) {
  trace_.rows.push_back(trace_.rows[6]);
  EXPECT_EQ(complaint(), "row 45: backward-compute 0 (step 5, dp_rank 0, stage 1) is there twice; keep one row of it");
  trace_.rows.back() = row(1, 1, "optimizer");
  EXPECT_EQ(complaint(), "row 44 and row 45 are both optimizer 0 (step 5, dp_rank 1, stage 1); keep one of them");
}

TEST_F(TrainingJobTest, SaysWhichOperationHasNoRow) {
  remove(1, 0, "gc");
  EXPECT_EQ(complaint(), "step 5, dp_rank 1: no row for gc 0 of stage 0; add it, or remove the whole step");
  remove(0, 0, "gc");
  EXPECT_EQ(complaint(), "stage 0 lacks a row of gc; export all operations of a step");
}

TEST_F(TrainingJobTest, SaysWhichOperationHasNoCounterpart) {
  row(1, 1, "forward-compute").sequence = 1;
  EXPECT_EQ(
      complaint(),
      "row 28: forward-compute 1 (step 5, dp_rank 1, stage 1) has no counterpart in step 5 of dp_rank 0; all steps "
      "and dp_ranks need the same operations");
}

TEST_F(TrainingJobTest, KnowsNoOtherMessages) {
  trace_.types[row(0, 0, "forward-send").type] = "forward-send-backward-recv";
  EXPECT_NE(complaint().find("row 4: 'forward-send-backward-recv' is no operation type"), std::string::npos);
}

TEST_F(TrainingJobTest, AMessageNeedsItsOtherEnd) {
  for (const int32_t dp_rank : {0, 1}) remove(dp_rank, 1, "forward-recv");
  EXPECT_EQ(complaint(),
            "forward-send 0 of stage 0 has no other end: the neighbouring stage has only 0 such messages; "
            "export the rows of all messages");
}

TEST_F(TrainingJobTest, OperationsThatWaitForEachOtherAreNoJob) {
  for (const int32_t dp_rank : {0, 1}) row(dp_rank, 0, "backward-compute").start_s = 0.5;
  EXPECT_NE(complaint().find("wait for each other in a circle"), std::string::npos);
}

TEST_F(TrainingJobTest, OneDataParallelRankReducesNothing) {
  std::erase_if(trace_.rows, [](const OperationRow& row) { return row.dp_rank == 1; });
  EXPECT_EQ(complaint(),
            "grads-reduce-scatter 0 of stage 0 in a job of one data-parallel rank; correct dsp_size in "
            "meta.yaml");
  trace_.job["dsp_size"] = "2";
  EXPECT_EQ(complaint(), "");
}

TEST_F(TrainingJobTest, RefusesSizesThatContradictEachOther) {
  trace_.job = {{"dsp_size", "1"}, {"dp_size", "2"}, {"pp_size", "2"}, {"tp_size", "1"}, {"world_size", "8"}};
  EXPECT_EQ(complaint(),
            "meta.yaml: world_size is 8, but dp_size · pp_size · tp_size · dsp_size is 4; correct the sizes");
}

TEST_F(TrainingJobTest, RefusesNumbersThatNoJobHas) {
  row(0, 0, "gc").start_s = NAN;
  EXPECT_EQ(
      complaint(),
      "row 11: gc 0 (step 5, dp_rank 0, stage 0): start_ts is out of range; correct it or export the trace again");
  row(0, 0, "gc").start_s = 14;
  row(1, 0, "gc").dp_rank = row_number(int64_t{1} << 40);
  EXPECT_NE(complaint().find("dp_rank is out of range"), std::string::npos);
}

TEST_F(TrainingJobTest, EveryWorkerIsARankOfItsOwn) {
  row(1, 1, "gc").rank = 2;
  EXPECT_NE(complaint().find("rank 2 is not this worker's alone"), std::string::npos);
}

}  // namespace
}  // namespace tauprof
