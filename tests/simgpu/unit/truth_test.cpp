#include "simgpu/engine/truth.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "fresh_process.h"
#include "simgpu/engine/call.h"
#include "simgpu/engine/device.h"
#include "simgpu/simgpu.h"

namespace simgpu {
namespace {

using Line = std::vector<std::string>;

Span sample_span(std::uint64_t id, const char* name = "kernel") {
  Span span;
  span.id = id;
  span.what.kind = SpanKind::Kernel;
  span.what.name = interned_name(name);
  span.what.call = {"cudaLaunchKernel", 3, 42};
  span.start = 100;
  span.end = 200;
  return span;
}

class TruthTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(directory_); }

  FreshProcess Run(const std::function<void()>& body) {
    return run_fresh({{"SIMGPU_TRUTH", directory_}, {"RANK", "5"}}, body);
  }

  std::string PathOf(const FreshProcess& process) {
    return directory_ + "/truth-" + std::to_string(process.pid) + ".tsv";
  }

  std::string TextOf(const FreshProcess& process) {
    std::ifstream file(PathOf(process));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::vector<Line> LinesOf(const FreshProcess& process) {
    std::istringstream text(TextOf(process));
    std::vector<Line> lines;
    for (std::string row; std::getline(text, row);) {
      if (!row.empty() && row[0] == '\0') break;
      std::istringstream fields(row);
      Line& line = lines.emplace_back();
      for (std::string field; std::getline(fields, field, '\t');) line.push_back(field);
    }
    return lines;
  }

  std::string directory_ = testing::TempDir() + "simgpu_truth_" + std::to_string(getpid()) + "/made/if/missing";
};

TEST_F(TruthTest, AnOrderlyProcessLeavesHeaderNamesSpansAndEnd) {
  const FreshProcess process = Run([] {
    context_of(0);
    write_truth(sample_span(1));
    write_truth(sample_span(2));
  });
  EXPECT_EQ(process.status, 0) << process.errors;
  const auto lines = LinesOf(process);
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(lines[0], (Line{"simgpu-truth", "1"}));
  EXPECT_EQ(lines[1][0], "process");
  EXPECT_EQ(lines[1][1], std::to_string(process.pid));
  EXPECT_EQ(lines[1][2], "5");
  EXPECT_EQ(lines[2], (Line{"name", "1", "kernel"}));
  EXPECT_EQ(lines[3], (Line{"name", "2", "cudaLaunchKernel"}));
  EXPECT_EQ(lines[4], (Line{"span", "1", "kernel", "1",   "0", "0", "0", "0",           "42", "2",
                            "3",    "0", "100",    "200", "0", "0", "0", "1,1,1/1,1,1", "0",  "0"}));
  EXPECT_EQ(lines[5][1], "2");
  EXPECT_EQ(lines[6][0], "end");
}

TEST_F(TruthTest, AProcessWithoutADeviceLeavesNoFile) {
  const FreshProcess process = Run([] { simgpu_announce("step", 1, 1); });
  EXPECT_FALSE(std::filesystem::exists(PathOf(process)));
}

TEST_F(TruthTest, WhatWasAnnouncedBeforeTheFirstDeviceIsThere) {
  const auto lines = LinesOf(Run([] {
    simgpu_announce("phase:initialise", 0, 1);
    context_of(0);
    simgpu_announce("phase:initialise", 0, 0);
  }));
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(Line(lines[2].begin(), lines[2].begin() + 4), (Line{"announce", "phase:initialise", "0", "begin"}));
  EXPECT_EQ(Line(lines[3].begin(), lines[3].begin() + 4), (Line{"announce", "phase:initialise", "0", "end"}));
}

TEST_F(TruthTest, TextsAreEscaped) {
  const auto lines = LinesOf(Run([] {
    context_of(0);
    simgpu_announce("a\tb\nc\\d", 0, 1);
  }));
  EXPECT_EQ(lines[2][1], "a\\tb\\nc\\\\d");
}

TEST_F(TruthTest, SurvivesAKill) {
  const FreshProcess process = Run([] {
    context_of(0);
    write_truth(sample_span(1));
    kill(getpid(), SIGKILL);
  });
  const auto lines = LinesOf(process);
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[4][0], "span");
}

TEST_F(TruthTest, GrowsBeyondItsWindow) {
  constexpr std::size_t kSpans = 300'000;
  const auto lines = LinesOf(Run([] {
    context_of(0);
    for (std::uint64_t id = 1; id <= kSpans; ++id) write_truth(sample_span(id));
  }));
  ASSERT_EQ(lines.size(), kSpans + 5);
  for (std::size_t id = 1; id <= kSpans; ++id) {
    ASSERT_EQ(lines[id + 3].size(), 20u);
    ASSERT_EQ(lines[id + 3][1], std::to_string(id));
  }
}

TEST_F(TruthTest, AForkedChildDoesNotWriteIntoItsParentsFile) {
  const auto lines = LinesOf(Run([] {
    context_of(0);
    if (fork() == 0) {
      write_truth(sample_span(1));
      simgpu_announce("step", 1, 1);
      std::exit(0);
    }
    usleep(100'000);
    write_truth(sample_span(2));
  }));
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(lines[4][1], "2");
  EXPECT_EQ(lines[5][0], "end");
}

TEST_F(TruthTest, AnImpossibleDirectoryCostsOneLine) {
  directory_ = "/proc/nowhere";
  const FreshProcess process = Run([] {
    context_of(0);
    write_truth(sample_span(1));
  });
  EXPECT_EQ(process.status, 0);
  EXPECT_EQ(std::count(process.errors.begin(), process.errors.end(), '\n'), 1) << process.errors;
}

}  // namespace
}  // namespace simgpu
