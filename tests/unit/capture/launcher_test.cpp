#include "capture/settings/launcher.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>
#include <vector>

using namespace tauprof::capture;

namespace {

class LauncherTest : public testing::Test {
 protected:
  ~LauncherTest() override {
    for (const std::string& variable : set_) unsetenv(variable.c_str());
  }
  void Set(const char* variable, const char* value) {
    setenv(variable, value, 1);
    set_.emplace_back(variable);
  }
  std::vector<std::string> set_;
};

TEST_F(LauncherTest, NothingIsKnownWithoutALauncher) {
  const Placement placement = read_placement();
  EXPECT_STREQ(placement.launcher, "");
  EXPECT_EQ(placement.rank, -1);
  EXPECT_EQ(placement.world_size, 0);
}

TEST_F(LauncherTest, ATorchrunRestartIsAnotherRun) {
  Set("RANK", "3");
  Set("WORLD_SIZE", "8");
  Set("LOCAL_RANK", "1");
  Set("LOCAL_WORLD_SIZE", "2");
  Set("TORCHELASTIC_RUN_ID", "job");
  Set("TORCHELASTIC_RESTART_COUNT", "2");
  const Placement placement = read_placement();
  EXPECT_STREQ(placement.launcher, "torchrun");
  EXPECT_EQ(placement.rank, 3);
  EXPECT_EQ(placement.world_size, 8);
  EXPECT_EQ(placement.local_rank, 1);
  EXPECT_EQ(placement.local_world_size, 2);
  EXPECT_STREQ(placement.run_id, "job.2");
}

TEST_F(LauncherTest, ReadsOpenMpisVariables) {
  Set("OMPI_COMM_WORLD_RANK", "0");
  Set("OMPI_COMM_WORLD_SIZE", "4");
  Set("OMPI_COMM_WORLD_LOCAL_RANK", "0");
  Set("PMIX_NAMESPACE", "prterun-7");
  const Placement placement = read_placement();
  EXPECT_STREQ(placement.launcher, "openmpi");
  EXPECT_EQ(placement.rank, 0);
  EXPECT_EQ(placement.world_size, 4);
  EXPECT_STREQ(placement.run_id, "prterun-7");
}

TEST_F(LauncherTest, ReadsMvapichsVariables) {
  Set("MV2_COMM_WORLD_RANK", "6");
  Set("MV2_COMM_WORLD_SIZE", "8");
  Set("MV2_COMM_WORLD_LOCAL_RANK", "2");
  Set("MV2_COMM_WORLD_LOCAL_SIZE", "4");
  const Placement placement = read_placement();
  EXPECT_STREQ(placement.launcher, "mvapich2");
  EXPECT_EQ(placement.rank, 6);
  EXPECT_EQ(placement.world_size, 8);
  EXPECT_EQ(placement.local_rank, 2);
  EXPECT_EQ(placement.local_world_size, 4);
}

TEST_F(LauncherTest, ReadsThePmiVariablesOfMpichAndIntelMpi) {
  Set("PMI_RANK", "1");
  Set("PMI_SIZE", "2");
  Set("MPI_LOCALRANKID", "1");
  Set("MPI_LOCALNRANKS", "2");
  const Placement placement = read_placement();
  EXPECT_STREQ(placement.launcher, "mpich");
  EXPECT_EQ(placement.rank, 1);
  EXPECT_EQ(placement.world_size, 2);
  EXPECT_EQ(placement.local_rank, 1);
  EXPECT_EQ(placement.local_world_size, 2);
}

TEST_F(LauncherTest, SlurmRunsAreNamedByJobAndStep) {
  Set("SLURM_PROCID", "5");
  Set("SLURM_STEP_NUM_TASKS", "16");
  Set("SLURM_LOCALID", "1");
  Set("SLURM_JOB_ID", "4711");
  Set("SLURM_STEP_ID", "0");
  const Placement placement = read_placement();
  EXPECT_STREQ(placement.launcher, "slurm");
  EXPECT_EQ(placement.rank, 5);
  EXPECT_EQ(placement.world_size, 16);
  EXPECT_STREQ(placement.run_id, "slurm-4711.0");
}

TEST_F(LauncherTest, IgnoresNonsense) {
  Set("RANK", "9");
  Set("WORLD_SIZE", "8");
  EXPECT_EQ(read_placement().rank, -1);
  Set("RANK", "first");
  EXPECT_EQ(read_placement().rank, -1);
}

}  // namespace
