// The products of a rank: which call or operator has which, and that each counts once.
#include "metrics/efficiency/gemm_totals.h"

#include <gtest/gtest.h>

#include "classify/matrix_kernels.h"
#include "metrics/run/timeline_of_rank.h"
#include "read/gemm_table.h"
#include "read/launch_join.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

// One step of 1000 ns, and operators around launches.
class GemmTotalsTest : public testing::Test {
 protected:
  static constexpr NameId kOperator = 0;

  void Operator(Nanoseconds start, Nanoseconds end, int64_t flops) {
    log::OperatorWork row;
    row.m = row.n = row.k = 1;
    row.type_a = row.type_b = static_cast<int64_t>(log::DataType::kFloat32);
    row.flops = flops;
    gemms_.add(row, {start, end}, 0, kOperator);
  }
  void Multiply(Nanoseconds start, int64_t m, int64_t n, int64_t k, int64_t batch, log::DataType type) {
    log::Gemm row;
    row.correlation = static_cast<int64_t>(builder_.call("cublasGemmEx", start, start + 5).correlation);
    row.m = m, row.n = n, row.k = k, row.batch = batch;
    row.type_a = row.type_b = row.type_compute = static_cast<int64_t>(type);
    gemms_.add(row, kOperator);
  }
  void Launch(Nanoseconds start, Nanoseconds span_start, Nanoseconds span_end, int64_t stream = 0) {
    builder_.call("cudaLaunchKernel", start, start + 2);
    builder_.span(span_start, span_end, stream);
  }
  const RankTimeline& Timeline() {
    ProcessTrace& trace = builder_.build();
    for (HostCall& call : trace.calls) {
      call.step = 0;
      if (trace.names[call.function].starts_with("cublas")) call.call_class = CallClass::kGemm;
    }
    trace.steps.push_back({0, 0, 1000});
    sort_spans(trace.devices.front());
    gemms_.finish(trace);
    timeline_ = timeline_of_rank(trace, trace.devices.front(), std::vector<HostTimes>(1), std::nullopt);
    return timeline_;
  }
  double Flops(Precision precision) { return timeline_.steps.at(0).flops[static_cast<size_t>(precision)]; }

  TraceBuilder builder_;
  GemmTable gemms_;
  RankTimeline timeline_;
};

TEST_F(GemmTotalsTest, ACallCountsTwoOperationsForEachMultiplication) {
  Multiply(10, 3, 5, 7, 11, log::DataType::kBfloat16);
  builder_.span(20, 60);
  const RankTimeline& rank = Timeline();
  EXPECT_EQ(Flops(Precision::kBf16), 2 * 3 * 5 * 7 * 11);
  EXPECT_EQ(rank.steps[0].gemm, 40);
  ASSERT_EQ(rank.gemms[0].size(), 1u);
  EXPECT_EQ(rank.gemms[0][0].count, 1u);
  EXPECT_EQ(rank.gemms[0][0].total, 40);
}

TEST_F(GemmTotalsTest, AComplexProductIsFourRealOnes) {
  Multiply(10, 3, 5, 7, 1, log::DataType::kComplex64);
  builder_.span(20, 60);
  Timeline();
  EXPECT_EQ(Flops(Precision::kFp32), 8 * 3 * 5 * 7);
}

TEST_F(GemmTotalsTest, AGroupOfSeveralShapesHasItsSum) {
  log::Gemm row;
  row.correlation = static_cast<int64_t>(builder_.call("cublasGemmGroupedBatchedEx", 10, 15).correlation);
  row.products = 1000;
  row.batch = 3;
  row.type_a = row.type_b = static_cast<int64_t>(log::DataType::kFloat16);
  gemms_.add(row, kOperator);
  builder_.span(20, 60);
  Timeline();
  EXPECT_EQ(Flops(Precision::kFp16), 2000);
}

// A product of two kernels, between which another product's kernel starts.
TEST_F(GemmTotalsTest, AProductOfSeveralKernelsCountsOnce) {
  Multiply(10, 1, 1, 1, 1, log::DataType::kFloat16);
  builder_.span(20, 60, 1);
  builder_.span(70, 90, 1);
  Multiply(30, 1, 1, 1, 2, log::DataType::kFloat16);
  builder_.span(65, 80, 2);
  const RankTimeline& rank = Timeline();
  EXPECT_EQ(Flops(Precision::kFp16), 2 + 4);
  EXPECT_EQ(rank.steps[0].work.flops, 2 + 4);
  EXPECT_EQ(rank.steps[0].gemm, 40 + 25);
}

// The copy comes first, and computes nothing.
TEST_F(GemmTotalsTest, TheKernelThatMultipliesHasTheWork) {
  Multiply(10, 3, 5, 7, 1, log::DataType::kFloat16);
  builder_.span(20, 30, 1, "direct_copy_kernel");
  builder_.span(30, 60, 1, "ampere_h16816gemm_128x64");
  builder_.span(60, 65, 1, "splitKreduce_kernel");
  const RankTimeline& rank = Timeline();
  ASSERT_EQ(rank.kernels[0].size(), 3u);
  for (const KernelTotal& kernel : rank.kernels[0])
    EXPECT_EQ(kernel.work.flops, rank.kernel_names[kernel.name] == "ampere_h16816gemm_128x64" ? 2 * 3 * 5 * 7 : 0)
        << rank.kernel_names[kernel.name];
}

TEST_F(GemmTotalsTest, OfKernelsThatDoNotSayItNoneHasTheWork) {
  Multiply(10, 3, 5, 7, 1, log::DataType::kFloat16);
  builder_.span(20, 30, 1, "direct_copy_kernel");
  builder_.span(30, 60, 1, "dot_kernel");
  Multiply(70, 3, 5, 7, 1, log::DataType::kFloat16);
  builder_.span(80, 90, 1, "my_kernel");
  const RankTimeline& rank = Timeline();
  for (const KernelTotal& kernel : rank.kernels[0])
    EXPECT_EQ(kernel.work.flops, rank.kernel_names[kernel.name] == "my_kernel" ? 2 * 3 * 5 * 7 : 0)
        << rank.kernel_names[kernel.name];
  EXPECT_EQ(Flops(Precision::kFp16), 2 * 2 * 3 * 5 * 7);
}

TEST_F(GemmTotalsTest, OfNestedOperatorsTheInnermostCounts) {
  Operator(10, 100, 500);
  Operator(20, 90, 500);
  Launch(30, 200, 300);
  Launch(40, 300, 310);  // of the same product
  Launch(95, 400, 500);  // by the outer operator
  const RankTimeline& rank = Timeline();
  EXPECT_EQ(Flops(Precision::kFp32), 500);
  EXPECT_EQ(rank.steps[0].gemm, 110);
}

TEST_F(GemmTotalsTest, AnOperatorThatLaunchesNothingRanOnTheHost) {
  Operator(10, 20, 500);
  Operator(20, 30, 300);
  Launch(25, 200, 300);
  Timeline();
  EXPECT_EQ(Flops(Precision::kFp32), 300);
}

TEST_F(GemmTotalsTest, WideIntegersAreNotCounted) {
  Multiply(10, 3, 5, 7, 1, log::DataType::kInt32);
  builder_.span(20, 60);
  const RankTimeline& rank = Timeline();
  EXPECT_EQ(rank.steps[0].gemm, 0);
  EXPECT_TRUE(rank.gemms[0].empty());
}

TEST(MatrixKernels, AreToldByTheirNames) {
  EXPECT_EQ(matrix_kernel_of("ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x3_nn"), MatrixKernel::kProduct);
  EXPECT_EQ(matrix_kernel_of("nvjet_hsh_128x256_64x4_2x1_v_bz_coopA_NNT"), MatrixKernel::kProduct);
  EXPECT_EQ(matrix_kernel_of("triton_tem_fused_mm_3"), MatrixKernel::kProduct);
  EXPECT_EQ(matrix_kernel_of("void RNN_blockPersist_fp_LSTM_HMMA<__half, __half, float, 256>(PersistentRnnParams)"),
            MatrixKernel::kProduct);
  EXPECT_EQ(matrix_kernel_of("_Z14RNN_persist_bpI6__halfS0_fLi1EEvv"), MatrixKernel::kProduct);
  EXPECT_EQ(matrix_kernel_of("void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64> >(x)"),
            MatrixKernel::kAttention);
  EXPECT_EQ(matrix_kernel_of("fmha_cutlassF_f32_aligned_64x64_rf_sm80(AttentionKernel::Params)"),
            MatrixKernel::kAttention);
  EXPECT_EQ(matrix_kernel_of("sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nchw"),
            MatrixKernel::kConvolution);
  EXPECT_EQ(matrix_kernel_of("void at::native::(anonymous namespace)::conv_depthwise2d_forward_kernel<3>(int)"),
            MatrixKernel::kConvolution);
}

TEST(MatrixKernels, AreNotToldByTypesOfArguments) {
  EXPECT_EQ(
      matrix_kernel_of("void bounds_check_indices_kernel<long>(at::PackedTensorAccessor, fbgemm_gpu::FixedDivisor)"),
      MatrixKernel::kNone);
  EXPECT_EQ(matrix_kernel_of("void fbgemm_gpu::permute_2D_data_kernel<false>(int)"), MatrixKernel::kNone);
  EXPECT_EQ(matrix_kernel_of("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float> >(int)"),
            MatrixKernel::kNone);
  EXPECT_EQ(matrix_kernel_of("convert_fp8_to_bf16"), MatrixKernel::kNone);
  EXPECT_EQ(matrix_kernel_of("void persistRNN_addBias<float>(int)"), MatrixKernel::kNone);
}

TEST(MatrixKernels, SayWhetherFloat32IsComputedInTf32) {
  EXPECT_TRUE(computes_in_tf32("sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x16_stage4"));
  EXPECT_TRUE(computes_in_tf32("void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x64_16x6_tn_align4>(x)"));
  EXPECT_FALSE(computes_in_tf32("ampere_sgemm_128x64_tn"));
  EXPECT_FALSE(computes_in_tf32("void cutlass::Kernel<cutlass_80_simt_sgemm_256x128_8x4_nn_align1>(x)"));
}

}  // namespace
}  // namespace tauprof
