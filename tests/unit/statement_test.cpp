// Statements of findings: kept as values, and written by the report.
#include "findings/statement.h"

#include <gtest/gtest.h>

#include "report/statement_text.h"

using namespace tauprof;

namespace {

TEST(Statement, KeepsValuesAsTheyWereFound) {
  const Statement said_once = said("they take ", Duration{1234567}, " in ", 3, " steps");
  ASSERT_EQ(said_once.parts().size(), 5u);
  EXPECT_EQ(std::get<Duration>(said_once.parts()[1]).ns, 1234567);
  EXPECT_EQ(std::get<Count>(said_once.parts()[3]).number, 3);
  EXPECT_EQ(text_of(said_once), "they take 1.235 ms in 3 steps");
}

TEST(Statement, PutsClausesBehindSemicolons) {
  EXPECT_EQ(text_of(Statement().also("one").also({}).also(said("two ", 2))), "one; two 2");
  EXPECT_TRUE(Statement().also(Statement()).empty());
  EXPECT_TRUE(said("", std::string()).empty());
}

TEST(StatementText, WritesThingsInTheirNumber) {
  const auto copies = [](double number) { return text_of(said(Count{number, "copy", "copies"})); };
  EXPECT_EQ(copies(1), "1 copy");
  EXPECT_EQ(copies(1.0001), "1 copy");
  EXPECT_EQ(copies(0), "0 copies");
  EXPECT_EQ(copies(2.504), "2.5 copies");
  EXPECT_EQ(copies(1234.4), "1234 copies");
  EXPECT_EQ(copies(1234567), "1234567 copies");
}

TEST(StatementText, WritesSmallSharesSoThatTheySaySomething) {
  EXPECT_EQ(text_of(said(Share{0.4742})), "47.4 %");
  EXPECT_EQ(text_of(said(Share{0.00031})), "0.031 %");
  EXPECT_EQ(text_of(said(Share{0.00031, 0})), "0 %");
  EXPECT_EQ(text_of(said(Share{0})), "0.0 %");
}

TEST(StatementText, WritesBytesInTheUnitThatSuitsThem) {
  const auto bytes = [](double number) { return text_of(said(Volume{number})); };
  EXPECT_EQ(bytes(4), "4 B");
  EXPECT_EQ(bytes(999.6), "1 kB");
  EXPECT_EQ(bytes(1.2345e6), "1.23 MB");
  EXPECT_EQ(bytes(1.2e9), "1.2 GB");
  EXPECT_EQ(bytes(1.2e12), "1200 GB");
}

TEST(StatementText, WritesMeasuresInTheirUnits) {
  EXPECT_EQ(text_of(said(Amount{3.2149, "million", 4}, ", ", Amount{3.2149, "GB/s", 5})), "3.215 million, 3.2149 GB/s");
  EXPECT_EQ(text_of(said(in_seconds(12'345'000'000), ", ", Reading{99.6, "", 0})), "12.3 s, 100");
  EXPECT_EQ(text_of(said(Forecast{236.04e6, std::nullopt})), "240 ms");
}

TEST(StatementText, StartsSentencesWithRanksAndSteps) {
  EXPECT_EQ(text_of(said("on ", Ranks{{3}})), "on rank 3");
  EXPECT_EQ(text_of(said(Ranks{{0, 1, 4}, true}, " wait")), "Ranks 0, 1, 4 wait");
  EXPECT_EQ(text_of(said(Ranks{{0, 2, 4, 6, 8, 10, 12, 14, 16}, true}, " wait")), "9 ranks, every 2nd from 0 on, wait");
  EXPECT_EQ(text_of(said(Steps{{8}, true}, " takes")), "Step 8 takes");
  EXPECT_EQ(text_of(said(Steps{{3, 7, 11, 15, 19, 23, 27, 31, 35}, true}, " take")),
            "9 steps, every 4th from 3 on, take");
}

}  // namespace
