#include "simgpu/engine/cost_model.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "fresh_process.h"

namespace simgpu {
namespace {

KernelShape shape_of(std::uint32_t blocks, std::uint32_t threads) {
  KernelShape shape;
  shape.grid[0] = blocks;
  shape.block[0] = threads;
  return shape;
}

class CostTableTest : public testing::Test {
 protected:
  void TearDown() override { std::remove(path_.c_str()); }
  Environment WithTable(const std::string& lines) {
    path_ = testing::TempDir() + "simgpu_cost_table_" + std::to_string(getpid());
    std::ofstream(path_) << lines;
    return {{"SIMGPU_OPTIONS", "costs=" + path_}};
  }
  std::string path_;
};

TEST_F(CostTableTest, TheFirstMatchingLineDecides) {
  expect_in_fresh_process(WithTable("spin fixed_us=7\nsp* fixed_us=9  # a comment\n"), [] {
    EXPECT_EQ(kernel_work("spin", shape_of(1, 32), nullptr).duration, 7000);
    EXPECT_EQ(kernel_work("spun", shape_of(1, 32), nullptr).duration, 9000);
  });
}

TEST_F(CostTableTest, GlobsMatchDemangledNames) {
  expect_in_fresh_process(WithTable("model::forward(int) fixed_us=7\n"), [] {
    EXPECT_EQ(kernel_work("_ZN5model7forwardEi", shape_of(1, 32), nullptr).duration, 7000);
  });
}

TEST_F(CostTableTest, AnArgumentMayGiveTheDuration) {
  expect_in_fresh_process(WithTable("spin argument_ns=1\n"), [] {
    int other = 3;
    std::uint64_t nanoseconds = 123456;
    void* arguments[] = {&other, &nanoseconds};
    EXPECT_EQ(kernel_work("spin", shape_of(1, 32), arguments).duration, 123456);
    EXPECT_EQ(kernel_work("spin", shape_of(1, 32), nullptr).duration, 0);
  });
}

TEST_F(CostTableTest, ABadLineIsNamedAndLeftOut) {
  const FreshProcess child = run_fresh(WithTable("spin fixed_us=7\nspun fixed=7\n"),
                                       [] { EXPECT_EQ(kernel_work("spin", shape_of(1, 32), nullptr).duration, 7000); });
  EXPECT_EQ(child.status, 0);
  EXPECT_NE(child.errors.find(path_ + ":2:"), std::string::npos) << child.errors;
}

TEST(CostModelTest, LargeKernelsTakeTimeInProportionToTheirThreads) {
  expect_in_fresh_process({}, [] {
    const Work one = kernel_work("elementwise", shape_of(1 << 18, 256), nullptr);
    const Work two = kernel_work("elementwise", shape_of(1 << 19, 256), nullptr);
    EXPECT_NEAR(static_cast<double>(two.duration) / static_cast<double>(one.duration), 2, 0.01);
    EXPECT_EQ(one.sm_share, 1);
    EXPECT_EQ(one.resource, Resource::Compute);
  });
}

TEST(CostModelTest, ASmallKernelLeavesMostOfTheDevice) {
  expect_in_fresh_process({}, [] { EXPECT_LT(kernel_work("f", shape_of(1, 256), nullptr).sm_share, 0.01); });
}

TEST(CostModelTest, TimeScaleZeroTakesNoTime) {
  expect_in_fresh_process({{"SIMGPU_OPTIONS", "time_scale=0"}}, [] {
    EXPECT_EQ(kernel_work("f", shape_of(1000, 256), nullptr).duration, 0);
    EXPECT_EQ(gemm_work({4096, 4096, 4096}).duration, 0);
    EXPECT_EQ(copy_work(CopyDirection::HostToDevice, false, 1 << 20).duration, 0);
  });
}

TEST(CostModelTest, ALargeGemmComesNearThePeakAndNeverBeyond) {
  expect_in_fresh_process({{"SIMGPU_OPTIONS", "profile=H100"}}, [] {
    const Work work = gemm_work({8192, 8192, 8192, 1, MathType::Half, 2});
    const double flops = 2.0 * 8192 * 8192 * 8192 / (static_cast<double>(work.duration) * 1e-9);
    EXPECT_LT(flops, 989.4e12);
    EXPECT_GT(flops, 0.6 * 989.4e12);
  });
}

TEST(CostModelTest, AMatrixTimesAVectorIsBoundByMemory) {
  expect_in_fresh_process({{"SIMGPU_OPTIONS", "profile=H100"}}, [] {
    const double bytes = 2.0 * 16384 * 16384;
    const Work work = gemm_work({16384, 1, 16384, 1, MathType::Half, 2});
    EXPECT_NEAR(static_cast<double>(work.duration), bytes / 3.35e12 * 1e9, 2000);
  });
}

TEST(CostModelTest, OneMoreTileThanSmsTakesAWholeSecondWave) {
  expect_in_fresh_process({}, [] {
    const Work full = gemm_work({128 * 132, 256, 8192, 1, MathType::Half, 2});
    const Work one_more = gemm_work({128 * 133, 256, 8192, 1, MathType::Half, 2});
    EXPECT_NEAR(static_cast<double>(one_more.duration) / static_cast<double>(full.duration), 2, 0.01);
  });
}

TEST(CostModelTest, CopiesUseTheEngineOfTheirDirection) {
  expect_in_fresh_process({}, [] {
    EXPECT_EQ(copy_work(CopyDirection::HostToDevice, false, 1).resource, Resource::CopyIn);
    EXPECT_EQ(copy_work(CopyDirection::DeviceToHost, false, 1).resource, Resource::CopyOut);
    EXPECT_EQ(copy_work(CopyDirection::PeerToPeer, false, 1).resource, Resource::CopyPeer);
    EXPECT_GT(copy_work(CopyDirection::HostToDevice, true, 1 << 30).duration,
              2 * copy_work(CopyDirection::HostToDevice, false, 1 << 30).duration);
  });
}

}  // namespace
}  // namespace simgpu
