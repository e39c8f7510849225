#include "report/text_table.h"

#include <gtest/gtest.h>

#include "report/value_names.h"

namespace tauprof {
namespace {

TextTable ranks() {
  TextTable table({{"rank"}, {"wait"}, {"skew", false, 1}, {"copy"}, {"kernel", true, 0, Fit::kName}});
  table.row({"0", "1.234 ms", "10 us", "-", "void_elementwise_kernel_of_floats"});
  table.row({"11", "-", "7 us", "", "void_elementwise_kernel_of_doubles"});
  return table;
}

TEST(TextTable, StandsInColumnsWithoutThoseOfWhichNothingIsKnown) {
  EXPECT_EQ(ranks().text(100),
            "  rank      wait   skew  kernel\n"
            "     0  1.234 ms  10 us  void_elementwise_kernel_of_floats\n"
            "    11         -   7 us  void_elementwise_kernel_of_doubles\n");
}

TEST(TextTable, ShortensNamesSoThatTheyDifferAndThenLeavesOutColumns) {
  EXPECT_EQ(ranks().text(42),
            "  rank      wait   skew  kernel\n"
            "     0  1.234 ms  10 us  void_el..._floats\n"
            "    11         -   7 us  void_el...doubles\n");
  EXPECT_EQ(ranks().text(36),
            "  rank      wait  kernel\n"
            "     0  1.234 ms  void_ele..._floats\n"
            "    11         -  void_ele...doubles\n");
}

TEST(TextTable, GoesOnInTheNextLine) {
  TextTable table({{"", true}, {"doing", true, 0, Fit::kWraps}, {"s"}});
  table.row({"0", "in ncclAllReduce at train.py:3", "1"});
  table.row({"1", "nothing", "23"});
  EXPECT_EQ(table.text(26),
            "     doing               s\n"
            "  0  in ncclAllReduce    1\n"
            "     at train.py:3\n"
            "  1  nothing            23\n");
}

TEST(DurationText, HasFourDigitsAndTheUnitThatSuits) {
  EXPECT_EQ(duration_text(0), "0 ns");
  EXPECT_EQ(duration_text(999.4), "999 ns");
  EXPECT_EQ(duration_text(999.6), "1.000 us");
  EXPECT_EQ(duration_text(12345), "12.35 us");
  EXPECT_EQ(duration_text(999949), "999.9 us");
  EXPECT_EQ(duration_text(999960), "1.000 ms");
  EXPECT_EQ(duration_text(147431000), "147.4 ms");
  EXPECT_EQ(duration_text(12.3456e9), "12.35 s");
  EXPECT_EQ(duration_text(12345.6e9), "12346 s");
}

}  // namespace
}  // namespace tauprof
