#include "replay/inferred_waits.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "trace_builder.h"

namespace tauprof {
namespace {

constexpr int64_t kCompute = 7, kSide = 8;

// Steps of a trace without handles: who is found to wait for whom.
class InferredWaitsTest : public testing::Test {
 protected:
  static constexpr int kSteps = 4;

  // Returns its operation, which is its number here.
  uint32_t launch(Nanoseconds time, Nanoseconds start, Nanoseconds end, int64_t stream = kCompute,
                  bool is_told = false) {
    trace_.call("cudaLaunchKernel", time, time + 4 * kMicro).step = step_;
    const uint32_t span = trace_.span(start, end, stream);
    events_.push_back({span, is_told});
    return span;
  }
  uint32_t wait(std::string_view function, Nanoseconds start, Nanoseconds end) {
    trace_.call(function, start, end).step = step_;
    events_.push_back({kNoIndex, false});
    return kFirstCall + static_cast<uint32_t>(events_.size() - 1);
  }
  void find() {
    ProcessTrace& trace = trace_.build();
    for (DeviceStream& stream : trace.devices[0].streams) stream.handle = 0;
    InferredWaits waits(trace);
    for (uint32_t call = 0; call < events_.size(); ++call) {
      const auto [span, is_told] = events_[call];
      if (span == kNoIndex)
        waits.add_call(0, call, kFirstCall + call);
      else
        waits.add_work(0, span, span, is_told, call > 0 ? kFirstCall + call - 1 : kNoIndex);
    }
    found_ = waits.take();
  }
  // The operation that it waits for, and whether that is only assumed; kNoIndex: none.
  std::pair<uint32_t, bool> awaited_by(uint32_t operation) const {
    for (const InferredWaits::Found& one : found_)
      if (one.operation == operation) return {one.awaited, one.is_assumed};
    return {kNoIndex, false};
  }

  static constexpr uint32_t kFirstCall = 10'000;
  TraceBuilder trace_;
  int32_t step_ = 0;
  std::vector<std::pair<uint32_t, bool>> events_;  // by call: the span that it launched
  std::vector<InferredWaits::Found> found_;
};

TEST_F(InferredWaitsTest, ACallThatReturnsBehindOlderWorkInEachStepWaitsForThat) {
  std::vector<std::pair<uint32_t, uint32_t>> waits;
  for (step_ = 0; step_ < kSteps; ++step_) {
    const Nanoseconds begin = step_ * 10'000 * kMicro, length = (3'000 + 70 * step_ * step_) * kMicro;
    const uint32_t older = launch(begin, begin + 6 * kMicro, begin + length);
    launch(begin + 10 * kMicro, begin + length, begin + 8'000 * kMicro);
    waits.emplace_back(wait("cudaEventSynchronize", begin + 20 * kMicro, begin + length + 3 * kMicro), older);
  }
  find();
  for (const auto& [waiting, older] : waits) EXPECT_EQ(awaited_by(waiting), std::pair(older, false));
}

TEST_F(InferredWaitsTest, WhatAnotherStepContradictsIsNotAwaited) {
  for (step_ = 0; step_ < kSteps; ++step_) {
    const Nanoseconds begin = step_ * 10'000 * kMicro, returned = begin + 3'000 * kMicro;
    const Nanoseconds end = step_ % 2 == 0 ? returned - kMicro : returned + 900 * kMicro;
    launch(begin, begin + 6 * kMicro, end);
    wait("cudaEventSynchronize", returned - 100 * kMicro, returned);
  }
  find();
  EXPECT_TRUE(std::all_of(found_.begin(), found_.end(), [](const auto& one) { return one.is_assumed; }));
}

TEST_F(InferredWaitsTest, TwoStepsAreNoTest) {
  uint32_t waiting = 0, older = 0;
  for (step_ = 0; step_ < 2; ++step_) {
    const Nanoseconds begin = step_ * 10'000 * kMicro;
    older = launch(begin, begin + 6 * kMicro, begin + 3'000 * kMicro);
    waiting = wait("cudaEventSynchronize", begin + 2'960 * kMicro, begin + 3'003 * kMicro);
  }
  find();
  EXPECT_EQ(awaited_by(waiting), std::pair(older, true));
}

TEST_F(InferredWaitsTest, ASingleLongWaitIsExplainedByWhatEndsRightBeforeIt) {
  const uint32_t older = launch(0, 6 * kMicro, 3'000 * kMicro);
  const uint32_t waiting = wait("cudaEventSynchronize", 20 * kMicro, 3'003 * kMicro);
  find();
  EXPECT_EQ(awaited_by(waiting), std::pair(older, false));
}

// Any moment of the wait is near to the end of some product, but of one that was launched last there is only one.
TEST_F(InferredWaitsTest, ASingleWaitOfAStreamIsForWhatWasLaunchedLast) {
  uint32_t last = 0;
  for (int product = 0; product < 60; ++product)
    last = launch(product * 5 * kMicro, (6 + product * 50) * kMicro, (55 + product * 50) * kMicro);
  const uint32_t waiting = wait("cudaStreamSynchronize", 400 * kMicro, 3'011 * kMicro);
  find();
  EXPECT_EQ(awaited_by(waiting), std::pair(last, false));
}

TEST_F(InferredWaitsTest, AStreamIsToldByRefutingTheOthers) {
  uint32_t waiting = 0, on_its_stream = 0;
  for (step_ = 0; step_ < kSteps; ++step_) {
    const Nanoseconds begin = step_ * 10'000 * kMicro;
    on_its_stream = launch(begin, begin + 6 * kMicro, begin + 20 * kMicro);
    launch(begin + 10 * kMicro, begin + 16 * kMicro, begin + 5'000 * kMicro, kSide);
    waiting = wait("cudaStreamSynchronize", begin + 100 * kMicro, begin + 102 * kMicro);  // never had to wait
  }
  find();
  EXPECT_EQ(awaited_by(waiting), std::pair(on_its_stream, false));
}

// The first product of each step waits for the transfer before it; the second one's transfer is always early.
TEST_F(InferredWaitsTest, WorkThatNeverHadToWaitIsAssumedToWaitAsOtherWorkDoes) {
  uint32_t late = 0, early = 0, first = 0, second = 0;
  for (step_ = 0; step_ < kSteps; ++step_) {
    const Nanoseconds begin = step_ * 10'000 * kMicro;
    first = launch(begin, begin + 6 * kMicro, begin + 900 * kMicro, kSide);
    late = launch(begin + 10 * kMicro, begin + 901 * kMicro, begin + 4'000 * kMicro, kCompute, true);
    second = launch(begin + 20 * kMicro, begin + 901 * kMicro, begin + 1'800 * kMicro, kSide);
    early = launch(begin + 30 * kMicro, begin + 4'001 * kMicro, begin + 8'000 * kMicro, kCompute, true);
  }
  find();
  EXPECT_EQ(awaited_by(late), std::pair(first, false));
  EXPECT_EQ(awaited_by(early), std::pair(second, true));
}

// Others of the same name run meanwhile, untold, while the next transfer is launched.
TEST_F(InferredWaitsTest, WhatNobodyWaitedForIsNoHabit) {
  uint32_t late = 0, early = 0, first = 0, last = 0;
  for (step_ = 0; step_ < kSteps; ++step_) {
    const Nanoseconds begin = step_ * 10'000 * kMicro;
    first = launch(begin, begin + 6 * kMicro, begin + 900 * kMicro, kSide);
    late = launch(begin + 10 * kMicro, begin + 901 * kMicro, begin + 2'000 * kMicro, kCompute, true);
    launch(begin + 20 * kMicro, begin + 901 * kMicro, begin + 1'800 * kMicro, kSide);
    launch(begin + 30 * kMicro, begin + 2'001 * kMicro, begin + 3'000 * kMicro);
    launch(begin + 40 * kMicro, begin + 3'001 * kMicro, begin + 4'000 * kMicro);
    last = launch(begin + 50 * kMicro, begin + 1'801 * kMicro, begin + 2'700 * kMicro, kSide);
    early = launch(begin + 60 * kMicro, begin + 4'001 * kMicro, begin + 8'000 * kMicro, kCompute, true);
  }
  find();
  EXPECT_EQ(awaited_by(late), std::pair(first, false));
  EXPECT_EQ(awaited_by(early), std::pair(last, true));
}

// The host awaits a product, then launches a transfer that may be held for it or not. Only a host that does so at
// several places limits its transfers.
class LimitedWork : public InferredWaitsTest, public testing::WithParamInterface<int> {};

TEST_P(LimitedWork, IsNotAssumedToWaitForWhatTheHostAwaited) {
  const int places = GetParam();
  uint32_t product = 0, transfer = 0;
  for (step_ = 0; step_ < kSteps; ++step_)
    for (int place = 0; place < places; ++place) {
      const Nanoseconds begin = step_ * 10'000 * kMicro + place * 2'000 * kMicro;
      product = launch(begin, begin + 6 * kMicro, begin + 900 * kMicro);
      wait("cudaEventSynchronize", begin + 10 * kMicro, begin + 903 * kMicro);
      transfer = launch(begin + 910 * kMicro, begin + 916 * kMicro, begin + 950 * kMicro, kSide, true);
    }
  find();
  EXPECT_EQ(awaited_by(transfer), places > 1 ? std::pair(kNoIndex, false) : std::pair(product, true));
}

INSTANTIATE_TEST_SUITE_P(, LimitedWork, testing::Values(1, 2));

// The first product waits 150 us for its batch; each other batch is copied in the step before, and is early. Whatever
// else is said of the batch that was awaited has to hold in the other steps, too.
TEST_F(InferredWaitsTest, ASingleWaitIsForWorkThatTheOtherStepsHave) {
  constexpr int64_t kReduction = 9;
  uint32_t product = 0, batch = 0, next = launch(0, 6 * kMicro, 160 * kMicro, kSide);
  for (step_ = 0; step_ < kSteps; ++step_) {
    const Nanoseconds begin = step_ * 10'000 * kMicro;
    batch = next;
    product =
        launch(begin + 10 * kMicro, begin + (step_ == 0 ? 161 : 20) * kMicro, begin + 800 * kMicro, kCompute, true);
    next = launch(begin + 500 * kMicro, begin + 506 * kMicro, begin + 656 * kMicro, kSide);
    launch(begin + 600 * kMicro, begin + 606 * kMicro, begin + 900 * kMicro, kReduction);
  }
  find();
  EXPECT_EQ(awaited_by(product), std::pair(batch, true));
}

// A product waits for the first transfer in each step, and once, for 2 ms, for the second one.
TEST_F(InferredWaitsTest, ALongWaitBehindOtherWorkThanUsuallyIsForThatToo) {
  uint32_t waiting = 0, first = 0, second = 0;
  for (step_ = 0; step_ < kSteps; ++step_) {
    const Nanoseconds begin = step_ * 10'000 * kMicro, late = step_ + 1 < kSteps ? 0 : 2'000 * kMicro;
    first = launch(begin, begin + 6 * kMicro, begin + 300 * kMicro, kSide);
    second = launch(begin + 10 * kMicro, begin + 301 * kMicro, begin + 302 * kMicro + late, kSide);
    waiting = launch(begin + 20 * kMicro, begin + 303 * kMicro + late, begin + 5'000 * kMicro, kCompute, true);
  }
  find();
  const auto is_found = [&](uint32_t awaited) {
    return std::any_of(found_.begin(), found_.end(), [&](const InferredWaits::Found& one) {
      return one.operation == waiting && one.awaited == awaited && !one.is_assumed;
    });
  };
  EXPECT_TRUE(is_found(second));
  EXPECT_FALSE(is_found(first)) << "the second transfer explains each step";
}

// Copies in both directions share a copy engine: the one that was launched first comes second.
TEST_F(InferredWaitsTest, WorkMayWaitForWhatWasLaunchedLater) {
  std::vector<std::pair<uint32_t, uint32_t>> copies;
  for (step_ = 0; step_ < kSteps; ++step_) {
    const Nanoseconds begin = step_ * 10'000 * kMicro, done = begin + (3'000 + 70 * step_ * step_) * kMicro;
    const uint32_t queued = launch(begin, done + kMicro, done + 900 * kMicro, kSide);
    const uint32_t other = launch(begin + 10 * kMicro, begin + 16 * kMicro, done);
    copies.emplace_back(queued, other);
  }
  find();
  for (const auto& [queued, other] : copies) EXPECT_EQ(awaited_by(queued), std::pair(other, false));
}

}  // namespace
}  // namespace tauprof
