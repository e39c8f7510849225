#include "replay/question.h"

namespace tauprof {
namespace {

Question read(std::string_view option, std::string_view value) {
  Question question;
  EXPECT_EQ(read_question(option, value, question), "") << option << " " << value;
  return question;
}

std::string complaint(std::string_view option, std::string_view value) {
  Question question;
  return read_question(option, value, question);
}

TEST(QuestionTest, ASpeedNamesASubjectAndAFactor) {
  const Question question = read("speed", "kernel:gemm<x=1>*=1.5x");
  EXPECT_EQ(question.kind, Question::Kind::kSpeed);
  EXPECT_EQ(question.subject.kind, Subject::Kind::kKernel);
  EXPECT_EQ(question.subject.name, "gemm<x=1>*");
  EXPECT_EQ(question.factor, 1.5);
  EXPECT_EQ(question.text, "speed kernel:gemm<x=1>*=1.5x");
}

TEST(QuestionTest, AFactorIsAPositiveNumberWithAnX) {
  for (const char* const value : {"kernel:a", "kernel:a=2", "kernel:a=x", "kernel:a=0x", "kernel:a=-2x",
                                  "kernel:a=nanx", "kernel:a=infx", "kernel:a=2xx", "kernel:a=1e9x"})
    EXPECT_EQ(complaint("speed", value), "'" + std::string(value) + "' does not end with a factor such as =2x");
}

TEST(QuestionTest, NamesThatEveryRunSharesAreCheckedAtOnce) {
  EXPECT_EQ(read("without", "op:all_reduce").subject.kind, Subject::Kind::kOperation);
  EXPECT_EQ(read("without", "op:all_*").subject.name, "all_*");
  EXPECT_EQ(complaint("without", "copy:up"),
            "'copy:up': there is no such copy; there are memset, h2h, h2d, d2h, d2d, default, p2p");
  EXPECT_NE(complaint("without", "phase:back").find("there are dataload_wait, h2d, forward, backward"),
            std::string::npos);
}

Repair repair(std::string_view option, std::string_view value) {
  const Question question = read(option, value);
  EXPECT_EQ(question.kind, Question::Kind::kRepair) << option << " " << value;
  return question.asked.repair;
}

TEST(QuestionTest, WithoutNamesARowOrASubject) {
  EXPECT_EQ(repair("without", "stalls").row, LedgerRow::kIdleHostStall);
  EXPECT_EQ(repair("without", "data-waits").row, LedgerRow::kIdleDataWait);
  EXPECT_EQ(repair("without", "communication").row, LedgerRow::kExposedCommTransfer);
  EXPECT_EQ(repair("without", "input-copies").kind, RepairKind::kInputCopies);
  EXPECT_EQ(read("without", "comm:dp*").kind, Question::Kind::kWithout);
  EXPECT_NE(complaint("without", "stall"), "");
  EXPECT_NE(complaint("without", "kernel:"), "");
}

TEST(QuestionTest, ARepairIsOfAllOrOfSomeRanksAndSteps) {
  EXPECT_TRUE(repair("without", "stalls").ranks.empty());
  const Repair some = repair("without", "data-waits,rank:3,rank:5,step:7,steps:9:11");
  EXPECT_EQ(some.ranks, (std::vector<int32_t>{3, 5}));
  EXPECT_EQ(some.steps, (std::vector<int64_t>{7, 9, 10, 11}));
  EXPECT_FALSE(some.are_windows);
  EXPECT_TRUE(repair("fix", "rank:2,windows:3:4").are_windows);
  EXPECT_EQ(read("without", "syncs,stage:1").asked.stage, 1);
  EXPECT_EQ(complaint("without", "stalls,node:1"),
            "'stalls,node:1': 'node:1' is none of rank:N, stage:N, step:N, steps:A:B, window:N, windows:A:B");
  for (const char* const value : {"stalls,", "stalls,rank:", "stalls,steps:4", "stalls,step:4:5", "stalls,steps:5:4",
                                  "stalls,host", "stalls,steps:0:99999999999", "communication,rank:-1"})
    EXPECT_NE(complaint("without", value), "") << value;
}

TEST(QuestionTest, WhatAFindingProposesIsReadAsTheSameRepair) {
  for (const char* const value :
       {"rank:2", "rank:2,rank:5,steps:4:9", "rank:2,windows:4:9,window:11", "rank:2,host,else:stalls", "rank:0,device",
        "links:3", "links:3,rank:4,step:2", "step:4", "steps:6:11,step:13", "launches,rank:1"})
    EXPECT_EQ(option_of(repair("fix", value)), "--fix " + std::string(value));
  for (const char* const value : {"stalls", "device-latency", "dependencies,rank:1", "copies,step:3", "communication",
                                  "input-copies", "allocations,rank:0,steps:2:3"})
    EXPECT_EQ(option_of(repair("without", value)), "--without " + std::string(value));
  EXPECT_EQ(option_of(repair("fuse-update", "28000000000")), "--fuse-update 28000000000");
  for (const char* const option : {"as-graph", "tf32", "aligned"})
    EXPECT_EQ(option_of(question_of(option).asked.repair), "--" + std::string(option));
  EXPECT_EQ(option_of({.kind = RepairKind::kRow, .row = LedgerRow::kIdleOther}), "");
  EXPECT_EQ(option_of({}), "");
}

TEST(QuestionTest, ALinkChangesLatencyOrBandwidthOrBoth) {
  const Question both = read("link", "comm:a,b,alpha=0.5x,beta=2x");
  EXPECT_EQ(both.subject.name, "a,b");
  EXPECT_EQ(both.alpha_factor, 0.5);
  EXPECT_EQ(both.beta_factor, 2);
  EXPECT_EQ(read("link", "op:all_reduce,beta=4x").alpha_factor, 1);
  EXPECT_EQ(complaint("link", "op:all_reduce"), "'op:all_reduce' says nothing such as ,alpha=0.5x or ,beta=2x");
  EXPECT_EQ(complaint("link", "op:all_reduce,beta=2"), "'beta=2' is no factor such as beta=2x");
  EXPECT_EQ(complaint("link", "kernel:a,beta=2x"), "'kernel:a' has no links; op:NAME and comm:GLOB have");
}

TEST(QuestionTest, AFixNamesWhatBecomesAsTheRest) {
  EXPECT_EQ(repair("fix", "rank:12").ranks, std::vector<int32_t>{12});
  EXPECT_EQ(repair("fix", "rank:12").kind, RepairKind::kAsPeers);
  EXPECT_EQ(read("fix", "stage:0").asked.stage, 0);
  EXPECT_EQ(repair("fix", "links:3").kind, RepairKind::kLinks);
  EXPECT_EQ(repair("fix", "steps:3:4").kind, RepairKind::kAsOtherSteps);
  for (const char* const value :
       {"rank", "rank:", "rank:-1", "rank:1x", "rank:99999999999", "node:1", "links", "links:"})
    EXPECT_EQ(
        complaint("fix", value),
        "'" + std::string(value) +
            "' is none of rank:N, stage:N, links:N, step:N, steps:A:B, launches; behind it may stand rank:N, stage:N, "
            "step:N, steps:A:B, window:N, windows:A:B, and behind rank:N host, device, else:ROW");
}

TEST(QuestionTest, SizesOfBucketsAreDoubledUpToTheLast) {
  std::vector<std::string> texts;
  for (const Question& question : bucket_questions("0.5..3")) texts.push_back(question.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"bucket-mb 0.5", "bucket-mb 1", "bucket-mb 2", "bucket-mb 3"}));
  ASSERT_EQ(bucket_questions("25").size(), 1u);
  EXPECT_EQ(bucket_questions("25").front().bucket_mib, 25);
  for (const char* const value : {"", "a", "2..1", "0..1", "1..", "..2", "1..2..3", "-1..2", "1..1e9"})
    EXPECT_TRUE(bucket_questions(value).empty()) << value;
}

}  // namespace
}  // namespace tauprof
