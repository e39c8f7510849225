// The activity of the host's threads, as rows of the page's timeline. Times in µs.
#include "pipeline/host_rows.h"

#include <gtest/gtest.h>

#include "limits/timeline_limits.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

class HostRowsTest : public testing::Test {
 protected:
  ProcessTrace& trace() {
    if (trace_ == nullptr) {
      trace_ = &process.build();
      trace_->steps.assign(1, {});
      trace_->steps[0].thread = 0;
    }
    return *trace_;
  }
  const RankSpans& spans() {
    IdleCause idle(trace(), process.device());
    SpanRows rows(trace(), clock_, {Interval{0, 1'000'000}});
    left_out = add_host_rows(trace(), idle, rows);
    return result_ = rows.take({1000});
  }
  // Names of a row's spans, by its label and depth.
  static std::vector<std::string> names(const RankSpans& spans, std::string_view label, uint32_t lane = 0) {
    for (size_t row = 0; row < spans.rows.size(); ++row)
      if (spans.rows[row].label == label && spans.rows[row].lane == lane) {
        std::vector<std::string> found;
        for (const ShownSpan& span : spans.steps[0][row]) found.push_back(spans.names[span.name]);
        return found;
      }
    return {};
  }
  void range(std::string_view name, int64_t start, int64_t end, log::RangeSource source = log::RangeSource::kNvtx) {
    process.range(name, 1000 * start, 1000 * end, source);
  }
  void call(std::string_view name, int64_t start, int64_t end) { process.call(name, 1000 * start, 1000 * end); }

  using Texts = std::vector<std::string>;
  TraceBuilder process;
  uint64_t left_out = 0;

 private:
  ProcessTrace* trace_ = nullptr;
  ClockMap clock_;
  RankSpans result_;
};

TEST_F(HostRowsTest, RangesInsideOfRangesAreInRowsOfTheirOwn) {
  call("cudaLaunchKernel", 150, 160);
  range("outer", 100, 400);
  range("inner", 120, 200);
  range("next", 200, 300);
  range("aten::mm", 130, 140, log::RangeSource::kOperator);
  EXPECT_EQ(names(spans(), "annotations", 0), Texts{"outer"});
  EXPECT_EQ(names(spans(), "annotations", 1), (Texts{"inner", "next"}));
  EXPECT_EQ(names(spans(), "operators", 0), Texts{"aten::mm"});
}

TEST_F(HostRowsTest, ARangeAroundTheWholeStepSaysNothing) {
  call("cudaLaunchKernel", 150, 160);
  range("whole program", -100, 2000);
  range("part", 120, 200);
  EXPECT_EQ(names(spans(), "annotations", 0), Texts{"part"});
}

TEST_F(HostRowsTest, RangesThatAreNestedTooDeepAreCounted) {
  call("cudaLaunchKernel", 150, 160);
  for (int64_t depth = 0; depth < static_cast<int64_t>(kMostShownLanes) + 3; ++depth)
    range("deeper", 100 + depth, 400 - depth);
  EXPECT_EQ(names(spans(), "annotations", kMostShownLanes - 1), Texts{"deeper"});
  EXPECT_EQ(left_out, 3u);
}

TEST_F(HostRowsTest, SourceLinesOfPausesAndCallsAreARow) {
  call("cudaMalloc", 100, 160);
  call("cudaLaunchKernel", 500, 510);
  CodeFrame frame;
  frame.language = log::FrameLanguage::kPython;
  frame.file = trace().names.add("train.py");
  frame.line = 12;
  trace().stacks.frames.push_back(frame);
  trace().stacks.stacks.push_back({{0}, kNoStack});
  trace().stacks.calls.push_back({100'000, 1, 0});
  trace().stacks.pauses.push_back({{200'000, 300'000}, 1, 0});
  const Texts lines = names(spans(), "source lines");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].substr(0, 11), "train.py:12");
}

TEST_F(HostRowsTest, OnlyThePauseOutsideOfAnotherThreadsCallsHasAName) {
  call("cudaLaunchKernel", 0, 10);
  call("cudaLaunchKernel", 900, 910);
  process.switch_thread("autograd");
  call("cudaLaunchKernel", 300, 310);
  call("cudaLaunchKernel", 700, 710);
  const RankSpans& found = spans();
  for (size_t row = 0; row < found.rows.size(); ++row)
    for (const ShownSpan& span : found.steps[0][row])
      if (span.kind >= ShownKind::kBetweenCalls) {
        EXPECT_TRUE(span.start + span.duration <= 300'000 || span.start >= 710'000) << span.start;
      }
  EXPECT_EQ(names(found, "host").size(), 4u);  // two calls, the pause before the other thread's and the one after
}

}  // namespace
}  // namespace tauprof
