#include "import/operations/csv_reader.h"

#include <gtest/gtest.h>

#include "import/imported_log.h"

namespace tauprof {
namespace {

using Records = std::vector<std::vector<std::string>>;

class CsvReaderTest : public testing::Test {
 protected:
  Records records(std::string_view text) {
    std::unique_ptr<kineto::ByteSource> source;
    EXPECT_TRUE(kineto::ByteSource::open(directory_.write("table.csv", text), source).is_ok());
    CsvReader reader(std::move(source));
    Records all;
    std::vector<std::string_view> fields;
    while (reader.next(fields)) all.emplace_back(fields.begin(), fields.end());
    status_ = reader.status();
    return all;
  }

  kineto::ScratchDirectory directory_;
  Status status_;
};

TEST_F(CsvReaderTest, ReadsLinesOfAnySystem) {
  EXPECT_EQ(records("a,b\n1,2\n"), (Records{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(records("a,b\r\n1,2\r\n"), (Records{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(records("a,b\n1,"), (Records{{"a", "b"}, {"1", ""}}));
  EXPECT_EQ(records(""), Records{});
}

TEST_F(CsvReaderTest, LeavesOutEmptyLines) { EXPECT_EQ(records("\na\n\r\n\n1\n\n"), (Records{{"a"}, {"1"}})); }

TEST_F(CsvReaderTest, FieldsInQuotesHoldEverything) {
  EXPECT_EQ(records("\"a\",\"b,c\"\n\"say \"\"no\"\"\",\"two\nlines\"\n"),
            (Records{{"a", "b,c"}, {"say \"no\"", "two\nlines"}}));
  EXPECT_EQ(records("\"open,1\n2"), (Records{{"open,1\n2"}}));
}

TEST_F(CsvReaderTest, RecordsCrossTheEndsOfTheBuffer) {
  std::string text;
  Records expected;
  for (int row = 0; row < 100'000; ++row) {
    const std::string number = std::to_string(row);
    text += row % 3 == 0 ? "\"" + number + "\",x\r\n" : number + ",x\n";
    expected.push_back({number, "x"});
  }
  EXPECT_EQ(records(text), expected);
}

TEST_F(CsvReaderTest, RefusesALineWithoutEnd) {
  EXPECT_EQ(records("a,b\n" + std::string(3 << 20, '1')), (Records{{"a", "b"}}));
  EXPECT_EQ(status_.message(), "a line is longer than 1 MiB");
}

}  // namespace
}  // namespace tauprof
