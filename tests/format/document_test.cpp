// docs/log-format.md and the code agree.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include "format/decoded_log.h"
#include "format/scratch_file.h"
#include "read/record_names.h"

namespace tauprof {
namespace {

class DocumentTest : public testing::Test {
 protected:
  DocumentTest() {
    std::ifstream file(std::string(TAUPROF_DOCS) + "/log-format.md");
    text_.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }

  // From its heading, "### call (33)", to the next.
  std::string SectionOf(log::RecordKind kind) const {
    const std::string heading =
        "\n### " + std::string(record_name(kind)) + " (" + std::to_string(static_cast<int>(kind)) + ")";
    const size_t begin = text_.find(heading);
    if (begin == std::string::npos) return "";
    return text_.substr(begin, text_.find("\n##", begin + heading.size()) - begin);
  }

  // The bytes of the worked example. Its lines are "0140  f7 54 50  what they are", or, for many
  // equal bytes, "0056  00 × 90  what they are".
  ByteVector ExampleBytes() const {
    ByteVector bytes;
    std::istringstream example(text_.substr(text_.find("## A worked example")));
    const std::regex dump_line("[0-9a-f]{4}  ([0-9a-f]{2}(?: [0-9a-f]{2})*)(?: × ([0-9]+))?(?:  .*)?");
    for (std::string line; std::getline(example, line);) {
      std::smatch parts;
      if (!std::regex_match(line, parts, dump_line)) continue;
      std::istringstream words(parts[1].str());
      for (std::string word; words >> word;) bytes.push_back(static_cast<uint8_t>(std::stoi(word, nullptr, 16)));
      if (parts[2].matched) bytes.resize(bytes.size() + std::stoul(parts[2].str()) - 1, bytes.back());
    }
    return bytes;
  }

  std::string text_;
};

TEST_F(DocumentTest, NamesEveryRecordAndColumn) {
  for (uint16_t number = 1; number < 64; ++number) {
    const auto kind = static_cast<log::RecordKind>(number);
    if (record_name(kind).empty()) continue;
    const std::string section = SectionOf(kind);
    EXPECT_FALSE(section.empty()) << "no section for " << record_name(kind);
    for (uint16_t column = 0; column < column_count(kind); ++column) {
      const std::string row = "\n| " + std::to_string(column) + " | `" + std::string(column_name(kind, column)) + "` |";
      EXPECT_NE(section.find(row), std::string::npos) << record_name(kind) << " lacks" << row;
    }
  }
}

TEST_F(DocumentTest, NamesEveryEnumerationValue) {
  for (uint16_t number = 1; number < 64; ++number) {
    const auto kind = static_cast<log::RecordKind>(number);
    for (uint16_t column = 0; column < column_count(kind); ++column) {
      for (int64_t value = 1; value < 32; ++value) {
        const std::string name(value_name(kind, column, value));
        if (name.empty() || kind == log::RecordKind::kDrop) continue;
        EXPECT_NE(text_.find(std::to_string(value) + " " + name), std::string::npos) << value << " " << name;
      }
    }
  }
}

TEST_F(DocumentTest, WorkedExampleIsALog) {
  ScratchFile file;
  file.write(ExampleBytes());
  const DecodedLog log = decode_log(file.path());
  ASSERT_TRUE(log.status.is_ok()) << log.status.message();
  EXPECT_TRUE(log.loss.regions.empty());
  EXPECT_FALSE(log.loss.is_cut_short);
  const std::vector<DecodedRow> expected = {
      {log::RecordKind::kString, {1}, "epoch"},
      {log::RecordKind::kString, {2}, "closed"},
      {log::RecordKind::kMark, {1, 1, 1, 0, 1000, 0}, ""},
      {log::RecordKind::kMark, {1, 1, 1, 0, 1300, 0}, ""},
      {log::RecordKind::kEnd, {2000, 2}, ""},
  };
  EXPECT_EQ(log.rows(), expected);
}

}  // namespace
}  // namespace tauprof
