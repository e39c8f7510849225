// Where in the program a thread is at each instant, by its ranges.
#include "metrics/places/host_places.h"

#include <gtest/gtest.h>

#include "trace_builder.h"

namespace tauprof {
namespace {

constexpr auto kPython = log::RangeSource::kPython;

class HostPlacesTest : public testing::Test {
 protected:
  static constexpr auto kOperator = log::RangeSource::kOperator;

  std::string text_of(HostPlaces& places, const HostPlaces::Place& place) {
    std::string text;
    for (uint32_t node = place.node; node != 0; node = places.nodes()[node].parent)
      text = shown_range(trace_->names[places.nodes()[node].name]) + (text.empty() ? "" : ">" + text);
    return text + "[" + std::string(trace_->names[place.before]) + "," + std::string(trace_->names[place.after]) + "]";
  }
  // The places of the main thread in this time, each with its length.
  std::vector<std::string> places(Nanoseconds start, Nanoseconds end) {
    if (trace_ == nullptr) trace_ = &process.build();
    HostPlaces found(*trace_);
    std::vector<std::string> texts;
    found.visit(0, {start, end}, [&](const HostPlaces::Place& place, Nanoseconds length) {
      texts.push_back(std::to_string(length) + " " + text_of(found, place));
    });
    return texts;
  }
  using Texts = std::vector<std::string>;

  TraceBuilder process;

 private:
  ProcessTrace* trace_ = nullptr;
};

TEST_F(HostPlacesTest, NamesRangesAroundAndOperatorsBeforeAndAfter) {
  process.range("## forward ##", 0, 100, log::RangeSource::kAnnotation);
  process.range("view", 10, 20, kOperator);
  process.range("all_to_all", 60, 90, kOperator);
  process.range("param", 70, 80, kOperator);
  EXPECT_EQ(places(15, 75), (Texts{"5 forward>view[,all_to_all]", "40 forward[view,all_to_all]",
                                   "10 forward>all_to_all[view,param]", "5 forward>all_to_all>param[view,]"}));
  EXPECT_EQ(places(95, 200), (Texts{"5 forward[all_to_all,]", "100 [all_to_all,]"}));
}

TEST_F(HostPlacesTest, ARangeThatOverlapsItsSuccessorByRoundingDoesNotHoldIt) {
  process.range("first", 0, 51);
  process.range("second", 50, 100);
  EXPECT_EQ(places(40, 60), (Texts{"10 first[,]", "10 second[,]"}));
}

TEST_F(HostPlacesTest, RangesThatOverlapWithoutNestingEndWithTheOuterOne) {
  process.range("first", 0, 50'000);
  process.range("second", 30'000, 100'000);
  EXPECT_EQ(places(20'000, 80'000), (Texts{"10000 first[,]", "20000 first>second[,]", "30000 [,]"}));
}

TEST_F(HostPlacesTest, OfFunctionsAndModulesTheInnermostCount) {
  process.range("train.py(3): main", 0, 100, kPython);
  process.range("torch/nn/modules/module.py(9): _call_impl", 5, 95, kPython);
  process.range("nn.Module: Net_0", 10, 90, kPython);
  process.range("net.py(7): forward", 20, 80, kPython);
  process.range("nn.Module: Linear_1", 30, 70, kPython);
  process.range("<built-in function linear>", 40, 60, kPython);
  process.range("aten::linear", 45, 55, kOperator);
  EXPECT_EQ(places(50, 85),
            (Texts{"5 net.py:7 forward>Linear_1>aten::linear[,]", "15 net.py:7 forward>Linear_1[aten::linear,]",
                   "10 Net_0>net.py:7 forward[aten::linear,]", "5 train.py:3 main>Net_0[aten::linear,]"}));
}

TEST_F(HostPlacesTest, MarkersOfStepsAreNoPlace) {
  process.range("ProfilerStep#4", 0, 100);
  process.range("forward", 20, 80);
  process.build().steps = {{4, 0, 100}};
  EXPECT_EQ(places(10, 30), (Texts{"10 [,]", "10 forward[,]"}));
}

}  // namespace
}  // namespace tauprof
