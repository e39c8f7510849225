// The output of tauprof dump and tauprof check, and their exit statuses.
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/commands.h"
#include "cli/terminal_sink.h"
#include "format/log_forge.h"
#include "format/sample_log.h"
#include "format/scratch_file.h"

namespace tauprof {
namespace {

bool prints(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
long count_lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

class DumpCheckTest : public testing::Test {
 protected:
  DumpCheckTest() : folder_(scratch_.vacate()) {
    std::filesystem::create_directory(folder_);
    spdlog::set_default_logger(std::make_shared<spdlog::logger>("tauprof", std::make_shared<TerminalSink>()));
  }
  ~DumpCheckTest() override { std::filesystem::remove_all(folder_); }

  std::string File(const std::string& name) const { return (folder_ / name).string(); }

  void WriteLog(const std::string& name) {
    log::Writer writer;
    ASSERT_TRUE(writer.open(File(name).c_str(), sample_header()));
    const int64_t function = writer.intern("cudaMemcpyAsync", 15), odd = writer.intern("a\"\n\\", 4);
    ASSERT_TRUE(writer.append(log::Call{1, function, 1000, 250, 7}));
    ASSERT_TRUE(writer.append(log::Mark{1, odd, 1, 0, 1100, 0}));
    ASSERT_TRUE(writer.append(log::Collective{1, 0, 1200, 30, 8, 5, 1, 1, 10, 4096}));
    ASSERT_TRUE(writer.append(log::Drop{1300, 33, 17, writer.intern("buffer full", 11)}));
    ASSERT_TRUE(writer.close(2000, "closed"));
  }
  void Damage(const std::string& name, size_t offset_from_end) {
    ByteVector bytes = read_bytes(File(name));
    bytes[bytes.size() - offset_from_end] ^= 0xFF;
    Write(name, bytes);
  }
  void Write(const std::string& name, const ByteVector& bytes) {
    std::ofstream file(File(name), std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

  int Run(std::vector<std::string> arguments) {
    CommandLine line("tauprof", "", "");
    add_dump_command(line);
    add_check_command(line);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int exit_code = line.run(std::move(arguments));
    out_ = testing::internal::GetCapturedStdout();
    errors_ = testing::internal::GetCapturedStderr();
    return exit_code;
  }

  ScratchFile scratch_;
  std::filesystem::path folder_;
  std::string out_;
  std::string errors_;
};

TEST_F(DumpCheckTest, DumpPrintsOneLinePerRecord) {
  WriteLog("a.tauprof");
  EXPECT_EQ(Run({"dump", File("a.tauprof")}), 0);
  EXPECT_EQ(
      out_,
      "# tauprof log version 1, clock monotonic, start_time_ns 1000000007, pid 4711, host \"node-1\", run \"job-42\"\n"
      "# columns that are 0 are left out\n"
      "string id=1 text=\"cudaMemcpyAsync\"\n"
      "string id=2 text=\"a\\\"\\x0a\\\\\"\n"
      "string id=3 text=\"buffer full\"\n"
      "string id=4 text=\"closed\"\n"
      "call thread=1 function=\"cudaMemcpyAsync\" start=1000 duration=250 correlation=7\n"
      "collective thread=1 start=1200 duration=30 correlation=8 communicator=5 sequence=1 operation=all_reduce "
      "datatype=bfloat16 count=4096\n"
      "mark thread=1 name=\"a\\\"\\x0a\\\\\" source=nvtx time=1100\n"
      "drop time=1300 kind=call count=17 reason=\"buffer full\"\n"
      "end time=2000 reason=\"closed\"\n");
  EXPECT_EQ(errors_, "");
}

TEST_F(DumpCheckTest, DumpSelectsAndLimits) {
  WriteLog("a.tauprof");
  EXPECT_EQ(Run({"dump", File("a.tauprof"), "--kind", "mark"}), 0);
  EXPECT_EQ(count_lines(out_), 3);
  EXPECT_EQ(Run({"dump", File("a.tauprof"), "--limit", "2"}), 0);
  EXPECT_EQ(count_lines(out_), 4);
  EXPECT_EQ(Run({"dump", File("a.tauprof"), "--kind", "nonsense"}), 2);
  EXPECT_TRUE(prints(errors_, "no record kind 'nonsense'"));
}

TEST_F(DumpCheckTest, DumpPrintsUnknownKindsByNumber) {
  Write("a.tauprof", forge_log(forge_header(), {ForgedBlock(777, 1, 0, {plain_column(4, {8})}).sealed()}));
  EXPECT_EQ(Run({"dump", File("a.tauprof"), "--kind", "kind#777"}), 0);
  EXPECT_TRUE(prints(out_, "kind#777 column#4=8\n"));
  EXPECT_TRUE(prints(errors_, "no end record"));
}

TEST_F(DumpCheckTest, DumpReportsDamageAndStillResolvesTexts) {
  WriteLog("a.tauprof");
  ByteVector bytes = read_bytes(File("a.tauprof"));
  bytes[place_blocks(bytes)[0].offset + 60] ^= 1;
  Write("a.tauprof", bytes);
  EXPECT_EQ(Run({"dump", File("a.tauprof")}), 0);
  EXPECT_TRUE(prints(errors_, "# damage at byte 320"));
  EXPECT_TRUE(prints(errors_, "# 4 records lost"));
  EXPECT_TRUE(prints(out_, "function=\"cudaMemcpyAsync\""));
  EXPECT_TRUE(prints(out_, "(recap)"));
}

TEST_F(DumpCheckTest, DumpRefusesAFileThatIsNoLog) {
  EXPECT_EQ(Run({"dump", File("missing")}), 3);
  EXPECT_TRUE(prints(errors_, "no such file"));
}

TEST_F(DumpCheckTest, CheckPassesWholeLogs) {
  WriteLog("a.tauprof");
  WriteLog("b.tauprof");
  Write("notes.txt", {'x'});
  EXPECT_EQ(Run({"check", folder_.string()}), 0);
  EXPECT_EQ(count_lines(out_), 2);
  EXPECT_TRUE(prints(out_, File("a.tauprof") + ": ok; 8 blocks, 9 records read; the recorder dropped 17 (buffer full)"))
      << out_;
}

TEST_F(DumpCheckTest, CheckFindsDamage) {
  WriteLog("a.tauprof");
  WriteLog("b.tauprof");
  Damage("b.tauprof", 1);
  EXPECT_EQ(Run({"check", folder_.string()}), 4);
  EXPECT_TRUE(prints(out_, "b.tauprof: damaged: 1 place, ")) << out_;
}

TEST_F(DumpCheckTest, CheckFindsLogsCutShort) {
  {
    log::Writer writer;
    ASSERT_TRUE(writer.open(File("a.tauprof").c_str(), sample_header()));
  }
  EXPECT_EQ(Run({"check", File("a.tauprof")}), 4);
  EXPECT_TRUE(prints(out_, "cut short: no end record")) << out_;
}

TEST_F(DumpCheckTest, CheckNamesAFileThatIsNoLog) {
  Write("notes.txt", {'x'});
  EXPECT_EQ(Run({"check", File("notes.txt")}), 3);
  EXPECT_EQ(out_, File("notes.txt") + ": not a tauprof log\n");
  WriteLog("a.tauprof");
  EXPECT_EQ(Run({"check", File("notes.txt"), File("a.tauprof")}), 4);
  EXPECT_EQ(count_lines(out_), 2);
}

TEST_F(DumpCheckTest, CheckNamesAFolderWithoutLogs) {
  EXPECT_EQ(Run({"check", folder_.string()}), 3);
  EXPECT_TRUE(prints(out_, "has no *.tauprof files")) << out_;
}

}  // namespace
}  // namespace tauprof
