// Line tables of one function from interpreters of five versions, and the line that each interpreter itself gives for
// every instruction (co_lines(), dis.findlinestarts()):
//
//    1  def decide(values):                  10                  value
//    2      total = 0                        11              )
//    4      for value in values:             12          except ValueError:
//    5          if value > 10:               13              pass
//    6              total += value           14  assert total >= 0, \
//    7          else:                        15      "negative"
//    8              try:                     16  return [v
//    9                  total -= int(        17          for v in values
//                                            18          if v]
#include "capture/stacks/line_table.h"

#include <gtest/gtest.h>

#include <vector>

namespace tauprof::capture {
namespace {

struct Case {
  const char* version;
  LineTableFormat format;
  std::vector<uint8_t> table;
  std::vector<int32_t> lines;  // one for each two bytes of instructions
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"3.8",
       LineTableFormat::kIncrements,
       {0, 1, 4, 2, 8, 1, 8, 1, 10, 2, 2, 1, 4, 1, 2, 255, 10, 3, 14, 1, 8, 1, 10, 1, 2, 255, 4, 2, 6, 1, 2, 255},
       {2,  2,  4,  4,  4,  4,  5,  5,  5,  5,  6,  6,  6,  6,  6,  8,  9,  9,  10, 9,  9,  9,  9,  9,  12,
        12, 12, 12, 12, 12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 14, 15, 14, 14, 16, 16, 16, 17, 16, 16, 16}},
      {"3.10",
       LineTableFormat::kRanges,
       {4, 1, 8, 2, 8,   1,  10, 1, 2, 2, 4,   1, 2, 1, 10, 255, 12,
        3, 4, 1, 2, 255, 10, 2,  2, 1, 4, 255, 6, 2, 2, 1,  6,   255},
       {2,  2,  4,  4,  4,  4,  5,  5,  5,  5,  6,  6,  6,  6,  6,  8,  9,  9,  10, 9,  9,  9,  9,  9,
        12, 12, 12, 12, 12, 12, 13, 13, 12, 14, 14, 14, 14, 14, 15, 14, 14, 16, 16, 16, 17, 16, 16, 16}},
      {"3.11",
       LineTableFormat::kLocations,
       {128, 0,   216, 12,  13,  128, 69,  224, 17,  23,  240, 0,   9,   5,   21,  240, 0,   9,   5,   21,  136,
        5,   216, 11,  16,  144, 50,  138, 58,  136, 58,  216, 12,  17,  144, 85,  137, 78,  136, 69,  136, 69,
        240, 4,   5,   13,  21,  216, 16,  21,  157, 19,  216, 20,  25,  241, 3,   2,   26,  18,  244, 0,   2,
        26,  18,  241, 0,   2,   17,  18,  144, 5,   144, 5,   248, 245, 6,   0,   20,  30,  240, 0,   1,   13,
        21,  240, 0,   1,   13,  21,  240, 0,   1,   13,  21,  216, 16,  20,  144, 4,   240, 3,   1,   13,  21,
        248, 248, 248, 224, 11,  16,  144, 65,  138, 58,  136, 58,  136, 58,  216, 8,   18,  241, 3,   0,   12,
        22,  140, 58,  136, 58,  240, 4,   2,   12,  18,  240, 0,   2,   12,  18,  216, 21,  27,  240, 3,   2,
        12,  18,  241, 0,   2,   12,  18,  244, 0,   2,   12,  18,  240, 0,   2,   5,   18},
       {1,  2,  2,  4,  4,  4,  4,  5,  5,  5,  5,  5,  5,  6,  6,  6,  6,  6,  6,  8,  9,  9,  9,  9,  9,  9,  9, 10,
        9,  9,  9,  9,  9,  9,  9,  9,  9,  9,  9,  0,  12, 12, 12, 12, 12, 12, 12, 12, 12, 13, 13, 12, 0,  0,  0, 14,
        14, 14, 14, 14, 14, 14, 15, 14, 14, 14, 14, 14, 14, 14, 14, 16, 16, 17, 16, 16, 16, 16, 16, 16, 16, 16, 16}},
      {"3.12",
       LineTableFormat::kLocations,
       {128, 0,   216, 12,  13,  128, 69,  224, 17,  23,  242, 0,   9,   5,  21,  136, 5,   216, 11, 16, 144,
        50,  138, 58,  216, 12,  17,  144, 85,  137, 78,  137, 69,  240, 4,  5,   13,  21,  216, 16, 21, 156,
        19,  216, 20,  25,  243, 3,   2,   26,  18,  241, 0,   2,   17,  18, 145, 5,   240, 11,  9,  5,  21,
        240, 20,  0,   12,  17,  144, 65,  138, 58,  240, 0,   1,   5,   19, 216, 8,   18,  244, 3,  1,  5,
        19,  240, 6,   0,   22,  28,  246, 3,   2,   12,  18,  216, 16,  17, 217, 15,  16,  242, 5,  0,  13,
        14,  242, 0,   2,   12,  18,  240, 0,   2,   5,   18,  248, 244, 9,  0,   20,  30,  242, 0,  1,  13,
        21,  217, 16,  20,  240, 3,   1,   13,  21,  252, 242, 8,   2,   12, 18},
       {1,  2,  2,  4,  4,  4,  4,  4,  5,  5,  5,  5,  5,  6,  6,  6,  6,  6,  6,  8,  9,  9,
        9,  9,  9,  9,  10, 9,  9,  9,  9,  9,  9,  9,  9,  4,  14, 14, 14, 14, 14, 14, 15, 14,
        14, 14, 14, 14, 17, 16, 16, 16, 16, 16, 16, 16, 17, 18, 18, 16, 16, 16, 16, 16, 16, 16,
        0,  12, 12, 12, 12, 12, 12, 12, 12, 13, 13, 12, 0,  0,  0,  0,  0,  16, 16, 16}},
      {"3.13",
       LineTableFormat::kLocations,
       {128, 0,   216, 12,  13,  128, 69,  227, 17, 23,  136, 5,   216, 11,  16,  144, 50, 139, 58,  216, 12,
        17,  137, 78,  138, 69,  240, 4,   5,   13, 21,  216, 16,  21,  156, 19,  216, 20, 25,  243, 3,   2,
        26,  18,  241, 0,   2,   17,  18,  146, 5,  241, 11,  0,   18,  24,  240, 20,  0,  12,  17,  144, 65,
        139, 58,  240, 0,   1,   5,   19,  216, 8,  18,  243, 3,   1,   5,   19,  136, 58, 241, 6,   0,   22,
        28,  243, 3,   2,   12,  18,  217, 21,  27, 144, 1,   220, 15,  16,  247, 5,   0,  13,  14,  217, 21,
        27,  241, 3,   2,   12,  18,  240, 0,   2,  5,   18,  248, 244, 9,   0,   20,  30, 243, 0,   1,   13,
        21,  218, 16,  20,  240, 3,   1,   13,  21, 252, 242, 8,   2,   12,  18},
       {1,  2,  2,  4,  4,  4,  4,  4,  5,  5,  5,  5,  5,  5,  6,  6,  6,  6,  6,  6,  8,  9,  9,  9,  9,  9,
        9,  10, 9,  9,  9,  9,  9,  9,  9,  9,  9,  4,  4,  14, 14, 14, 14, 14, 14, 14, 15, 14, 14, 14, 14, 14,
        17, 17, 16, 16, 16, 16, 17, 17, 17, 18, 18, 18, 18, 18, 16, 16, 16, 16, 16, 16, 16, 16, 17, 17, 16, 16,
        16, 0,  12, 12, 12, 12, 12, 12, 12, 12, 12, 13, 13, 13, 12, 0,  0,  0,  0,  0,  16, 16, 16}},
  };
  return all;
}

int32_t line(const Case& of, int32_t offset) { return line_at(of.format, of.table.data(), of.table.size(), 1, offset); }

TEST(LineTable, EveryInstructionHasItsLine) {
  for (const Case& of : cases())
    for (size_t i = 0; i < of.lines.size(); ++i)
      EXPECT_EQ(line(of, static_cast<int32_t>(2 * i)), of.lines[i]) << "Python " << of.version << ", byte " << 2 * i;
}

TEST(LineTable, AFrameThatHasNotStartedIsAtTheFirstLine) {
  for (const Case& of : cases()) EXPECT_EQ(line(of, -2), 1) << of.version;
}

TEST(LineTable, GivesNoLineBeyondItsEnd) {
  for (const Case& of : cases()) {
    const int32_t beyond = line(of, 100'000);
    // The oldest format has no end: its last line never ends.
    EXPECT_EQ(beyond, of.format == LineTableFormat::kIncrements ? of.lines.back() : 0) << of.version;
  }
}

TEST(LineTable, ATruncatedTableIsReadToItsEndAndNoFurther) {
  for (const Case& of : cases())
    for (size_t size = 0; size < of.table.size(); ++size) {
      const std::vector<uint8_t> cut(of.table.begin(), of.table.begin() + static_cast<std::ptrdiff_t>(size));
      for (int32_t offset = 0; offset < 200; offset += 2) {
        const int32_t found = line_at(of.format, cut.data(), cut.size(), 1, offset);
        EXPECT_GE(found, 0);
        EXPECT_LE(found, 18 + 3);
      }
    }
}

}  // namespace
}  // namespace tauprof::capture
