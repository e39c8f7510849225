// Which line of a stack is the user's.
#include "classify/source_lines.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

class SourceLinesTest : public testing::Test {
 protected:
  uint32_t python(std::string_view file, int32_t line, std::string_view function) {
    CodeFrame frame;
    frame.language = log::FrameLanguage::kPython;
    frame.file = trace.names.add(file);
    frame.line = line;
    frame.function = trace.names.add(function);
    return add(frame);
  }
  uint32_t native(std::string_view module, int64_t offset, std::string_view function = "") {
    CodeFrame frame;
    frame.language = log::FrameLanguage::kNative;
    frame.module = trace.names.add(module);
    frame.offset = offset;
    if (!function.empty()) frame.function = trace.names.add(function);
    return add(frame);
  }
  uint32_t stack(std::vector<uint32_t> frames, uint32_t caller = kNoStack) {
    trace.stacks.stacks.push_back({std::move(frames), caller});
    return static_cast<uint32_t>(trace.stacks.stacks.size() - 1);
  }
  std::string where(uint32_t of) { return SourceLines(trace).of(of); }

  ProcessTrace trace;

 private:
  uint32_t add(const CodeFrame& frame) {
    trace.stacks.frames.push_back(frame);
    return static_cast<uint32_t>(trace.stacks.frames.size() - 1);
  }
};

TEST_F(SourceLinesTest, IsTheInnermostFrameOutsideTheFrameworks) {
  const uint32_t loader = python("/venv/lib/python3.11/site-packages/torch/utils/data/dataloader.py", 701, "__next__");
  const uint32_t loop = python("/home/me/train.py", 77, "train"), main = python("/home/me/train.py", 90, "<module>");
  EXPECT_EQ(where(stack({loader, loop, main})), "/home/me/train.py:77 train");
}

TEST_F(SourceLinesTest, FollowsTheCallers) {
  const uint32_t outer = stack({python("train.py", 90, "<module>")});
  const uint32_t inner = stack({python("/usr/lib/python3.12/threading.py", 355, "wait")}, outer);
  EXPECT_EQ(where(inner), "train.py:90 <module>");
}

TEST_F(SourceLinesTest, IsTheInnermostWhenAllFramesAreTheFrameworks) {
  const uint32_t wait = python("/usr/lib/python3.12/threading.py", 355, "Condition.wait");
  const uint32_t get = python("/usr/lib/python3.12/queue.py", 171, "Queue.get");
  EXPECT_EQ(where(stack({wait, get})), "/usr/lib/python3.12/threading.py:355 Condition.wait");
}

TEST_F(SourceLinesTest, SkipsNativeFramesOfSystemAndCudaLibraries) {
  const uint32_t runtime = native("/usr/lib/libcudart.so.13", 0x100), torch = native("/x/libtorch_cuda.so", 0x200);
  const uint32_t own = native("/opt/job", 0x1234, "step");
  EXPECT_EQ(where(stack({runtime, torch, own})), "job step");
  EXPECT_EQ(where(stack({runtime, native("/opt/job", 0xBEEF)})), "job+0xbeef");
}

TEST_F(SourceLinesTest, IsUnknownWithoutAStack) {
  EXPECT_EQ(where(kNoStack), "");
  EXPECT_EQ(where(stack({})), "");
}

TEST(FrameworkFiles, AreThoseOfKnownPackagesAndOfPython) {
  EXPECT_TRUE(is_framework_file("/venv/lib/python3.11/site-packages/accelerate/accelerator.py"));
  EXPECT_TRUE(is_framework_file("/usr/lib/python3/dist-packages/numpy/core/fromnumeric.py"));
  EXPECT_TRUE(is_framework_file("/usr/lib/python3.11/contextlib.py"));
  EXPECT_TRUE(is_framework_file("<frozen runpy>"));
  EXPECT_FALSE(is_framework_file("/venv/lib/python3.11/site-packages/our_models/trainer.py"));
  EXPECT_FALSE(is_framework_file("/home/torch/train.py"));
  EXPECT_FALSE(is_framework_file("<string>"));
}

}  // namespace
}  // namespace tauprof
