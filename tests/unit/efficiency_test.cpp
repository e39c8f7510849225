// The part of the devices' peak that was used: from products to MFU, HFU and the waterfall.
#include "metrics/efficiency/efficiency.h"

#include <gtest/gtest.h>

#include <numeric>

#include "metrics/efficiency/device_peaks.h"
#include "metrics/efficiency/gemm_precision.h"

namespace tauprof {
namespace {

using log::DataType;

GemmShape gemm_of(DataType a, DataType b, DataType compute = DataType::kFloat32) {
  GemmShape shape;
  shape.type_a = a;
  shape.type_b = b;
  shape.type_compute = compute;
  return shape;
}

TEST(DevicePeaks, KnowWhatCudaCallsADevice) {
  const auto peak = [](std::string_view name, Precision precision) {
    const auto peaks = device_peaks(name);
    return peaks ? (*peaks)[static_cast<size_t>(precision)] : -1;
  };
  EXPECT_EQ(peak("NVIDIA A100-SXM4-80GB", Precision::kBf16), 312e12);
  EXPECT_EQ(peak("A100-SXM4-40GB", Precision::kTf32), 156e12);
  EXPECT_EQ(peak("NVIDIA A100 80GB PCIe", Precision::kFp64), 19.5e12);
  EXPECT_EQ(peak("Tesla V100-SXM2-32GB", Precision::kFp32), 15.7e12);
  EXPECT_EQ(peak("Tesla V100-SXM2-32GB", Precision::kBf16), 0);
  EXPECT_EQ(peak("NVIDIA H100 80GB HBM3", Precision::kFp8), 1978.9e12);
  EXPECT_EQ(peak("NVIDIA H100 NVL", Precision::kBf16), 835.5e12);
  EXPECT_EQ(peak("NVIDIA A100-SXM4-80GB", Precision::kInt8), 624e12);
  EXPECT_EQ(peak("NVIDIA H200", Precision::kFp16), 989.5e12);
  EXPECT_EQ(peak("NVIDIA H200 (simulated)", Precision::kFp16), 989.5e12);
  EXPECT_EQ(peak("NVIDIA L4", Precision::kBf16), 121e12);
  EXPECT_EQ(peak("NVIDIA L40S", Precision::kBf16), 362.05e12);
  EXPECT_EQ(peak("NVIDIA GB200", Precision::kFp4), 10000e12);
}

TEST(DevicePeaks, KnowWhatADeviceCanSendToTheOthersOfItsHost) {
  EXPECT_EQ(device_link_gb_per_s("NVIDIA H200 (simulated)"), 450);
  EXPECT_EQ(device_link_gb_per_s("NVIDIA A100-SXM4-80GB"), 300);
  EXPECT_EQ(device_link_gb_per_s("NVIDIA L4"), 32);
  EXPECT_FALSE(device_link_gb_per_s("NVIDIA A100 80GB PCIe")) << "with a bridge or without";
  EXPECT_FALSE(device_link_gb_per_s("Generated GPU"));
}

TEST(DevicePeaks, KnowNoOtherDevice) {
  EXPECT_FALSE(device_peaks("NVIDIA A100-SXM4-40GB MIG 1g.5gb"));
  EXPECT_FALSE(device_peaks("NVIDIA A10G"));
  EXPECT_FALSE(device_peaks("NVIDIA L40"));
  EXPECT_FALSE(device_peaks("AMD Instinct MI300X"));
  EXPECT_FALSE(device_peaks(""));
}

TEST(GemmPrecision, IsThatOfTheInputs) {
  EXPECT_EQ(precision_of(gemm_of(DataType::kBfloat16, DataType::kBfloat16), false), Precision::kBf16);
  EXPECT_EQ(precision_of(gemm_of(DataType::kFloat16, DataType::kFloat16, DataType::kFloat16), false), Precision::kFp16);
  EXPECT_EQ(precision_of(gemm_of(DataType::kFloat8E4M3, DataType::kFloat8E5M2), false), Precision::kFp8);
  EXPECT_EQ(precision_of(gemm_of(DataType::kFloat64, DataType::kFloat64, DataType::kFloat64), false), Precision::kFp64);
  EXPECT_EQ(precision_of(gemm_of(DataType::kBfloat16, DataType::kFloat32), false), Precision::kFp32);
  EXPECT_EQ(precision_of(gemm_of(DataType::kUnknown, DataType::kFloat32), false), Precision::kUnknown);
}

TEST(GemmPrecision, OfFloat32IsWhatTheCallAskedFor) {
  EXPECT_EQ(precision_of(gemm_of(DataType::kFloat32, DataType::kFloat32), false), Precision::kFp32);
  EXPECT_EQ(precision_of(gemm_of(DataType::kFloat32, DataType::kFloat32, DataType::kTf32), false), Precision::kTf32);
  EXPECT_EQ(precision_of(gemm_of(DataType::kFloat32, DataType::kFloat32, DataType::kBfloat16), false),
            Precision::kBf16);
  EXPECT_EQ(precision_of(gemm_of(DataType::kComplex64, DataType::kComplex64, DataType::kTf32), false),
            Precision::kTf32);
}

TEST(GemmPrecision, OfFloat32IsWhatTheKernelsNameSaysOtherwise) {
  EXPECT_EQ(precision_of(gemm_of(DataType::kFloat32, DataType::kFloat32, DataType::kUnknown), true), Precision::kTf32);
  EXPECT_EQ(precision_of(gemm_of(DataType::kFloat32, DataType::kFloat32, DataType::kUnknown), false), Precision::kFp32);
  EXPECT_EQ(precision_of(gemm_of(DataType::kFloat16, DataType::kFloat16, DataType::kUnknown), true), Precision::kFp16);
}

TEST(GemmPrecision, OfIntegersIsKnownUpToEightBits) {
  EXPECT_EQ(precision_of(gemm_of(DataType::kInt8, DataType::kInt8, DataType::kInt32), false), Precision::kInt8);
  EXPECT_EQ(precision_of(gemm_of(DataType::kUint8, DataType::kInt8, DataType::kInt32), false), Precision::kInt8);
  EXPECT_EQ(precision_of(gemm_of(DataType::kInt8, DataType::kInt8, DataType::kFloat32), false), Precision::kFp32);
  EXPECT_TRUE(is_counted(gemm_of(DataType::kInt8, DataType::kInt8, DataType::kInt32)));
  EXPECT_FALSE(is_counted(gemm_of(DataType::kInt32, DataType::kInt32, DataType::kInt32)));
  EXPECT_TRUE(is_counted(gemm_of(DataType::kFloat8E4M3, DataType::kFloat8E4M3)));
}

// Ranks with one step of 10 ms each, on an A100.
class EfficiencyTest : public testing::Test {
 protected:
  RankTimeline& Rank(std::string_view device = "NVIDIA A100-SXM4-80GB") {
    RankTimeline& rank = ranks_.emplace_back();
    rank.rank = static_cast<int32_t>(ranks_.size()) - 1;
    rank.device_name = device;
    RankStep& step = rank.steps.emplace_back();
    step.device = Interval{0, 10'000'000};
    rank.gemms.resize(1);
    rank.uncounted.resize(1);
    step_ns_ += 10'000'000;
    return rank;
  }
  void Spend(LedgerRow row, Nanoseconds time) { ledger_.add(Phase::kForward, row, time); }
  void Multiplies(RankTimeline& rank, Precision precision, double flops, Nanoseconds time) {
    rank.steps[0].flops[static_cast<size_t>(precision)] += flops;
    rank.steps[0].gemm += time;
    RankGemm& kind = rank.gemm_kinds.emplace_back();
    kind.function = "cublasGemmEx";
    kind.shape.flops = flops;
    kind.precision = precision;
    rank.gemms[0].push_back({static_cast<uint32_t>(rank.gemm_kinds.size() - 1), 1, time});
  }
  Efficiency Result(const EfficiencyInput& input = {}, int32_t devices = 0) {
    StepSelection steps;
    steps.analysed.push_back({0, 1e7, 1e7});
    steps.numbers.insert(0);
    std::vector<const RankTimeline*> ranks;
    for (const RankTimeline& rank : ranks_) ranks.push_back(&rank);
    return efficiency_of(ranks, steps, ledger_, step_ns_,
                         std::max<int32_t>(devices, static_cast<int32_t>(ranks.size())), input);
  }
  static double Share(const Efficiency& of, std::string_view name) {
    for (const WaterfallRow& row : of.waterfall)
      if (row.name == name) return row.share;
    return -1;
  }

  std::vector<RankTimeline> ranks_;
  Ledger ledger_;
  Nanoseconds step_ns_ = 0;
};

TEST_F(EfficiencyTest, MatchesTheHeadersExample) {
  Multiplies(Rank(), Precision::kBf16, 624e9, 3'000'000);      // 2 ms at 312 TFLOP/s
  Multiplies(ranks_[0], Precision::kFp32, 19.5e9, 2'000'000);  // 1 ms at 19.5 TFLOP/s
  Spend(LedgerRow::kCompute, 7'000'000);
  Spend(LedgerRow::kIdleHostSync, 1'000'000);
  Spend(LedgerRow::kExposedCommTransfer, 2'000'000);
  const Efficiency result = Result();
  EXPECT_DOUBLE_EQ(result.hfu.value(), 0.3);
  EXPECT_DOUBLE_EQ(result.executed_flops.value(), 643.5e9);
  EXPECT_DOUBLE_EQ(result.peak_flops.value(), 643.5e9 / 3e-3);
  EXPECT_DOUBLE_EQ(Share(result, "idle_host_sync"), 0.1);
  EXPECT_DOUBLE_EQ(Share(result, "exposed_comm_transfer"), 0.2);
  EXPECT_DOUBLE_EQ(Share(result, "non_gemm_compute"), 0.2);
  EXPECT_DOUBLE_EQ(Share(result, "gemm_inefficiency"), 0.2);
  EXPECT_DOUBLE_EQ(Share(result, "model"), 0.3);
  EXPECT_EQ(result.waterfall.front().name, "idle_dependency");
  EXPECT_EQ(result.waterfall.back().name, "model");
  EXPECT_NEAR(std::accumulate(result.waterfall.begin(), result.waterfall.end(), 0.0,
                              [](double sum, const WaterfallRow& row) { return sum + row.share; }),
              1, 1e-15);
}

TEST_F(EfficiencyTest, DevicesOfOneRunHaveTheirOwnPeaks) {
  Multiplies(Rank("NVIDIA A100-SXM4-80GB"), Precision::kBf16, 312e9, 1'000'000);
  Multiplies(Rank("NVIDIA L4"), Precision::kBf16, 121e9, 1'000'000);
  Spend(LedgerRow::kCompute, 20'000'000);
  EXPECT_DOUBLE_EQ(Result().hfu.value(), 0.1);
}

TEST_F(EfficiencyTest, AnUnknownDeviceHasNoHfuUntilItsPeakIsGiven) {
  Multiplies(Rank("Some GPU"), Precision::kBf16, 1e12, 5'000'000);
  Spend(LedgerRow::kCompute, 10'000'000);
  const Efficiency unknown = Result({1e12});
  EXPECT_FALSE(unknown.hfu || unknown.mfu || unknown.peak_flops);
  EXPECT_EQ(unknown.no_hfu_because, "the peak of Some GPU in bf16 is not known");
  EXPECT_EQ(unknown.no_mfu_because, "the peak of Some GPU in bf16 is not known (--peak-tflops)");
  EXPECT_DOUBLE_EQ(unknown.executed_flops.value(), 1e12);
  EXPECT_DOUBLE_EQ(Share(unknown, "gemm_compute"), 0.5);
  const Efficiency given = Result({1e12, 200e12});
  EXPECT_DOUBLE_EQ(given.hfu.value(), 0.5);
  EXPECT_DOUBLE_EQ(given.mfu.value(), 0.5);
}

TEST_F(EfficiencyTest, MoreThanThePeakIsNotBelieved) {
  Multiplies(Rank("Some GPU"), Precision::kBf16, 1e12, 5'000'000);
  Spend(LedgerRow::kCompute, 10'000'000);
  EXPECT_DOUBLE_EQ(Result({1.05e12, 100e12}).mfu.value(), 1.05) << "as devices above their boost clock do";
  const Efficiency impossible = Result({1e12, 50e12});
  EXPECT_FALSE(impossible.hfu || impossible.mfu);
  EXPECT_EQ(impossible.no_hfu_because, "products would use 200 % of the peak");
  EXPECT_DOUBLE_EQ(Share(impossible, "gemm_compute"), 0.5);
  const Efficiency of_many_steps = Result({1e15, 200e12});
  EXPECT_DOUBLE_EQ(of_many_steps.hfu.value(), 0.5);
  EXPECT_EQ(of_many_steps.no_mfu_because, "a step would use 50000 % of the peak of all devices");
}

TEST_F(EfficiencyTest, APrecisionThatTheDeviceLacksHasNoPeak) {
  Multiplies(Rank("Tesla V100-SXM2-16GB"), Precision::kBf16, 1e9, 1'000'000);
  Spend(LedgerRow::kCompute, 10'000'000);
  EXPECT_EQ(Result().no_hfu_because, "the peak of Tesla V100-SXM2-16GB in bf16 is not known");
}

TEST_F(EfficiencyTest, MfuIsOfTheWholeJobAlsoWhereRanksHaveNoLog) {
  Multiplies(Rank(), Precision::kBf16, 312e9, 1'000'000);
  Spend(LedgerRow::kCompute, 10'000'000);
  EXPECT_DOUBLE_EQ(Result({4 * 312e9 * 5}, 4).mfu.value(), 0.5);
}

TEST_F(EfficiencyTest, WithoutSizesNothingIsKnownButTheLedger) {
  RankTimeline& rank = Rank();
  rank.uncounted_names.push_back("ampere_sgemm_128x64_tn");
  rank.uncounted[0].push_back({0, MatrixKernel::kProduct, 3, 4'000'000});
  Spend(LedgerRow::kCompute, 6'000'000);
  Spend(LedgerRow::kIdleOther, 4'000'000);
  const Efficiency result = Result({1e12});
  EXPECT_FALSE(result.hfu || result.mfu || result.executed_flops);
  EXPECT_EQ(result.no_hfu_because, "the log has no sizes of matrix multiplications");
  EXPECT_DOUBLE_EQ(Share(result, "compute"), 0.6);
  ASSERT_EQ(result.uncounted.size(), 1u);
  EXPECT_EQ(result.uncounted[0].count, 3u);
}

TEST_F(EfficiencyTest, WhatIsNotCountedMakesHfuALowerBound) {
  RankTimeline& rank = Rank();
  Multiplies(rank, Precision::kBf16, 312e9, 1'000'000);
  Spend(LedgerRow::kCompute, 10'000'000);
  EXPECT_FALSE(Result().is_lower_bound);
  rank.uncounted_names.push_back("flash_fwd_kernel");
  rank.uncounted[0].push_back({0, MatrixKernel::kAttention, 1, 1'000'000});
  EXPECT_TRUE(Result().is_lower_bound);
}

TEST_F(EfficiencyTest, SlicesOfTimeHaveNoMfu) {
  RankTimeline& rank = Rank();
  rank.steps_source = kByTime;
  Multiplies(rank, Precision::kBf16, 312e9, 1'000'000);
  Spend(LedgerRow::kCompute, 10'000'000);
  const Efficiency result = Result({1e12});
  EXPECT_TRUE(result.hfu);
  EXPECT_EQ(result.no_mfu_because, "no steps are known");
}

TEST_F(EfficiencyTest, TheModelNeedsWhatWasExecutedLessWhatIsRepeated) {
  Multiplies(Rank(), Precision::kBf16, 624e9, 3'000'000);  // 2 ms at 312 TFLOP/s
  ranks_[0].steps[0].repeated_flops[static_cast<size_t>(Precision::kBf16)] = 156e9;
  Spend(LedgerRow::kCompute, 10'000'000);
  const Efficiency result = Result();
  EXPECT_TRUE(result.is_model_counted);
  EXPECT_DOUBLE_EQ(result.model_flops.value(), 468e9);
  EXPECT_DOUBLE_EQ(result.recomputed_flops.value(), 156e9);
  EXPECT_DOUBLE_EQ(result.hfu.value(), 0.2);
  EXPECT_DOUBLE_EQ(result.mfu.value(), 0.15);
  EXPECT_DOUBLE_EQ(Share(result, "recomputation"), 0.05);
  EXPECT_DOUBLE_EQ(Share(result, "model"), 0.15);
  EXPECT_NEAR(std::accumulate(result.waterfall.begin(), result.waterfall.end(), 0.0,
                              [](double sum, const WaterfallRow& row) { return sum + row.share; }),
              1, 1e-15);
}

// Half of the clock that the sheet's peak holds at: the device allows half of it, and all of that was used.
TEST_F(EfficiencyTest, APeakIsInProportionToTheClockThatWasRecorded) {
  Multiplies(Rank(), Precision::kBf16, 1.56e12, 10'000'000);  // 5 ms at 312 TFLOP/s, which an A100 reaches at 1410 MHz
  ranks_[0].steps[0].health.sm_clock_mhz = 705;
  Spend(LedgerRow::kCompute, 10'000'000);
  const Efficiency result = Result();
  EXPECT_DOUBLE_EQ(result.hfu.value(), 0.5);
  EXPECT_DOUBLE_EQ(result.hfu_at_clock.value(), 1);
  EXPECT_DOUBLE_EQ(result.peak_flops_at_clock.value(), 156e12);
  EXPECT_DOUBLE_EQ(result.clock_mhz.value(), 705);
  EXPECT_FALSE(Result({std::nullopt, 312e12}).hfu_at_clock) << "nobody knows at which clock the given peak holds";
  Multiplies(Rank(), Precision::kBf16, 1e12, 10'000'000);
  EXPECT_FALSE(Result().hfu_at_clock) << "a rank without readings";
}

TEST(DevicePeaks, HoldAtAClock) {
  EXPECT_EQ(device_peak_clock_mhz("NVIDIA H200 (simulated)"), 1830);
  EXPECT_EQ(device_peak_clock_mhz("NVIDIA A100-SXM4-80GB"), 1410);
  EXPECT_FALSE(device_peak_clock_mhz("NVIDIA A10G"));
}

TEST_F(EfficiencyTest, TheUsersOperationsComeBeforeTheCounted) {
  Multiplies(Rank(), Precision::kBf16, 624e9, 3'000'000);
  Spend(LedgerRow::kCompute, 10'000'000);
  const Efficiency result = Result({312e9});
  EXPECT_FALSE(result.is_model_counted);
  EXPECT_DOUBLE_EQ(result.model_flops.value(), 312e9);
  EXPECT_DOUBLE_EQ(result.mfu.value(), 0.1);
}

TEST_F(EfficiencyTest, WithoutKnowingWhatIsRepeatedThereIsNoMfu) {
  Multiplies(Rank(), Precision::kBf16, 624e9, 3'000'000);
  ranks_[0].repeats_unknown_because = "nobody knows";
  Spend(LedgerRow::kCompute, 10'000'000);
  const Efficiency result = Result();
  EXPECT_TRUE(result.hfu);
  EXPECT_FALSE(result.mfu || result.model_flops || result.recomputed_flops);
  EXPECT_EQ(result.no_mfu_because, "nobody knows (--model-flops)");
  EXPECT_EQ(result.waterfall.back().name, "executed");
}

TEST_F(EfficiencyTest, UncountedKernelsMakeMfuABound) {
  Multiplies(Rank(), Precision::kBf16, 312e9, 1'000'000);
  ranks_[0].uncounted_names = {"flash_fwd_kernel"};
  ranks_[0].uncounted[0].push_back({0, MatrixKernel::kAttention, 1, 2'000'000});
  Spend(LedgerRow::kCompute, 10'000'000);
  EXPECT_TRUE(Result().is_mfu_lower_bound());
  EXPECT_DOUBLE_EQ(Result().uncounted_share, 0.2);
  EXPECT_FALSE(Result({1e12}).is_mfu_lower_bound()) << "the user's operations are whole";
}

// 7e9 parameters, 32 layers, 4096 wide, on 4 ranks with 16 tokens in 4 sequences each.
TEST_F(EfficiencyTest, TheFormulaForTransformersChecksWhatWasCounted) {
  const double needed = (6 * 7e9 + 12.0 * 32 * 4096 * 4) * 64;
  for (int i = 0; i < 4; ++i) {
    Multiplies(Rank(), Precision::kBf16, 1.02 * needed / 4, 9'000'000);
    ranks_.back().settings = {{"module.parameters", "7000000000"},
                              {"module.layers", "32"},
                              {"module.attention_width", "4096"},
                              {"parallel.kind", "ddp"}};
  }
  Spend(LedgerRow::kCompute, 40'000'000);
  const EfficiencyInput tokens{std::nullopt, std::nullopt, 16, 4};
  EXPECT_DOUBLE_EQ(Result(tokens).formula_flops.value(), needed);
  EXPECT_EQ(Result(tokens).formula_differs_because, "") << "2 % apart";
  for (RankTimeline& rank : ranks_) rank.steps[0].flops[static_cast<size_t>(Precision::kBf16)] *= 0.5;
  EXPECT_NE(Result(tokens).formula_differs_because, "");
  EXPECT_EQ(Result(tokens, 8).formula_differs_because, "") << "half of the job has no logs";
  EXPECT_FALSE(Result({std::nullopt, std::nullopt, 16, std::nullopt}).formula_flops);
  ranks_[2].settings["parallel.kind"] = "fsdp";
  EXPECT_FALSE(Result(tokens).formula_flops);
}

TEST_F(EfficiencyTest, TheProductThatLosesMostComesFirst) {
  RankTimeline& rank = Rank();
  Multiplies(rank, Precision::kBf16, 312e9, 3'000'000);   // 2 ms above its ideal
  Multiplies(rank, Precision::kBf16, 31.2e9, 1'000'000);  // 0.9 ms, at a tenth of the peak
  Spend(LedgerRow::kCompute, 10'000'000);
  const Efficiency result = Result();
  ASSERT_EQ(result.gemms.size(), 2u);
  EXPECT_DOUBLE_EQ(result.gemms[0].shape.flops, 312e9);
  EXPECT_DOUBLE_EQ(result.gemms[0].lost_ns(), 2e6);
  EXPECT_DOUBLE_EQ(result.gemms[1].share_of_peak().value(), 0.1);
  EXPECT_DOUBLE_EQ(result.gemms[1].flops_per_s(), 31.2e12);
}

}  // namespace
}  // namespace tauprof
