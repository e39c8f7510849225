// The first log of version 1 stays readable: every later reader must find in fixture-v1.tauprof what fixture-v1.txt
// says. Neither file is ever written again.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "format/decoded_log.h"
#include "read/record_names.h"

namespace tauprof {
namespace {

const std::string kFolder = TAUPROF_FORMAT_TESTS;

std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// Only the columns that the line names count, as later versions may know more.
void expect_row(const DecodedRow& row, const std::string& line) {
  std::istringstream words(line);
  std::string kind, word;
  words >> kind;
  ASSERT_EQ(record_name(row.kind), kind) << line;
  std::map<std::string, std::string> values;
  while (words >> word) values[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  std::map<std::string, std::string> known;
  for (uint16_t column = 0; column < row.values.size(); ++column)
    known[std::string(column_name(row.kind, column))] = std::to_string(row.values[column]);
  for (const unsigned char c : row.text)
    known["text"] += "0123456789abcdef"[c >> 4], known["text"] += "0123456789abcdef"[c & 15];
  for (const auto& [name, value] : values) EXPECT_EQ(known[name], value) << line;
}

TEST(FixtureTest, FirstLogOfVersionOneStaysReadable) {
  const DecodedLog log = decode_log(kFolder + "/fixture-v1.tauprof");
  ASSERT_TRUE(log.status.is_ok()) << log.status.message();
  EXPECT_TRUE(log.loss.regions.empty());
  EXPECT_EQ(log.loss.lost_records, 0u);
  EXPECT_EQ(log.loss.unknown_blocks, 0u);
  EXPECT_FALSE(log.loss.is_cut_short);
  const std::vector<DecodedRow> rows = log.rows();
  const std::vector<std::string> lines = read_lines(kFolder + "/fixture-v1.txt");
  ASSERT_EQ(rows.size(), lines.size());
  for (size_t i = 0; i < rows.size(); ++i) expect_row(rows[i], lines[i]);
}

TEST(FixtureTest, HeaderOfVersionOneStaysReadable) {
  std::unique_ptr<LogReader> reader;
  ASSERT_TRUE(LogReader::open(kFolder + "/fixture-v1.tauprof", reader).is_ok());
  EXPECT_EQ(reader->header().version, 1);
  EXPECT_EQ(reader->header().pid, 4711u);
  EXPECT_EQ(reader->header().start_time_ns, 1'000'000'007);
  EXPECT_EQ(reader->header().start_realtime_ns, 1'700'000'000'000'000'009);
  EXPECT_EQ(reader->header().clock, 1u);
  EXPECT_STREQ(reader->header().run_id, "job-42");
  EXPECT_STREQ(reader->header().host, "node-1");
  EXPECT_EQ(reader->header().boot_id[15], 15);
}

}  // namespace
}  // namespace tauprof
