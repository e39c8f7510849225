// Phases of the work after an update: results are gathered and read back, checkpoints are written.
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "torch_loop.h"

namespace tauprof {
namespace {

using Names = std::vector<std::string_view>;

constexpr int64_t kLoss = 4;             // bytes
constexpr int64_t kLayer = 1024 * 1024;  // weights in a layer
constexpr int kLayers = 40;

class AfterUpdate : public testing::Test {
 protected:
  AfterUpdate() { loop.forward().backward().kernels({kListUpdate}); }

  void write_checkpoint() {
    for (int i = 0; i < kLayers; ++i) loop.copy_back();
  }
  // Gathers the shards of all ranks.
  void write_whole_checkpoint() {
    for (int i = 0; i < kLayers; ++i) loop.gather(kLayer).kernels({"split"}).copy_back();
  }
  void evaluate() { loop.copy_to_device().forward().copy_back(kLoss); }

  Loop loop;
};

TEST_F(AfterUpdate, AFewCopiesAreResults) {
  for (int i = 0; i < 3; ++i) loop.copy_back();
  EXPECT_EQ(loop.phases(), (Names{"forward", "optim_step", "sync_gather"}));
}

TEST_F(AfterUpdate, ManyCopiesAreACheckpoint) {
  write_checkpoint();
  EXPECT_EQ(loop.phases(), (Names{"forward", "optim_step", "other"}));
}

TEST_F(AfterUpdate, ALossReadBeforeACheckpointIsAResult) {
  loop.copy_back(kLoss);
  write_checkpoint();
  EXPECT_EQ(loop.phases(), (Names{"forward", "optim_step", "sync_gather", "other"}));
}

TEST_F(AfterUpdate, WeightsGatheredForACheckpointBelongToIt) {
  write_whole_checkpoint();
  EXPECT_EQ(loop.phases(), (Names{"forward", "optim_step", "other"}));
}

TEST_F(AfterUpdate, ACheckpointAfterAnEvaluationIsRecognised) {
  loop.extra();
  evaluate();
  write_checkpoint();
  EXPECT_EQ(loop.phases(), (Names{"forward", "optim_step", "h2d", "other", "sync_gather", "other"}));
}

TEST_F(AfterUpdate, AnEvaluationOfManyBatchesIsNotACheckpoint) {
  loop.extra();
  for (int i = 0; i < kLayers; ++i) loop.forward().copy_back();
  Names phases = {"forward", "optim_step"};
  for (int i = 0; i < kLayers; ++i) phases.insert(phases.end(), {"other", "sync_gather"});
  EXPECT_EQ(loop.phases(), phases);
}

TEST_F(AfterUpdate, AFewGatheredNumbersAreAResult) {
  loop.copy_within().gather(1).kernels({"mean"}).copy_back(kLoss);
  EXPECT_EQ(loop.phases(), (Names{"forward", "optim_step", "sync_gather"}));
}

TEST_F(AfterUpdate, AShardedOptimizerGathersItsWeights) {
  loop.gather(kLayer).gather(100);
  loop.gather(kLayer).kernels({"copy"});
  EXPECT_EQ(loop.phases(), (Names{"forward", "optim_step"}));
}

TEST_F(AfterUpdate, ResultsFollowTheWeightsOfAShardedOptimizer) {
  loop.gather(kLayer).gather(1).kernels({"mean"});
  EXPECT_EQ(loop.phases(), (Names{"forward", "optim_step", "sync_gather"}));
}

TEST_F(AfterUpdate, ManySmallGathersAreNotResults) {
  for (int i = 0; i < kLayers; ++i) loop.gather(100);
  EXPECT_EQ(loop.phases(), (Names{"forward", "optim_step"}));
}

TEST(AfterBackward, AGatherBeforeAnUpdateIsNotAResult) {
  Loop loop;
  loop.forward().backward().gather(1).kernels({kListUpdate});
  EXPECT_EQ(loop.phases(), (Names{"forward", "optim_step"}));
}

}  // namespace
}  // namespace tauprof
