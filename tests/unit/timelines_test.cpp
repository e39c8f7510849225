// A file of timelines is read as it was written; a file that somebody made ends no analysis.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>

#include "format/log_forge.h"
#include "model/terminal_text.h"
#include "pipeline/analyze_run.h"
#include "report/json_documents.h"
#include "report/text_documents.h"
#include "run_builder.h"
#include "timelines/host_timeline_writer.h"
#include "timelines/host_timelines.h"

namespace tauprof {
namespace {

namespace fs = std::filesystem;

class Timelines : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tauprof-timelines-" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string write(std::vector<EncodedLog>& logs) {
    std::string file = path(std::to_string(++files_) + ".timeline");
    HostTimelineWriter writer;
    EXPECT_TRUE(writer.create(file, "node0").is_ok());
    for (EncodedLog& log : logs) EXPECT_TRUE(writer.add(log).is_ok());
    EXPECT_TRUE(writer.finish().is_ok());
    return file;
  }

 private:
  fs::path folder_;
  int files_ = 0;
};

LogFacts facts_of(int rank) {
  LogFacts facts;
  facts.path = facts.absolute_path = "/logs/rank-" + std::to_string(rank) + ".tauprof";
  facts.run_id = "run";
  facts.ranks = {rank};
  facts.world_size = 2;
  return facts;
}

// With something in lists of lists, maps, optional values, texts, and numbers that are negative, large or not whole.
std::vector<ReducedLog> two_logs() {
  RunBuilder run(2);
  std::vector<SpentBefore> spent(5);
  for (int i = 0; i < 5; ++i) {
    spent[i].device.rows[0] = 700 * i + i / 3 * 5'000'000'000;
    spent[i].device.rows[1] = -i;
    spent[i].device.work = {static_cast<double>(i), 0.1 * i, -0.0};
    spent[i].host.rows[0] = 4;
    for (int rank = 0; rank < 2; ++rank) {
      RankCollective& one = run.collective(rank, 1000 * i + 100 * rank, 1000 * i + 300);
      one.launch_start = 1000 * i - 50;
    }
  }
  std::vector<ReducedLog> logs(2);
  for (int rank = 0; rank < 2; ++rank) {
    RankTimeline& timeline = run.ranks()[rank];
    timeline.spent = SpentColumns(spent);
    timeline.settings["loader.workers"] = "4";
    timeline.communicator_names[~uint64_t{0}] = "DP";
    timeline.steps.front().health.power_w = 512.25;
    timeline.steps.front().health.cpu_wait = -1;
    timeline.steps.front().flops.fill(1e18);
    timeline.kernels = {{{0, SpanClass::kCompute, 3, 4, 5}}};
    timeline.kernel_names = {"gemm"};
    timeline.progress.device_until = INT64_MIN;
    timeline.progress.communicators.resize(2);
    timeline.progress.communicators[1].recent.resize(3);
    timeline.quality.dropped["full"] = 7;
    logs[rank].ranks.push_back(timeline);
    logs[rank].unmet_wishes = {{"a", "b"}};
  }
  return logs;
}

std::string raw(const EncodedLog& log) {
  std::string bytes;
  for (const auto& block : log.tables)
    bytes.append(reinterpret_cast<const char*>(block->bytes.data()), block->bytes.size());
  return bytes;
}

TEST_F(Timelines, AreReadAsTheyWereWritten) {
  std::vector<ReducedLog> logs = two_logs();
  std::vector<EncodedLog> encoded;
  std::vector<std::string> written;
  for (int rank = 0; rank < 2; ++rank) {
    LogFacts facts = facts_of(rank);
    encoded.push_back(encode_log(facts, logs[rank]));
    written.push_back(raw(encoded.back()));
  }
  HostTimelines found;
  ASSERT_TRUE(open_timelines(write(encoded), found).is_ok());
  EXPECT_EQ(found.complaint, "");
  ASSERT_EQ(found.logs.size(), 2u);
  for (int rank = 0; rank < 2; ++rank) {
    const LogFacts& facts = found.logs[rank].facts;
    EXPECT_EQ(facts.path, facts_of(rank).path);
    EXPECT_EQ(facts.ranks, std::vector<int64_t>{rank});
    ReducedLog read;
    ASSERT_TRUE(read_timelines(found.logs[rank], read).is_ok());
    EXPECT_EQ(read.ranks.front().steps.front().health.power_w, 512.25);
    EXPECT_EQ(read.ranks.front().collectives.size(), 5u);
    const SpentBefore spent = read.ranks.front().spent[4];
    EXPECT_EQ(spent.device.rows[0], 5'000'002'800);
    EXPECT_EQ(spent.device.rows[1], -4);
    EXPECT_EQ(spent.device.work.flops, 0.1 * 4);
    EXPECT_TRUE(std::signbit(spent.device.work.threads));
    EXPECT_EQ(spent.host.rows[0], 4);
    LogFacts again = facts;
    EXPECT_EQ(raw(encode_log(again, read)), written[rank]);
  }
}

TEST_F(Timelines, OfAnotherVersionAreMadeAgain) {
  std::vector<ReducedLog> logs = two_logs();
  LogFacts facts = facts_of(0);
  std::vector<EncodedLog> encoded;
  encoded.push_back(encode_log(facts, logs[0]));
  const std::string file = write(encoded);
  std::ifstream written(file, std::ios::binary);
  ByteVector bytes{std::istreambuf_iterator<char>(written), {}};
  bytes[sizeof(log::FileHeader) + sizeof(log::BlockHeader) + sizeof(log::ColumnHeader)] ^= 1;  // of the layout
  reseal(bytes);
  const std::string other = path("other.timeline");
  std::ofstream(other, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  HostTimelines found;
  const Status status = open_timelines(other, found);
  ASSERT_FALSE(status.is_ok());
  EXPECT_NE(status.message().find("another version"), std::string::npos);
}

// Cut anywhere, it has the logs that are complete, and says that some are not.
TEST_F(Timelines, AreThereWholeOrNotAtAll) {
  std::vector<ReducedLog> logs = two_logs();
  std::vector<EncodedLog> encoded;
  for (int rank = 0; rank < 2; ++rank) {
    LogFacts facts = facts_of(rank);
    encoded.push_back(encode_log(facts, logs[rank]));
  }
  const std::string whole = write(encoded), cut = path("cut.timeline");
  const uint64_t bytes = fs::file_size(whole);
  size_t most = 2;
  for (uint64_t size = bytes - 1; size > sizeof(log::FileHeader); size -= std::min<uint64_t>(size, 97)) {
    fs::copy_file(whole, cut, fs::copy_options::overwrite_existing);
    fs::resize_file(cut, size);
    HostTimelines found;
    const bool has_logs = open_timelines(cut, found).is_ok();
    EXPECT_EQ(has_logs, !found.logs.empty());
    EXPECT_EQ(has_logs, !found.complaint.empty());
    EXPECT_LE(found.logs.size(), most);
    most = found.logs.size();
    for (const TimelineEntry& entry : found.logs) {
      ReducedLog read;
      EXPECT_TRUE(read_timelines(entry, read).is_ok());
    }
  }
  EXPECT_EQ(most, 0u);
}

// Bytes are changed before checksums are made, as somebody would who means it.
TEST_F(Timelines, ThatNobodyWroteEndNothing) {
  std::mt19937 random(1);
  size_t refused = 0, read_anyway = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<ReducedLog> logs = two_logs();
    std::vector<EncodedLog> encoded;
    for (int rank = 0; rank < 2; ++rank) {
      LogFacts facts = facts_of(rank);
      encoded.push_back(encode_log(facts, logs[rank]));
    }
    auto& tables = encoded[round % 2].tables;
    log::ByteArray& bytes = tables[random() % tables.size()]->bytes;
    for (uint32_t change = random() % 3; change < 3; ++change)
      bytes[sizeof(log::BlockHeader) + random() % (bytes.size() - sizeof(log::BlockHeader))] =
          static_cast<uint8_t>(random());
    const std::string file = write(encoded);
    HostTimelines found;
    const bool has_logs = open_timelines(file, found).is_ok();
    EXPECT_EQ(has_logs, !found.logs.empty());
    for (const TimelineEntry& entry : found.logs) {
      ReducedLog read;
      ++(read_timelines(entry, read).is_ok() ? read_anyway : refused);
    }
    AnalysisOptions options;
    options.paths = {file};
    Report report;
    std::vector<std::string> notes;
    if (!analyze_run(options, report, notes).is_ok()) continue;
    const std::string text = text_report(report);
    EXPECT_EQ(terminal_lines(text), text);
    EXPECT_FALSE(json_report(report).empty());
  }
  EXPECT_GT(refused, 50u);
  EXPECT_GT(read_anyway, 300u);
}

}  // namespace
}  // namespace tauprof
