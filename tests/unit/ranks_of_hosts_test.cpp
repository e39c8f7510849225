// Long lists of ranks are folded by host, short ones are not.
#include "report/ranks_of_hosts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/text_sections.h"

namespace tauprof {
namespace {

constexpr size_t kWide = 160;

// Ranks of a job, eight on each host.
class FoldedRanks : public testing::Test {
 protected:
  void have(int32_t ranks) {
    report_.facts.ranks = report_.facts.world_size = ranks;
    for (int32_t rank = 0; rank < ranks; ++rank) {
      RankMetrics& metrics = report_.metrics.ranks.emplace_back();
      metrics.rank = rank;
      metrics.host = "host-" + std::to_string(rank / 8);
    }
  }
  // Late in a step of its own.
  void be_late(int32_t rank, Cause cause = Cause::kHostStall) {
    Straggler& late = report_.metrics.stragglers.found.emplace_back();
    late.rank = rank;
    late.cause = cause;
    late.score = 0.01;
    late.blamed_ns = 1e6;
    late.steps = {rank, 100};
  }
  void wait(int32_t rank, std::string call, Nanoseconds silent_for) {
    RankState& state = report_.metrics.progress.ranks.emplace_back();
    state.rank = rank;
    state.silent_for = silent_for;
    state.doing_for = 2 * silent_for;
    state.progress.call = std::move(call);
    state.progress.is_in_call = true;
  }
  void suspect(int32_t rank, SuspectReason reason = SuspectReason::kSilent) {
    report_.metrics.progress.is_finished = false;
    report_.metrics.progress.suspects.push_back({rank, reason});
  }
  static int64_t lines(const std::string& text, std::string_view with) {
    int64_t count = 0;
    for (size_t at = text.find(with); at != std::string::npos; at = text.find(with, at + 1)) ++count;
    return count;
  }
  std::string progress() const { return progress_text(report_.metrics, kWide); }

  Report report_;
};

TEST_F(FoldedRanks, AHostsStragglersAreOneLine) {
  have(64);
  report_.metrics.steps.selection.analysed.resize(101);
  for (int32_t rank = 0; rank < 64; ++rank) be_late(rank);
  const std::string text = stragglers_text(report_);
  EXPECT_EQ(lines(text, "the others waited"), 8) << text;
  EXPECT_NE(text.find("  host-3: ranks 24-31 transient, in 9 of 101 steps; the others waited 8.000 ms for them (8.0 % "
                      "of all GPU time)"),
            std::string::npos)
      << text;
}

TEST_F(FoldedRanks, EachReasonOfAHostIsALine) {
  have(16);
  report_.metrics.steps.selection.analysed.resize(101);
  for (int32_t rank = 0; rank < 16; ++rank) be_late(rank, rank == 5 ? Cause::kDataWait : Cause::kHostStall);
  const std::string text = stragglers_text(report_);
  EXPECT_EQ(lines(text, "the others waited"), 3) << text;
  EXPECT_NE(text.find("  host-0: rank 5 transient, in 2 of 101 steps"), std::string::npos) << text;
  EXPECT_NE(text.find("  host-0: ranks 0-4, 6-7 "), std::string::npos) << text;
}

TEST_F(FoldedRanks, FewStragglersAreALineEach) {
  have(64);
  report_.metrics.steps.selection.analysed.resize(101);
  for (const int32_t rank : {24, 25, 40}) be_late(rank);
  const std::string text = stragglers_text(report_);
  EXPECT_EQ(lines(text, "the others waited"), 3) << text;
  EXPECT_NE(text.find("  rank 25 "), std::string::npos) << text;
}

TEST_F(FoldedRanks, AHostsHangingRanksAreOneLine) {
  have(64);
  for (int32_t rank = 0; rank < 64; ++rank) {
    suspect(rank);
    wait(rank, "ncclAllReduce", 3'000'000'000 + Nanoseconds{rank} * 100'000'000);
  }
  const std::string text = progress();
  EXPECT_EQ(lines(text, "look at"), 8) << text;
  EXPECT_EQ(lines(text, "ncclAllReduce"), 8) << text;
  EXPECT_NE(text.find("  look at host-3: ranks 24-31: no sign of life"), std::string::npos) << text;
  EXPECT_NE(text.find("host-3: ranks 24-31  open      6.1 s  in ncclAllReduce for up to 12.2 s"), std::string::npos)
      << text;
}

TEST_F(FoldedRanks, RanksThatDoSomethingElseStandApart) {
  have(16);
  for (int32_t rank = 0; rank < 16; ++rank) {
    suspect(rank, rank == 9 ? SuspectReason::kElsewhere : SuspectReason::kSilent);
    wait(rank, rank == 9 ? "cudaMemcpy" : "ncclAllReduce", 3'000'000'000);
  }
  const std::string text = progress();
  EXPECT_EQ(lines(text, "look at"), 3) << text;
  EXPECT_EQ(lines(text, " in cudaMemcpy for 6.0 s"), 1) << text;
  EXPECT_NE(text.find("host-1: ranks 8, 10-15"), std::string::npos) << text;
}

TEST_F(FoldedRanks, FewHangingRanksAreALineEach) {
  have(8);
  for (int32_t rank = 0; rank < 8; ++rank) {
    suspect(rank);
    wait(rank, "ncclAllReduce", 3'000'000'000);
  }
  EXPECT_EQ(lines(progress(), "look at rank "), 8) << progress();
  EXPECT_EQ(lines(progress(), "ncclAllReduce"), 8) << progress();
}

TEST_F(FoldedRanks, AListNamesHostsWhereItWouldNameTooManyRanks) {
  have(64);
  std::vector<int32_t> some = {3, 17};
  EXPECT_EQ(RanksOfHosts(report_.metrics.ranks).list(some), "ranks 3, 17");
  for (int32_t rank = 24; rank < 40; ++rank) some.push_back(rank);
  EXPECT_EQ(RanksOfHosts(report_.metrics.ranks).list(some),
            "host-0: rank 3; host-2: rank 17; host-3: ranks 24-31; host-4: ranks 32-39");
}

TEST_F(FoldedRanks, TheOnlyHostIsNotNamed) {
  have(64);
  for (RankMetrics& rank : report_.metrics.ranks) rank.host = "here";
  std::vector<int32_t> all;
  for (int32_t rank = 0; rank < 64; ++rank) all.push_back(rank);
  EXPECT_EQ(RanksOfHosts(report_.metrics.ranks).list(all), "ranks 0-63");
}

}  // namespace
}  // namespace tauprof
