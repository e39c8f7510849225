// Time by path in a recorded run: PyTorch's marks, NVTX ranges and stacks say where calls are. Times in ns.
#include "metrics/call_tree/path_totals.h"

#include <gtest/gtest.h>

#include <map>

#include "metrics/call_tree/times_by_name.h"
#include "metrics/run/timeline_of_rank.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

class PathTotalsTest : public testing::Test {
 protected:
  // A call that launches work for 100 from `work` on.
  void launch(Nanoseconds start, Nanoseconds work, std::string_view function = "cudaLaunchKernel") {
    process.call(function, start, start + 10).call_class = CallClass::kKernel;
    process.span(work, work + 100);
  }
  uint32_t frame(std::string_view file, int32_t line) {
    CodeFrame made;
    made.language = log::FrameLanguage::kPython;
    made.file = trace().names.add(file);
    made.line = line;
    trace().stacks.frames.push_back(made);
    return static_cast<uint32_t>(trace().stacks.frames.size() - 1);
  }
  // The call that starts then was made there, the innermost frame first.
  void located(Nanoseconds start, std::vector<uint32_t> frames) {
    trace().stacks.stacks.push_back({std::move(frames), kNoStack});
    trace().stacks.calls.push_back({start, static_cast<uint32_t>(trace().stacks.stacks.size() - 1), 0});
  }
  ProcessTrace& trace() {
    if (trace_ == nullptr) trace_ = &process.build();
    return *trace_;
  }
  // Of one step from 0 to 10'000.
  CallTree tree() {
    trace().steps.assign(1, {0, 0, 10'000});
    for (HostCall& call : trace().calls) call.step = 0;
    timeline_ = timeline_of_rank(trace(), trace().devices.front(), std::vector<HostTimes>(1), std::nullopt,
                                 PhaseRules::shipped(), true);
    StepSelection steps;
    steps.numbers = {0};
    return call_tree({&timeline_}, steps);
  }
  static std::map<std::string, Nanoseconds> device(const std::vector<TimesOfName>& rows) {
    std::map<std::string, Nanoseconds> times;
    for (const TimesOfName& row : rows)
      if (row.total.device > 0) times[row.name] = row.total.device;
    return times;
  }
  using Times = std::map<std::string, Nanoseconds>;

  TraceBuilder process;

 private:
  ProcessTrace* trace_ = nullptr;
  RankTimeline timeline_;
};

TEST_F(PathTotalsTest, MarksOfTheFrameworkAreRanges) {
  process.says(MarkKind::kForward, 100, 400);
  process.range("attention", 200, 300);
  launch(150, 1'000);
  launch(250, 1'100);
  launch(500, 1'200);
  EXPECT_EQ(device(times_of_operators(tree())), (Times{{"forward", 200}, {"attention", 100}, {"", 100}}));
}

TEST_F(PathTotalsTest, LinesAreThoseOfTheStacksAndNotOfTheFramework) {
  launch(100, 1'000);
  launch(200, 1'100);
  launch(300, 1'200);
  const uint32_t main = frame("train.py", 3), model = frame("model.py", 7),
                 torch = frame("/usr/lib/python3/dist-packages/torch/nn/functional.py", 99);
  located(100, {torch, model, main});
  located(200, {torch, main});
  const std::vector<TimesOfName> lines = times_of_lines(tree());
  EXPECT_EQ(device(lines), (Times{{"train.py:3", 200}, {"model.py:7", 100}, {"", 100}}));
  for (const TimesOfName& line : lines) EXPECT_EQ(line.self.device, 100) << line.name;
}

TEST_F(PathTotalsTest, AutogradsThreadIsBackward) {
  process.range("nn.Module: GPT_0", 50, 300, log::RangeSource::kPython);
  launch(100, 1'000);
  process.switch_thread("pt_autograd_0");
  launch(400, 1'100);
  EXPECT_EQ(device(times_of_modules(tree())), (Times{{"GPT_0", 100}, {"backward", 100}}));
}

TEST_F(PathTotalsTest, MoreThanALimitOfPathsCountForTheOnesAroundThem) {
  PathTree tree;
  const uint32_t outer = tree.child(0, PathKind::kRange, tree.name("outer"));
  uint32_t last = 0;
  for (size_t i = 0; i < kMostPaths + 10; ++i) last = tree.child(outer, PathKind::kRange, tree.name(std::to_string(i)));
  EXPECT_EQ(last, outer);
  EXPECT_EQ(tree.nodes().size(), kMostPaths);
}

}  // namespace
}  // namespace tauprof
