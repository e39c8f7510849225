// Which products the kernels of FlashAttention 2 compute, by their names and grids.
#include "classify/flash_attention.h"

#include <gtest/gtest.h>

#include <string>

#include "classify/flash_kernel.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

std::string traits(const std::string& pass, int width, int queries, int keys) {
  const std::string tiles =
      std::to_string(width) + ", " + std::to_string(queries) + ", " + std::to_string(keys) + ", ";
  return "Flash_" + pass + "_kernel_traits<" + tiles + "8, false, false, cutlass::bfloat16_t, Flash_kernel_traits<" +
         tiles + "8, cutlass::bfloat16_t> >";
}

std::string forward(bool is_even, int width = 64) {
  return "void pytorch_flash::flash_fwd_kernel<" + traits("fwd", width, 128, 64) + ", false, true, false, false, " +
         (is_even ? "true, true" : "false, true") + ", false, false>(pytorch_flash::Flash_fwd_params)";
}

std::string preparation(bool is_deterministic = false) {
  return std::string("void pytorch_flash::flash_bwd_dot_do_o_kernel<") + (is_deterministic ? "false, " : "true, ") +
         traits("bwd", 64, 64, 128) + ">(pytorch_flash::Flash_bwd_params)";
}

std::string gradients(bool is_even) {
  return "void pytorch_flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<" + traits("bwd", 64, 64, 128) +
         ", false, true, false, false, " + (is_even ? "true, true" : "false, true") +
         ", false>(pytorch_flash::Flash_bwd_params)";
}

class FlashAttentionTest : public testing::Test {
 protected:
  void Launch(const std::string& kernel, int blocks, int sequences = 2, int heads = 4) {
    time_ += 100;
    builder_.call("cudaLaunchKernel", time_, time_ + 5);
    spans_.push_back(builder_.span(time_ + 10, time_ + 60, 0, kernel));
    shapes_.push_back({{blocks, sequences, heads}, {256, 1, 1}});
  }
  // The operations of each product, by the order of launches.
  std::vector<double> Flops() {
    ProcessTrace& trace = builder_.build();
    for (size_t i = 0; i < spans_.size(); ++i) {
      trace.devices.front().spans[spans_[i]].launch_shape = static_cast<uint32_t>(trace.launch_shapes.size());
      trace.launch_shapes.push_back(shapes_[i]);
    }
    if (has_products_) {
      trace.gemm_kinds.push_back({});
      for (uint32_t call = 0; call < trace.calls.size(); ++call) trace.gemms.push_back({call, 0, call});
      trace.index_gemms();
    }
    count_flash_attention(trace);
    std::vector<double> flops;
    for (const GemmWork& gemm : trace.gemms) flops.push_back(trace.gemm_kinds[gemm.kind].shape.flops);
    for (const GemmWork& gemm : trace.gemms) EXPECT_EQ(trace.gemm_of(gemm.call), &gemm);
    return flops;
  }
  // Two products with queries of 512, keys, heads of 64, 2 sequences and 4 heads.
  static double Forward(double keys) { return 2 * 2 * 512 * keys * 64 * 2 * 4; }

  TraceBuilder builder_;
  std::vector<uint32_t> spans_;
  std::vector<LaunchShape> shapes_;
  Nanoseconds time_ = 0;
  bool has_products_ = false;
};

using Counts = std::vector<double>;

TEST_F(FlashAttentionTest, BackwardPassesTellTheKeysOfForwardOnes) {
  Launch(forward(true), 4);
  Launch(preparation(), 8);
  Launch(gradients(true), 4);
  EXPECT_EQ(Flops(), (Counts{Forward(512), 2.5 * Forward(512)}));
}

TEST_F(FlashAttentionTest, OtherKeysThanQueriesCount) {
  Launch(forward(true), 4);
  Launch(preparation(), 8);
  Launch(gradients(true), 2);
  EXPECT_EQ(Flops(), (Counts{Forward(256), 2.5 * Forward(256)}));
}

TEST_F(FlashAttentionTest, ForwardPassesWhoseKeysVaryDoNotCount) {
  Launch(forward(true), 4);
  for (const int tiles : {2, 4}) {
    Launch(preparation(), 8);
    Launch(gradients(true), tiles);
  }
  EXPECT_EQ(Flops(), (Counts{2.5 * Forward(256), 2.5 * Forward(512)}));
}

TEST_F(FlashAttentionTest, OtherSequencesTellNothing) {
  Launch(forward(true), 4, 3);
  Launch(preparation(), 8);
  Launch(gradients(true), 4);
  EXPECT_EQ(Flops(), Counts{2.5 * Forward(512)});
}

TEST_F(FlashAttentionTest, LengthsThatDoNotFillTheirTilesDoNotCount) {
  Launch(forward(false), 4);
  Launch(preparation(), 8);
  Launch(gradients(false), 4);
  EXPECT_EQ(Flops(), Counts{});
}

TEST_F(FlashAttentionTest, DeterministicGradientsHaveTheGridOfTheirDevice) {
  Launch(forward(true), 4);
  Launch(preparation(true), 8);
  Launch(gradients(true), 4);
  EXPECT_EQ(Flops(), Counts{});
}

TEST_F(FlashAttentionTest, WithoutABackwardPassNothingCounts) {
  Launch(forward(true), 4);
  EXPECT_EQ(Flops(), Counts{});
}

TEST_F(FlashAttentionTest, WhatALibraryOrOperatorComputedCountsOnce) {
  Launch(forward(true), 4);
  Launch(preparation(), 8);
  Launch(gradients(true), 4);
  has_products_ = true;
  EXPECT_EQ(Flops(), (Counts{0, 0, 0}));
}

TEST(FlashKernel, IsReadFromItsName) {
  const std::optional<FlashKernel> kernel = flash_kernel_of(forward(true));
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->width, 64);
  EXPECT_EQ(kernel->queries, 128);
  EXPECT_EQ(kernel->keys, 64);
  EXPECT_TRUE(kernel->is_exact);
  EXPECT_EQ(kernel->type, log::DataType::kBfloat16);
  for (const char* const other :
       {"", "flash_fwd_kernel<", "flash_fwd_kernel<>", "flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 32, 4>>(x)",
        "flash_fwd_kernel<Flash_fwd_kernel_traits<0, 0, 0, 4>, false, true, false, false, true, true, false, false>(x)",
        "flash_fwd_kernel<Flash_fwd_kernel_traits<9223372036854775807, 128, 128, 4>, false, true, false, false, true, "
        "true, false, false>(x)",
        "flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<64, 64, 64, 4>, false, true, false, true, true, false, "
        "false>",
        "cutlass::device_kernel<flash::FlashAttnFwdSm90<flash::CollectiveMainloopFwdSm90<2> > >(x)"})
    EXPECT_FALSE(flash_kernel_of(other)) << other;
}

}  // namespace
}  // namespace tauprof
