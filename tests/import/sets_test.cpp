// Imports of several files: ranks, runs, names, and what is missing.
#include <set>

#include "import/imported_log.h"

namespace tauprof::kineto {
namespace {

class SetsTest : public ImportTest {
 protected:
  // A trace of `rank` that starts at `second`.
  void add(std::string_view name, int rank, int world, int second) {
    scratch_.write(std::string("set/") + std::string(name),
                   R"({"distributedInfo": {"rank": )" + std::to_string(rank) + R"(, "world_size": )" +
                       std::to_string(world) + R"(}, "traceEvents": [)" +
                       event("a", std::to_string(1700000000 + second) + "000000") + "]}");
  }
  std::string set() { return scratch_.path("set"); }
  std::string run_of(size_t log) { return ImportedLog(summary_.logs.at(log)).header().run_id; }
};

TEST_F(SetsTest, AMissingRankIsNamed) {
  for (int rank : {0, 1, 3}) add("rank-" + std::to_string(rank) + ".json", rank, 4, 0);
  ASSERT_TRUE(import_source(set()).is_ok());
  EXPECT_EQ(summary_.ranks, 3u);
  EXPECT_TRUE(said("ranks 0,1,3 of world 4: rank 2 is missing"));
}

TEST_F(SetsTest, TwoCyclesAreTwoRuns) {
  add("a.json", 0, 2, 70);
  add("b.json", 0, 2, 10);
  add("c.json", 1, 2, 11);
  add("d.json", 1, 2, 71);
  ASSERT_TRUE(import_source(set()).is_ok());
  EXPECT_EQ(summary_.runs, 2u);
  EXPECT_EQ(run_of(0), run_of(3));
  EXPECT_EQ(run_of(1), run_of(2));
  EXPECT_NE(run_of(0), run_of(1));
  EXPECT_TRUE(summary_.messages.empty());
}

TEST_F(SetsTest, LogsAreNeverOverwritten) {
  add("rank-0.json", 0, 1, 0);
  ASSERT_TRUE(import_source(set()).is_ok());
  const std::string first_run = run_of(0);
  ASSERT_TRUE(import_again(set()).is_ok());
  EXPECT_TRUE(summary_.logs.at(0).ends_with("/rank-0-2.tauprof"));
  EXPECT_NE(run_of(0), first_run);
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(scratch_.path("out"))) {
    EXPECT_EQ(entry.path().extension(), ".tauprof");
    ++files;
  }
  EXPECT_EQ(files, 2u);
}

TEST_F(SetsTest, ARankMayComeFromTheFileName) {
  scratch_.write("set/worker5_x.json", "[" + event("a") + "]");
  ASSERT_TRUE(import_source(set()).is_ok());
  const ImportedLog log(summary_.logs.at(0));
  EXPECT_EQ(log.records<log::Process>().at(0).rank, 5);
  EXPECT_EQ(log.attributes().at("rank_source"), "file name");
  EXPECT_TRUE(said("does not say its rank"));
}

TEST_F(SetsTest, ARankMayComeFromTheOrderOfTheFiles) {
  scratch_.write("set/x.json", "[" + event("a") + "]");
  scratch_.write("set/y.json", "[" + event("a") + "]");
  ASSERT_TRUE(import_source(set()).is_ok());
  EXPECT_EQ(ImportedLog(summary_.logs.at(1)).records<log::Process>().at(0).rank, 1);
  EXPECT_EQ(ImportedLog(summary_.logs.at(1)).attributes().at("rank_source"), "file order");
}

TEST_F(SetsTest, BadFilesDoNotStopTheImportOfOthers) {
  add("rank-0.json", 0, 2, 0);
  scratch_.write("set/rank-1.json", "binary");
  scratch_.write("set/notes.txt", "not looked at");
  ASSERT_TRUE(import_source(set()).is_ok());
  EXPECT_EQ(summary_.logs.size(), 1u);
  EXPECT_EQ(summary_.failed_files, 1u);
  EXPECT_TRUE(said("rank-1.json: not JSON"));
}

TEST_F(SetsTest, AnImportOfNothingIsAnError) {
  scratch_.write("set/notes.txt", "");
  const Status none = import_source(set());
  EXPECT_NE(none.message().find("holds no traces"), std::string::npos);
  const Status missing = import_source(scratch_.path("nowhere"));
  EXPECT_NE(missing.message().find("No such file"), std::string::npos) << missing.message();
}

TEST_F(SetsTest, TheDirectoryIsPrivate) {
  add("rank-0.json", 0, 1, 0);
  summary_ = {};
  ASSERT_TRUE(import_kineto({set()}, scratch_.path("out/deep/er/"), summary_).is_ok());
  const auto mode = std::filesystem::status(scratch_.path("out/deep/er")).permissions();
  EXPECT_EQ(mode, std::filesystem::perms::owner_all);
}

}  // namespace
}  // namespace tauprof::kineto
