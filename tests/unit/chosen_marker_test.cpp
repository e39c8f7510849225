// Steps marked by TAUPROF_STEP_MARKER.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "names/glob.h"
#include "steps/step_sources.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

using Times = std::vector<std::pair<Nanoseconds, Nanoseconds>>;

Times times_of(const std::vector<HostStep>& steps) {
  Times times;
  for (const HostStep& step : steps) times.push_back({step.start, step.end});
  return times;
}

TEST(ChosenMarker, StartsAStepAtEachLaunchOfAMatchingKernel) {
  TraceBuilder process;
  for (const Nanoseconds start : {10, 20, 30, 40}) {
    process.call("cudaLaunchKernel", start, start + 2);
    process.span(start + 100, start + 105);
  }
  ProcessTrace& trace = process.build();
  trace.attributes["step_marker"] = "kernel:first_*";
  const NameId first = trace.names.add("first_layer"), other = trace.names.add("second_layer");
  for (size_t i = 0; i < 4; ++i) trace.devices[0].spans[i].activity = log::ActivityKind::kKernel;
  for (size_t i = 0; i < 4; ++i) trace.devices[0].spans[i].name = i % 2 == 0 ? first : other;
  EXPECT_EQ(times_of(find_chosen_steps(trace)), (Times{{10, 30}, {30, 43}}));
}

TEST(ChosenMarker, EndsTheLastStepWithItsRange) {
  TraceBuilder process;
  process.range("iteration", 10, 20);
  process.range("iteration", 30, 40);
  process.call("cudaDeviceSynchronize", 90, 100);
  ProcessTrace& trace = process.build();
  trace.attributes["step_marker"] = "nvtx:iter*";
  trace.step_marks = {{10, 1}, {30, 1}};
  EXPECT_EQ(times_of(find_chosen_steps(trace)), (Times{{10, 30}, {30, 40}}));
}

TEST(ChosenMarker, IsAbsentWhenNothingWasChosenOrNothingMatches) {
  TraceBuilder process;
  process.call("cudaLaunchKernel", 10, 12);
  process.span(20, 30);
  EXPECT_TRUE(find_chosen_steps(process.build()).empty());
  process.build().attributes["step_marker"] = "kernel:nothing";
  EXPECT_TRUE(find_chosen_steps(process.build()).empty());
}

TEST(Glob, StarsMatchAnythingAndQuestionMarksOneCharacter) {
  EXPECT_TRUE(matches_glob("*adam*_kernel", "multi_tensor_adamw_kernel"));
  EXPECT_TRUE(matches_glob("step ?", "step 7"));
  EXPECT_TRUE(matches_glob("*", ""));
  EXPECT_TRUE(matches_glob("a*b*b", "a_b_b_b"));
  EXPECT_FALSE(matches_glob("step ?", "step 12"));
  EXPECT_FALSE(matches_glob("adam", "adamw"));
  EXPECT_FALSE(matches_glob("", "x"));
}

}  // namespace
}  // namespace tauprof
