#include "model/terminal_text.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

TEST(TerminalText, SpellsOutWhatATerminalObeys) {
  EXPECT_EQ(terminal_text("a\x1b[2J\r\n\x7f"), "a\\x1b[2J\\x0d\\x0a\\x7f");
  EXPECT_EQ(terminal_text("\xC2\x9B"
                          "31m"),
            "\\x9b31m");  // the one-character CSI
  EXPECT_EQ(terminal_text("x\xE2\x80\xAE"
                          "txt"),
            "x\\u202etxt");                                  // right-to-left override
  EXPECT_EQ(terminal_text("\xF3\xA0\x81\x81"), "\\ue0041");  // an invisible tag
}

TEST(TerminalText, LeavesOtherTextsAsTheyAre) {
  const std::string text = "Größe \xF0\x9F\x90\xAC void f<int>(char const*) C:\\x";
  EXPECT_EQ(terminal_text(text), text);
  EXPECT_EQ(valid_utf8(text), text);
}

TEST(TerminalText, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(terminal_text("a\xFFz\xC3"), "a\xEF\xBF\xBDz\xEF\xBF\xBD");
  EXPECT_EQ(terminal_bytes("a\xFFz\xC3"), "a\\xffz\\xc3");
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // a surrogate
}

TEST(TerminalText, KeepsEndsOfLinesWhereTheyBelong) {
  EXPECT_EQ(terminal_lines("a\nb\tc"), "a\nb\\x09c");
  EXPECT_EQ(terminal_text("a\nb"), "a\\x0ab");
}

TEST(TerminalText, JsonSpellsThemItsOwnWay) {
  EXPECT_EQ(terminal_json("{\n \"\xC2\x9B\x7F\"}"), "{\n \"\\u009b\\u007f\"}");
  EXPECT_EQ(terminal_json("\xF3\xA0\x81\x81"), "\\udb40\\udc41");
}

}  // namespace
}  // namespace tauprof
