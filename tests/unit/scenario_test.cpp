#include "replay/scenario.h"

#include "run_builder.h"

namespace tauprof {
namespace {

// Two ranks compute, one for 100 and one for 140, all-reduce for 20, read 8 bytes back for 10 and compute for 40:
//
//   rank 0   |forward 100       |wait 40|all_reduce 20|copy 10|backward 40|
//   rank 1   |forward 140               |all_reduce 20|copy 10|backward 40|
class ScenarioTest : public testing::Test {
 protected:
  ScenarioTest() : builder_(2) {
    for (int rank = 0; rank < 2; ++rank) {
      RankCollective& own = builder_.collective(rank, rank == 0 ? 100 : 140, 160);
      own.communicator_size = 2;
      own.communicator_rank = rank;
      own.is_split = true;
      own.ready = 140;
      RankTimeline& timeline = builder_.ranks()[rank];
      timeline.communicator_names[1] = "data";
    }
    steps_.numbers = {0};
  }

  static ProcessOperations operations(Nanoseconds forward) {
    ProcessOperations process;
    process.names = {"forward_gemm", "ncclDevKernel", "", "backward_gemm"};
    const auto add = [&](Interval time, OperationKind kind, Phase phase) {
      OperationLabel operation;
      operation.name = static_cast<uint32_t>(process.operations.size());
      operation.step = 0;
      operation.kind = kind;
      operation.phase = phase;
      if (kind == OperationKind::kComm) operation.collective = 0;
      if (kind == OperationKind::kCopy) operation.copy_kind = log::CopyKind::kDeviceToHost;
      process.first_edge.push_back(static_cast<uint32_t>(process.edges.size()));
      if (operation.name > 0) process.edges.push_back({operation.name - 1, EdgeKind::kStream});
      process.operations.push_back(operation);
      process.times.push_back(time);
    };
    add({0, forward}, OperationKind::kCompute, Phase::kForward);
    add({forward, 160}, OperationKind::kComm, Phase::kBackward);
    add({160, 170}, OperationKind::kCopy, Phase::kBackward);
    add({170, 210}, OperationKind::kCompute, Phase::kBackward);
    process.first_edge.push_back(static_cast<uint32_t>(process.edges.size()));
    process.step_numbers = {0};
    process.steps = {{{.number = 0, .first = 0, .last_works = {3}}}};
    process.lags.resize(1);
    return process;
  }

  // The answer for the only step with all of "option value".
  Answer answer(const std::vector<std::pair<std::string, std::string>>& asked) {
    for (int rank = 0; rank < 2; ++rank)
      builder_.ranks()[rank].operations = std::make_shared<ProcessOperations>(operations(rank == 0 ? 100 : 140));
    const std::vector<MatchedCollective> matches = match_collectives(builder_.ranks());
    RunGraph run(builder_.ranks(), matches, steps_);
    EXPECT_EQ(run.reason(), "");
    WhatIf what_if(run, builder_.ranks(), matches, links_, {});
    Scenario scenario;
    for (const auto& [option, value] : asked) EXPECT_EQ(read_question(option, value, scenario.emplace_back()), "");
    for (const Question& question : scenario)
      if (const std::string wrong = what_if.not_there(question); !wrong.empty()) return {std::nullopt, 0, wrong};
    return what_if.answer(scenario);
  }
  double step(const std::vector<std::pair<std::string, std::string>>& asked) {
    const Answer given = answer(asked);
    EXPECT_EQ(given.reason, "");
    return given.step_ns.value_or(-1);
  }

  RunBuilder builder_;
  StepSelection steps_;
  LinkModel links_;
};

TEST_F(ScenarioTest, AFasterKernelMovesTheCollectiveThatWaitsForIt) {
  EXPECT_EQ(step({}), 210);
  EXPECT_EQ(step({{"speed", "kernel:forward*=2x"}}), 140);
  EXPECT_EQ(step({{"speed", "kernel:*_gemm=2x"}}), 120);
  EXPECT_EQ(step({{"speed", "kernel:backward_gemm=0.5x"}}), 250);
  EXPECT_EQ(step({{"without", "kernel:forward_gemm"}}), 70);
}

TEST_F(ScenarioTest, APhaseIsAllButItsCollectives) { EXPECT_EQ(step({{"speed", "phase:backward=2x"}}), 185); }

TEST_F(ScenarioTest, ACopyIsNamedByItsDirection) {
  EXPECT_EQ(step({{"without", "copy:d2h"}}), 200);
  EXPECT_EQ(answer({{"without", "copy:h2d"}}).reason, "no copy 'h2d' in this run; there are d2h");
}

TEST_F(ScenarioTest, AFasterCollectiveStillWaitsForTheLast) {
  EXPECT_EQ(step({{"speed", "op:all_reduce=2x"}}), 200);
  EXPECT_EQ(step({{"speed", "comm:da*=4x"}}), 195);
  EXPECT_EQ(step({{"without", "communication"}}), 190);
}

TEST_F(ScenarioTest, ACollectiveWhoseWaitIsNotKnownIsNotReplayed) {
  builder_.ranks()[0].collectives[0].is_split = false;
  const Answer given = answer({{"without", "communication"}});
  EXPECT_FALSE(given.step_ns);
  EXPECT_EQ(given.reason, "how long all_reduce of rank 0 waits and how long it moves data is not known");
}

// How long they wait for the third is in the 20 since the later of them has come.
TEST_F(ScenarioTest, RanksWaitForEachOtherWhereTheLogOfAThirdIsMissing) {
  for (int rank = 0; rank < 2; ++rank) {
    RankCollective& own = builder_.ranks()[rank].collectives[0];
    own.communicator_size = 3;
    own.is_split = false;
  }
  EXPECT_EQ(step({}), 210);
  EXPECT_EQ(step({{"speed", "kernel:forward*=2x"}}), 140);
}

TEST_F(ScenarioTest, ARankIsAsFastAsItsPeersBeforeAllElse) {
  EXPECT_EQ(step({{"fix", "rank:1"}}), 170);
  EXPECT_EQ(step({{"fix", "rank:1"}, {"speed", "kernel:forward_gemm=2x"}}), 120);
  EXPECT_EQ(step({{"speed", "kernel:forward_gemm=2x"}, {"fix", "rank:1"}}), 120);
}

TEST_F(ScenarioTest, RanksThatAreRepairedTogetherAreNoExampleForEachOther) {
  EXPECT_EQ(
      answer({{"fix", "rank:0"}, {"fix", "rank:1"}}).reason,
      "fix rank:0: no other rank does the same work as rank 0 but those that are repaired, too, or hold others up "
      "themselves, and no other step is without it");
}

TEST_F(ScenarioTest, TwoQuestionsAboutOneOperationMultiply) {
  EXPECT_EQ(step({{"speed", "kernel:backward_gemm=2x"}, {"speed", "phase:backward=2x"}}), 175);
}

TEST_F(ScenarioTest, LinksAreChangedByTheLineThroughWhatWasMeasured) {
  EXPECT_EQ(answer({{"link", "op:all_reduce,beta=2x"}}).reason,
            "all_reduce of 4000 bytes on 2 ranks: latency and bandwidth cannot be told: none of them was measured "
            "without waiting");
  LinkFit fit;
  fit.kind = {log::Operation::kAllReduce, 2, 0, CollectiveAlgorithm::kUnknown};
  fit.steps = 2;
  fit.factor = 1;
  fit.from_bytes = 1000;
  fit.to_bytes = 8000;
  fit.sizes = 1;
  links_.fits = {fit};
  EXPECT_EQ(answer({{"link", "op:all_reduce,beta=2x"}}).reason,
            "all_reduce of 4000 bytes on 2 ranks: latency and bandwidth cannot be told: only one size was seen");
  // Half of 4000 bytes' time is latency.
  links_.fits[0].sizes = 4;
  links_.fits[0].line = links_.fits[0].nearby = TransferLine{.latency_ns = 2000, .ns_per_byte = 0.5};
  EXPECT_EQ(step({{"link", "op:all_reduce,beta=2x"}}), 205);
  EXPECT_EQ(step({{"link", "comm:data,alpha=0.5x,beta=2x"}}), 200);
  links_.fits[0].line->latency_variance = 1e6;
  links_.fits[0].line->ns_per_byte_variance = 0.0625;
  links_.fits[0].line->covariance = -250;  // the time at 4000 bytes is sure all the same
  EXPECT_EQ(answer({{"link", "op:all_reduce,alpha=0.5x"}}).reason,
            "all_reduce of 4000 bytes on 2 ranks: its latency is lost in the noise");
}

TEST_F(ScenarioTest, WhatIsNotThereIsAnsweredWithWhatIs) {
  EXPECT_EQ(answer({{"speed", "kernel:nccl*=2x"}}).reason,
            "no kernel 'nccl*' in this run; there are forward_gemm, backward_gemm");
  EXPECT_EQ(answer({{"without", "op:broadcast"}}).reason, "no operation 'broadcast' in this run; there are all_reduce");
  EXPECT_EQ(answer({{"fix", "rank:2"}}).reason, "no rank 2 in this run; there are 0, 1");
  EXPECT_EQ(answer({{"fix", "stage:0"}}).reason, "no pipeline stage 0 in this run; there is none at all");
}

}  // namespace
}  // namespace tauprof
