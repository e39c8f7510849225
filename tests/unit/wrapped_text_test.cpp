#include "report/wrapped_text.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

TEST(WrappedProse, GoesOnBelowTheTextBehindItsLabel) {
  EXPECT_EQ(with_wrapped_prose("  cost      one two three four\n", 22), "  cost      one two\n            three four\n");
  EXPECT_EQ(with_wrapped_prose("one two three\nfour\n", 8), "one two\nthree\nfour\n");
}

TEST(WrappedProse, LeavesShortLinesAndRowsOfTablesAlone) {
  const std::string text = "\nRANKS\n  rank         step  compute   of all time in all steps\n      0   579.7 ms    63.5 %\n";
  EXPECT_EQ(with_wrapped_prose(text, 30), text);
}

}  // namespace
}  // namespace tauprof
