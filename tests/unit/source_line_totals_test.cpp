// The cost of source lines: their host time and the device idle time charged to them. Times in µs.
#include "metrics/source_lines/source_line_totals.h"

#include <gtest/gtest.h>

#include "trace_builder.h"

namespace tauprof {
namespace {

constexpr auto kStall = LedgerRow::kIdleHostStall;
constexpr auto kSync = LedgerRow::kIdleHostSync;

class SourceLineTotalsTest : public testing::Test {
 protected:
  uint32_t stack_at(std::string_view file, int32_t line) {
    CodeStacks& stacks = trace().stacks;
    CodeFrame frame;
    frame.language = log::FrameLanguage::kPython;
    frame.file = trace().names.add(file);
    frame.line = line;
    stacks.stacks.push_back({{static_cast<uint32_t>(stacks.frames.size())}, kNoStack});
    stacks.frames.push_back(frame);
    return static_cast<uint32_t>(stacks.stacks.size() - 1);
  }
  ProcessTrace& trace() {
    if (trace_ == nullptr) trace_ = &process.build();
    return *trace_;
  }
  void located_call(int64_t start, uint32_t stack) { trace().stacks.calls.push_back({1000 * start, stack, 0}); }
  void sample(int64_t start, int64_t end, uint32_t stack) {
    trace().stacks.pauses.push_back({{1000 * start, 1000 * end}, stack, 0});
  }
  // The whole recording is one step.
  SourceLineTotals& totals() {
    trace().steps.assign(1, {0, 0, 1'000'000'000});
    for (HostCall& call : trace().calls) call.step = 0;
    windows_ = {{0, Interval{0, 1'000'000'000}}};
    timeline.steps.resize(1);
    return totals_.emplace(trace(), windows_, choice_, timeline);
  }
  const SourceLineTotal& at(std::string_view where, std::string_view call = "") {
    for (const SourceLineTotal& found : timeline.source_lines.at(0))
      if (timeline.source_line_names[found.source_line] == where && found.call == call) return found;
    static const SourceLineTotal kNothing;
    return kNothing;
  }
  static Interval time(int64_t begin, int64_t end) { return {1000 * begin, 1000 * end}; }
  Nanoseconds charged(std::string_view where, std::string_view call, LedgerRow row) {
    return at(where, call).charged[static_cast<size_t>(row)];
  }

  TraceBuilder process;
  RankTimeline timeline;

 private:
  ProcessTrace* trace_ = nullptr;
  std::vector<StepWindow> windows_;
  std::optional<StepRange> choice_;
  std::optional<SourceLineTotals> totals_;
};

TEST_F(SourceLineTotalsTest, ChargesIdleTimeToWhatTheThreadWasDoing) {
  process.call("cudaMemcpy", 0, 180'000);
  process.call("cudaLaunchKernel", 500'000, 501'000);
  located_call(0, stack_at("load.py", 7));
  sample(180, 380, stack_at("data.py", 12));
  sample(380, 480, stack_at("data.py", 3));
  SourceLineTotals& lines = totals();
  lines.charge(0, 0, time(100, 500), kStall);
  EXPECT_EQ(charged("load.py:7", "cudaMemcpy", kStall), 80'000);
  EXPECT_EQ(charged("data.py:12", "", kStall), 200'000);
  EXPECT_EQ(charged("data.py:3", "", kStall), 120'000) << "up to the next call";
  EXPECT_EQ(at("load.py:7", "cudaMemcpy").count, 1u);
  EXPECT_EQ(at("load.py:7", "cudaMemcpy").total, 180'000);
  EXPECT_EQ(at("data.py:12").total, 200'000);
}

TEST_F(SourceLineTotalsTest, ChargesPiecesThatArriveOutOfOrder) {
  process.call("cudaStreamSynchronize", 0, 200'000);
  process.call("cudaStreamSynchronize", 300'000, 500'000);
  process.call("cudaLaunchKernel", 500'000, 501'000);
  located_call(0, stack_at("a.py", 1));
  located_call(300, stack_at("b.py", 2));
  SourceLineTotals& lines = totals();
  lines.charge(0, 0, time(400, 450), kSync);
  lines.charge(0, 0, time(100, 150), kSync);
  EXPECT_EQ(charged("b.py:2", "cudaStreamSynchronize", kSync), 50'000);
  EXPECT_EQ(charged("a.py:1", "cudaStreamSynchronize", kSync), 50'000);
}

TEST_F(SourceLineTotalsTest, AStackSampleCountsForNoTimeInsideACall) {
  process.call("cudaStreamSynchronize", 0, 250'000);
  process.call("cudaLaunchKernel", 400'000, 401'000);
  sample(100, 300, stack_at("data.py", 12));
  totals();
  EXPECT_EQ(at("data.py:12").total, 150'000);
}

TEST_F(SourceLineTotalsTest, AShortCallIsNotCounted) {
  process.call("cudaMemcpy", 0, 99'000);
  process.call("cudaMemcpy", 200'000, 300'000);
  const uint32_t here = stack_at("load.py", 7);
  located_call(0, here);
  located_call(200, here);
  totals();
  EXPECT_EQ(at("load.py:7", "cudaMemcpy").count, 1u);
  EXPECT_EQ(at("load.py:7", "cudaMemcpy").total, 100'000);
}

TEST_F(SourceLineTotalsTest, AThreadThatLaunchesNothingIsNotCharged) {
  process.call("cudaHostAlloc", 0, 10'000);
  process.call("cudaHostAlloc", 900'000, 910'000);
  sample(10, 800, stack_at("pin_memory.py", 30));
  totals();
  EXPECT_EQ(at("pin_memory.py:30").count, 0u);
}

TEST_F(SourceLineTotalsTest, ExposedCopiesAreChargedToTheirCall) {
  process.call("cudaMemcpy", 0, 500'000);
  located_call(0, stack_at("load.py", 7));
  totals().charge_call(0, 0, 300'000, LedgerRow::kExposedCopy);
  EXPECT_EQ(charged("load.py:7", "cudaMemcpy", LedgerRow::kExposedCopy), 300'000);
}

}  // namespace
}  // namespace tauprof
