// Marks of PyTorch, from a log into the trace.
#include <gtest/gtest.h>

#include <cstring>

#include "format/scratch_file.h"
#include "log/writer.h"
#include "read/load_process.h"

namespace tauprof {
namespace {

class FrameworkMarks : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(writer_.open(file_.vacate().c_str(), {}));
    log::Thread thread{};
    thread.thread = 1;
    thread.is_main = 1;
    writer_.append(thread);
  }
  int64_t text(const char* text) { return writer_.intern(text, strlen(text)); }
  void range(const char* name, int64_t start, int64_t payload, log::RangeSource source) {
    log::Range row{};
    row.thread = 1;
    row.name = text(name);
    row.source = static_cast<int64_t>(source);
    row.start = start;
    row.duration = 10;
    row.payload = payload;
    writer_.append(row);
  }
  void says(const char* name, int64_t start, int64_t payload = 0) {
    range(name, start, payload, log::RangeSource::kFramework);
  }

  ScratchFile file_;
  log::Writer writer_;
};

TEST_F(FrameworkMarks, AreKeptApartFromRanges) {
  says("backward", 100);
  says("forward", 50, 2);
  says("forward", 70, 1);
  says("update", 120, 7);
  says("of a later version", 130);
  range("backward", 10, 0, log::RangeSource::kNvtx);
  log::Mark constructed{};
  constructed.thread = 1;
  constructed.name = text("optimizer");
  constructed.source = static_cast<int64_t>(log::RangeSource::kFramework);
  constructed.time = 5;
  constructed.payload = 7;
  writer_.append(constructed);
  writer_.close(200, "exit");

  ProcessTrace trace;
  ASSERT_TRUE(load_process(file_.path(), trace).is_ok());
  EXPECT_EQ(trace.ranges.size(), 1u);
  ASSERT_EQ(trace.marks.size(), 5u) << "by start, without the unknown one";
  EXPECT_EQ(trace.marks[0].kind, MarkKind::kOptimizer);
  EXPECT_EQ(trace.marks[0].optimizer, 7u);
  EXPECT_EQ(trace.marks[1].kind, MarkKind::kForward);
  EXPECT_FALSE(trace.marks[1].has_gradients);
  EXPECT_TRUE(trace.marks[2].has_gradients);
  EXPECT_EQ(trace.marks[3].kind, MarkKind::kBackward);
  EXPECT_EQ(trace.marks[3].end, 110);
  EXPECT_EQ(trace.marks[4].optimizer, 7u);
}

}  // namespace
}  // namespace tauprof
