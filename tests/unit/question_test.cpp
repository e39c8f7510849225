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

TEST(QuestionTest, WithoutNamesARowCommunicationOrASubject) {
  EXPECT_EQ(read("without", "stalls").row, LedgerRow::kIdleHostStall);
  EXPECT_EQ(read("without", "data-waits").row, LedgerRow::kIdleDataWait);
  EXPECT_EQ(read("without", "communication").subject.kind, Subject::Kind::kCommunication);
  EXPECT_EQ(read("without", "comm:dp*").kind, Question::Kind::kWithout);
  EXPECT_NE(complaint("without", "stall"), "");
  EXPECT_NE(complaint("without", "kernel:"), "");
}

TEST(QuestionTest, ARowMayBeThatOfARankOrAStage) {
  EXPECT_EQ(read("without", "stalls").number, -1);
  EXPECT_EQ(read("without", "data-waits,rank:3").number, 3);
  EXPECT_EQ(read("without", "data-waits,rank:3").row, LedgerRow::kIdleDataWait);
  EXPECT_FALSE(read("without", "syncs,rank:0").is_about_stage);
  EXPECT_TRUE(read("without", "syncs,stage:1").is_about_stage);
  EXPECT_EQ(complaint("without", "stalls,node:1"), "'stalls,node:1': 'node:1' is neither rank:N nor stage:N");
  EXPECT_NE(complaint("without", "communication,rank:1"), "");
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

TEST(QuestionTest, AFixNamesARankAStageOrARanksLinks) {
  EXPECT_EQ(read("fix", "rank:12").number, 12);
  EXPECT_EQ(read("fix", "stage:0").kind, Question::Kind::kFixStage);
  EXPECT_EQ(read("fix", "links:3").kind, Question::Kind::kFixLinks);
  for (const char* const value : {"rank", "rank:", "rank:-1", "rank:1x", "rank:99999999999", "node:1"})
    EXPECT_EQ(complaint("fix", value), "'" + std::string(value) + "' is none of rank:N, stage:N, links:N");
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
