// Which asynchronous copies the host waits for.
#include "read/awaited_copies.h"

#include <gtest/gtest.h>

#include "trace_builder.h"

namespace tauprof {
namespace {

class AwaitedCopiesTest : public testing::Test {
 protected:
  void copy(Nanoseconds call_start, Nanoseconds call_end, Nanoseconds start, Nanoseconds end, int64_t bytes = 4096) {
    builder_.call("cudaMemcpyAsync", call_start, call_end).call_class = CallClass::kCopy;
    sizes_.push_back(bytes);
    builder_.span(start, end);
  }
  std::vector<CallClass> classes(log::HostMemory memory = log::HostMemory::kUnknown) {
    ProcessTrace& trace = builder_.build();
    for (size_t i = 0; i < sizes_.size(); ++i) {
      DeviceSpan& span = trace.devices.front().spans[i];
      span.activity = log::ActivityKind::kMemcpy;
      span.copy_kind = log::CopyKind::kDeviceToHost;
      span.bytes = sizes_[i];
      span.host_memory = memory;
    }
    find_awaited_copies(trace);
    std::vector<CallClass> found;
    for (const HostCall& call : trace.calls) found.push_back(call.call_class);
    return found;
  }

  TraceBuilder builder_;
  std::vector<int64_t> sizes_;
};

TEST_F(AwaitedCopiesTest, ACallThatTakesUntilItsCopyIsDoneWaitsForIt) {
  copy(10 * kMicro, 905 * kMicro, 850 * kMicro, 900 * kMicro);
  EXPECT_EQ(classes(), std::vector{CallClass::kAwaitedCopy});
}

TEST_F(AwaitedCopiesTest, NoCallWaitsForACopyOfPinnedMemoryHoweverLongItTakes) {
  copy(10 * kMicro, 905 * kMicro, 850 * kMicro, 900 * kMicro);
  EXPECT_EQ(classes(log::HostMemory::kPinned), std::vector{CallClass::kCopy});
}

TEST_F(AwaitedCopiesTest, ASmallCopyOfPageableMemoryNeedNotBeWaitedFor) {
  copy(10 * kMicro, 35 * kMicro, 20 * kMicro, 30 * kMicro);
  copy(110 * kMicro, 115 * kMicro, 150 * kMicro, 160 * kMicro);
  EXPECT_EQ(classes(log::HostMemory::kPageable), (std::vector{CallClass::kCopy, CallClass::kCopy}));
}

TEST_F(AwaitedCopiesTest, ACallThatReturnsAtOnceDoesNot) {
  copy(10 * kMicro, 15 * kMicro, 850 * kMicro, 900 * kMicro);
  EXPECT_EQ(classes(), std::vector{CallClass::kCopy});
}

TEST_F(AwaitedCopiesTest, ACallThatReturnsLongAfterItsCopyDoesSomethingElse) {
  copy(10 * kMicro, 905 * kMicro, 20 * kMicro, 30 * kMicro);
  EXPECT_EQ(classes(), std::vector{CallClass::kCopy});
}

TEST_F(AwaitedCopiesTest, WhereOneOfAKindRunsOnNoneOfItWaits) {
  copy(10 * kMicro, 35 * kMicro, 20 * kMicro, 30 * kMicro);
  copy(110 * kMicro, 115 * kMicro, 150 * kMicro, 160 * kMicro);
  copy(210 * kMicro, 235 * kMicro, 220 * kMicro, 230 * kMicro, 8192);
  EXPECT_EQ(classes(), (std::vector{CallClass::kCopy, CallClass::kCopy, CallClass::kAwaitedCopy}));
}

}  // namespace
}  // namespace tauprof
