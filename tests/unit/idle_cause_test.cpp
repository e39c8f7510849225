// Why a device was idle, from the calls of the thread whose launch ended the gap. Times in µs.
#include "metrics/ledger/idle_cause.h"

#include <gtest/gtest.h>

#include "trace_builder.h"

namespace tauprof {

void PrintTo(const IdlePiece& piece, std::ostream* out) {
  *out << row_name(piece.row) << " " << piece.time.start / 1000 << "-" << piece.time.end / 1000;
}
bool operator==(const IdlePiece& a, const IdlePiece& b) {
  return a.row == b.row && a.time.start == b.time.start && a.time.end == b.time.end;
}

namespace {

class IdleCauseTest : public testing::Test {
 protected:
  HostCall& call(std::string_view function, int64_t start, int64_t end, Phase phase = Phase::kOther) {
    return process.call(function, 1000 * start, 1000 * end, phase);
  }
  // The thread's CPU clock, as read when a call started.
  void cpu_clock(const HostCall& at, int64_t us) { process.cpu_clock(at.start, 1'000'000 + 1000 * us); }
  // As read when the call had returned.
  void cpu_clock_after(const HostCall& at, int64_t us) { process.cpu_clock(at.end, 1'000'000 + 1000 * us); }

  // The call added last launched work that runs at `us`.
  void ends_the_gap(int64_t us, int64_t stream = 0) { ending_ = process.span(1000 * us, 1000 * us + 10, stream); }

  std::vector<IdlePiece> rows(int64_t begin, int64_t end) {
    IdleCause cause(process.build(), process.device());
    return cause.explain({1000 * begin, 1000 * end}, ending_);
  }
  static IdlePiece piece(int64_t begin, int64_t end, LedgerRow row) { return {{1000 * begin, 1000 * end}, row}; }

  TraceBuilder process;
  uint32_t ending_ = 0;
};

using Pieces = std::vector<IdlePiece>;

TEST_F(IdleCauseTest, TilesTheGapOfTheHeadersExample) {
  call("cudaStreamSynchronize", 50, 110);
  call("cudaLaunchKernel", 140, 150);
  ends_the_gap(160);
  EXPECT_EQ(rows(100, 160),
            (Pieces{piece(100, 140, LedgerRow::kIdleHostSync), piece(140, 150, LedgerRow::kIdleHostLaunch),
                    piece(150, 160, LedgerRow::kIdleDeviceLatency)}));
}

TEST_F(IdleCauseTest, ABusyHostIsLaunchBound) {
  call("cudaLaunchKernel", 90, 95);
  call("cudaLaunchKernel", 140, 150);
  ends_the_gap(160);
  EXPECT_EQ(rows(100, 160)[0], piece(100, 150, LedgerRow::kIdleHostLaunch));
}

TEST_F(IdleCauseTest, AllocatingIsNotLaunching) {
  call("cudaLaunchKernel", 90, 95);
  call("cudaMalloc", 100, 130);
  call("cudaLaunchKernel", 140, 150);
  ends_the_gap(160);
  EXPECT_EQ(rows(110, 160)[0], piece(110, 130, LedgerRow::kIdleHostAllocation));
  EXPECT_EQ(rows(110, 160)[1], piece(130, 150, LedgerRow::kIdleHostLaunch));
}

TEST_F(IdleCauseTest, AllocatingAfterABlockingCallIsNotWaiting) {
  call("cudaStreamSynchronize", 50, 110);
  call("cudaFree", 112, 130);
  call("cudaLaunchKernel", 140, 150);
  ends_the_gap(160);
  EXPECT_EQ(rows(100, 140),
            (Pieces{piece(100, 112, LedgerRow::kIdleHostSync), piece(112, 130, LedgerRow::kIdleHostAllocation),
                    piece(130, 140, LedgerRow::kIdleHostSync)}));
}

TEST_F(IdleCauseTest, AnEventOnTheStreamHoldsItsWork) {
  call("cudaStreamWaitEvent", 95, 99).stream = 0x10;
  call("cudaLaunchKernel", 100, 110).stream = 0x10;
  ends_the_gap(160, 0x10);
  EXPECT_EQ(rows(110, 160), (Pieces{piece(110, 160, LedgerRow::kIdleDependency)}));
}

TEST_F(IdleCauseTest, AHostFunctionOnTheStreamHoldsItsWork) {
  call("cudaLaunchHostFunc", 95, 99).stream = 0x10;
  call("cudaLaunchKernel", 100, 110).stream = 0x10;
  ends_the_gap(160, 0x10);
  EXPECT_EQ(rows(110, 160), (Pieces{piece(110, 160, LedgerRow::kIdleDependency)}));
}

TEST_F(IdleCauseTest, AnEventOnAnotherStreamOrBeforeAnEarlierLaunchHoldsNothing) {
  call("cudaStreamWaitEvent", 80, 81).stream = 0x10;
  call("cudaLaunchKernel", 90, 91).stream = 0x10;
  call("cudaStreamWaitEvent", 95, 99).stream = 0x20;
  call("cudaLaunchKernel", 100, 110).stream = 0x10;
  ends_the_gap(160, 0x10);
  EXPECT_EQ(rows(110, 160), (Pieces{piece(110, 160, LedgerRow::kIdleDeviceLatency)}));
}

TEST_F(IdleCauseTest, WorkWithoutACallIsUnexplained) {
  call("cudaLaunchKernel", 90, 95);
  ending_ = process.span_without_call(160'000, 161'000);
  EXPECT_EQ(rows(100, 160), (Pieces{piece(100, 160, LedgerRow::kIdleOther)}));
}

TEST_F(IdleCauseTest, OnlyTheLaunchingThreadCounts) {
  call("cudaStreamSynchronize", 50, 300);
  process.switch_thread("pt_autograd_0");
  call("cudaLaunchKernel", 90, 95);
  call("cudaLaunchKernel", 140, 150);
  ends_the_gap(160);
  EXPECT_EQ(rows(100, 150), (Pieces{piece(100, 150, LedgerRow::kIdleHostLaunch)}));
}

TEST_F(IdleCauseTest, CallsThatLaunchNothingBelongToTheSynchronisationBefore) {
  call("cudaStreamSynchronize", 50, 110);
  call("cudaEventRecord", 120, 125);
  call("cudaLaunchKernel", 140, 150);
  ends_the_gap(150);
  EXPECT_EQ(rows(100, 150),
            (Pieces{piece(100, 140, LedgerRow::kIdleHostSync), piece(140, 150, LedgerRow::kIdleHostLaunch)}));
}

TEST_F(IdleCauseTest, ABlockingCopyBlocksToItsEnd) {
  call("cudaMemcpy", 50, 110);
  call("cudaLaunchKernel", 140, 150);
  ends_the_gap(150);
  EXPECT_EQ(rows(100, 140), (Pieces{piece(100, 140, LedgerRow::kIdleHostSync)}));
}

TEST_F(IdleCauseTest, WaitsForDataOnlyInsideALoadersRange) {
  call("cudaLaunchKernel", 90, 95);
  process.range("enumerate(DataLoader)", 110'000, 120'000);
  call("cudaLaunchKernel", 140, 150);
  ends_the_gap(150);
  EXPECT_EQ(rows(100, 140),
            (Pieces{piece(100, 110, LedgerRow::kIdleHostLaunch), piece(110, 120, LedgerRow::kIdleDataWait),
                    piece(120, 140, LedgerRow::kIdleHostLaunch)}));
}

TEST_F(IdleCauseTest, WaitsForDataBetweenTheUpdateAndTheInputCopy) {
  call("cudaLaunchKernel", 80, 85, Phase::kOptimStep);
  call("cudaMemcpyAsync", 90, 95, Phase::kSyncGather);
  call("cudaSetDevice", 130, 131);
  call("cudaMemcpyAsync", 140, 150, Phase::kHostToDevice).is_input_copy = true;
  ends_the_gap(150);
  EXPECT_EQ(rows(100, 150),
            (Pieces{piece(100, 130, LedgerRow::kIdleDataWait), piece(130, 131, LedgerRow::kIdleHostLaunch),
                    piece(131, 140, LedgerRow::kIdleDataWait), piece(140, 150, LedgerRow::kIdleHostLaunch)}));
}

TEST_F(IdleCauseTest, AnInputCopyInForwardIsNotADataWait) {
  call("cudaLaunchKernel", 80, 85, Phase::kOptimStep);
  call("cudaLaunchKernel", 90, 95, Phase::kForward);
  call("cudaMemcpyAsync", 140, 150, Phase::kHostToDevice).is_input_copy = true;
  ends_the_gap(150);
  EXPECT_EQ(rows(100, 140), (Pieces{piece(100, 140, LedgerRow::kIdleHostLaunch)}));
}

TEST_F(IdleCauseTest, AShortPauseAfterASynchronisationBelongsToItEvenBeforeAnInputCopy) {
  call("cudaLaunchKernel", 80, 85, Phase::kOptimStep);
  call("cudaStreamSynchronize", 90, 110);
  call("cudaMemcpyAsync", 310, 320).is_input_copy = true;
  ends_the_gap(320);
  EXPECT_EQ(rows(100, 310), (Pieces{piece(100, 310, LedgerRow::kIdleHostSync)}));
}

TEST_F(IdleCauseTest, WhatTheHostDoesLongAfterASynchronisationIsItsOwn) {
  call("cudaStreamSynchronize", 90, 110);
  call("cudaLaunchKernel", 8110, 8120);
  ends_the_gap(8120);
  EXPECT_EQ(rows(100, 8110),
            (Pieces{piece(100, 310, LedgerRow::kIdleHostSync), piece(310, 8110, LedgerRow::kIdleHostLaunch)}));
}

TEST_F(IdleCauseTest, ALongPauseAfterASynchronisationCanBeADataWait) {
  call("cudaLaunchKernel", 80, 85, Phase::kOptimStep);
  call("cudaStreamSynchronize", 90, 110);
  call("cudaMemcpyAsync", 311, 320).is_input_copy = true;
  ends_the_gap(320);
  EXPECT_EQ(rows(100, 311),
            (Pieces{piece(100, 110, LedgerRow::kIdleHostSync), piece(110, 311, LedgerRow::kIdleDataWait)}));
}

TEST_F(IdleCauseTest, AThreadThatUsedLittleCpuWasStalled) {
  cpu_clock(call("cudaLaunchKernel", 0, 5), 0);
  cpu_clock(call("cudaLaunchKernel", 1005, 1010), 499);
  ends_the_gap(1010);
  EXPECT_EQ(rows(100, 1005), (Pieces{piece(100, 1005, LedgerRow::kIdleHostStall)}));
}

TEST_F(IdleCauseTest, AThreadThatRanThroughThePauseWasBusy) {
  cpu_clock(call("cudaLaunchKernel", 0, 5), 0);
  cpu_clock(call("cudaLaunchKernel", 1005, 1010), 900);
  ends_the_gap(1010);
  EXPECT_EQ(rows(100, 1005), (Pieces{piece(100, 1005, LedgerRow::kIdleHostLaunch)}));
}

TEST_F(IdleCauseTest, CpuTimeUsedBeforeThePauseIsSubtracted) {
  cpu_clock(call("cudaLaunchKernel", 0, 5), 0);
  call("cudaLaunchKernel", 10, 600);
  cpu_clock(call("cudaLaunchKernel", 1000, 1010), 799);  // 199 of the pause's 400
  ends_the_gap(1010);
  EXPECT_EQ(rows(700, 1000), (Pieces{piece(700, 1000, LedgerRow::kIdleHostStall)}));
}

TEST_F(IdleCauseTest, ContradictoryReadingsProveNoStall) {
  cpu_clock(call("cudaLaunchKernel", 0, 5), 0);
  call("cudaLaunchKernel", 10, 700);
  cpu_clock(call("cudaLaunchKernel", 1000, 1010), 629);  // under nine tenths of 700
  ends_the_gap(1010);
  EXPECT_EQ(rows(700, 1000), (Pieces{piece(700, 1000, LedgerRow::kIdleHostLaunch)}));
}

TEST_F(IdleCauseTest, ABlockingCallNeedsNoCpuTime) {
  cpu_clock(call("cudaLaunchKernel", 0, 5), 0);
  call("cudaStreamSynchronize", 5, 700);
  cpu_clock(call("cudaLaunchKernel", 1000, 1010), 290);  // 285 of the pause's 300
  ends_the_gap(1010);
  EXPECT_EQ(rows(700, 1000),
            (Pieces{piece(700, 900, LedgerRow::kIdleHostSync), piece(900, 1000, LedgerRow::kIdleHostLaunch)}));
}

TEST_F(IdleCauseTest, ASpinningCallHidesNoStallBehindIt) {
  cpu_clock(call("cudaLaunchKernel", 0, 5), 0);
  cpu_clock_after(call("cudaStreamSynchronize", 5, 700), 700);  // it spins
  cpu_clock(call("cudaLaunchKernel", 1000, 1010), 710);
  ends_the_gap(1010);
  const std::vector<IdlePiece> found = rows(700, 1000);
  EXPECT_EQ(found, (Pieces{piece(700, 1000, LedgerRow::kIdleHostStall)}));
  EXPECT_EQ(found[0].on_cpu, 10'000);
}

TEST_F(IdleCauseTest, ASpinningCallStallsNoWorkBehindIt) {
  cpu_clock(call("cudaLaunchKernel", 0, 5), 0);
  cpu_clock_after(call("cudaStreamSynchronize", 5, 700), 700);
  cpu_clock(call("cudaLaunchKernel", 1000, 1010), 990);
  ends_the_gap(1010);
  EXPECT_EQ(rows(700, 1000),
            (Pieces{piece(700, 900, LedgerRow::kIdleHostSync), piece(900, 1000, LedgerRow::kIdleHostLaunch)}));
}

TEST_F(IdleCauseTest, APauseWithoutAReadingAtItsEndIsNotAStall) {
  cpu_clock(call("cudaLaunchKernel", 0, 5), 0);
  call("cudaLaunchKernel", 1005, 1010);
  ends_the_gap(1010);
  EXPECT_EQ(rows(100, 1005), (Pieces{piece(100, 1005, LedgerRow::kIdleHostLaunch)}));
}

TEST_F(IdleCauseTest, WithoutCpuClocksAMillisecondOfSilenceIsAStall) {
  call("cudaLaunchKernel", 0, 5);
  process.range("aten::linear", 0, 6000, log::RangeSource::kOperator);
  process.range("aten::relu", 1'300'000, 1'301'000, log::RangeSource::kOperator);
  call("cudaLaunchKernel", 1400, 1410);
  ends_the_gap(1410);
  EXPECT_EQ(rows(100, 1400), (Pieces{piece(100, 1400, LedgerRow::kIdleHostStall)}));
}

TEST_F(IdleCauseTest, ASynchronisationThatDoesNotReturnIsAStall) {
  call("cudaDeviceSynchronize", 50, 1100);
  call("cudaLaunchKernel", 1140, 1150);
  ends_the_gap(1150);
  EXPECT_EQ(rows(100, 1140),
            (Pieces{piece(100, 300, LedgerRow::kIdleHostSync), piece(300, 1100, LedgerRow::kIdleHostStall),
                    piece(1100, 1140, LedgerRow::kIdleHostSync)}));
}

TEST_F(IdleCauseTest, SilenceAfterAHandOverIsAStall) {
  call("cudaLaunchKernel", 90, 95);
  process.range("aten::relu", 89'000, 96'000, log::RangeSource::kOperator);
  process.switch_thread("pt_autograd_0");
  call("cudaLaunchKernel", 0, 5);
  process.range("aten::linear", 0, 6000, log::RangeSource::kOperator);
  process.range("aten::mm", 1'399'000, 1'411'000, log::RangeSource::kOperator);
  call("cudaLaunchKernel", 1400, 1410);
  ends_the_gap(1410);
  EXPECT_EQ(rows(100, 1400), (Pieces{piece(100, 1400, LedgerRow::kIdleHostStall)}));
}

TEST_F(IdleCauseTest, AThreadThatWaitsForABusyOneIsNotStalled) {
  for (int64_t us = 90; us < 1390; us += 20)
    process.range("aten::relu", 1000 * us, 1000 * us + 5000, log::RangeSource::kOperator);
  call("cudaLaunchKernel", 90, 95);
  process.switch_thread("pt_autograd_0");
  call("cudaLaunchKernel", 0, 5);
  process.range("aten::mm", 1'399'000, 1'411'000, log::RangeSource::kOperator);
  call("cudaLaunchKernel", 1400, 1410);
  ends_the_gap(1410);
  EXPECT_EQ(rows(100, 1400), (Pieces{piece(100, 1400, LedgerRow::kIdleHostLaunch)}));
}

TEST_F(IdleCauseTest, WithoutCpuClocksAThreadWithManyCallsIsBusy) {
  call("cudaLaunchKernel", 0, 5);
  for (int64_t us = 10; us < 1400; us += 20)
    process.range("aten::relu", 1000 * us, 1000 * us + 5000, log::RangeSource::kOperator);
  call("cudaLaunchKernel", 1400, 1410);
  ends_the_gap(1410);
  EXPECT_EQ(rows(100, 1400), (Pieces{piece(100, 1400, LedgerRow::kIdleHostLaunch)}));
}

}  // namespace
}  // namespace tauprof
