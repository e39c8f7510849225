// Decimal text to integers, exactly.
#include "import/decimal.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace tauprof::kineto {
namespace {

TEST(Decimal, KeepsNanosecondsThatADoubleCannot) {
  EXPECT_EQ(microseconds_to_ns("4458676522690.655"), 4458676522690655);
  EXPECT_EQ(microseconds_to_ns("1698958941038582"), 1698958941038582000);
  EXPECT_EQ(microseconds_to_ns("1698958941038582.123"), 1698958941038582123);
}

TEST(Decimal, ReadsEveryFormOfANumber) {
  EXPECT_EQ(microseconds_to_ns("0"), 0);
  EXPECT_EQ(microseconds_to_ns("7"), 7000);
  EXPECT_EQ(microseconds_to_ns("7.5"), 7500);
  EXPECT_EQ(microseconds_to_ns("7.25"), 7250);
  EXPECT_EQ(microseconds_to_ns(".5"), 500);
  EXPECT_EQ(microseconds_to_ns("-1.001"), -1001);
  EXPECT_EQ(microseconds_to_ns("\"12.5\""), 12500);
  EXPECT_EQ(microseconds_to_ns("1.5e3"), 1500000);
  EXPECT_EQ(microseconds_to_ns("1500E-3"), 1500);
  EXPECT_EQ(microseconds_to_ns("1e-300"), 0);
  EXPECT_EQ(microseconds_to_ns("0e300"), 0);
}

TEST(Decimal, RoundsBelowANanosecond) {
  EXPECT_EQ(microseconds_to_ns("1.0004"), 1000);
  EXPECT_EQ(microseconds_to_ns("1.0005"), 1001);
  EXPECT_EQ(microseconds_to_ns("0.9999999999999999999999"), 1000);
}

TEST(Decimal, RefusesTextThatIsNoNumberOrDoesNotFit) {
  for (const char* text : {"", "\"\"", "NaN", "null", "1.2.3", "1x", "--1", "1e", "1e999", "9223372036854775.808",
                           "99999999999999999999", "0x10", "."})
    EXPECT_EQ(microseconds_to_ns(text), std::nullopt) << text;
  EXPECT_EQ(microseconds_to_ns("9223372036854775.807"), INT64_MAX);
}

TEST(Decimal, AgreesWithItselfOnRandomNumbers) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const int64_t ns = static_cast<int64_t>(random() >> (1 + random() % 62));
    std::string digits = std::to_string(ns / 1000);
    if (ns % 1000 != 0 || random() % 2 == 0) {
      const std::string fraction = std::to_string(1000 + ns % 1000);
      digits += "." + fraction.substr(1);
      while (random() % 2 == 0 && digits.back() == '0') digits.pop_back();
    }
    ASSERT_EQ(microseconds_to_ns(digits), ns) << digits;
  }
}

TEST(Integer, TakesIntegersOnly) {
  EXPECT_EQ(integer("42"), 42);
  EXPECT_EQ(integer("\"42\""), 42);
  EXPECT_EQ(integer("-1"), -1);
  for (const char* text : {"", "4.2", "\"stream 7\"", "9223372036854775808"}) EXPECT_EQ(integer(text), std::nullopt);
}

}  // namespace
}  // namespace tauprof::kineto
