// Starts the ranks. Contains `main` for the test and for the ranks.
#include "rank_processes.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "rank_setup.h"

namespace {

constexpr int kSkipped = 77;
constexpr auto kPause = std::chrono::milliseconds(1);
constexpr int kTimeoutSeconds = 60;

std::map<std::string, RankBody>& bodies() {
  static std::map<std::string, RankBody> all;
  return all;
}

pid_t start_rank(const std::string& body, int rank, int ranks, const std::string& folder, bool shall_die) {
  const pid_t child = fork();
  if (child != 0) return child;
  if (shall_die) unsetenv("SIMGPU_TRUTH");  // its truth would lack the end
  setenv("NCCL_TEST_BODY", body.c_str(), 1);
  setenv("NCCL_TEST_FOLDER", folder.c_str(), 1);
  setenv("NCCL_TEST_RANK", std::to_string(rank).c_str(), 1);
  setenv("NCCL_TEST_RANKS", std::to_string(ranks).c_str(), 1);
  execl("/proc/self/exe", "nccl_test", nullptr);
  _exit(127);
}

int run_body() {
  const RankPlace place{std::atoi(std::getenv("NCCL_TEST_RANK")), std::atoi(std::getenv("NCCL_TEST_RANKS")),
                        std::getenv("NCCL_TEST_FOLDER")};
  alarm(kTimeoutSeconds);
  if (!has_devices(place.ranks)) return kSkipped;
  bodies().at(std::getenv("NCCL_TEST_BODY"))(place);
  return testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed() ? 1 : 0;
}

std::string make_folder() {
  std::string folder = std::filesystem::temp_directory_path() / "nccl-test-XXXXXX";
  return mkdtemp(folder.data()) ? folder : std::string();
}

}  // namespace

RankBodyRegistration::RankBodyRegistration(const char* name, RankBody body) { bodies()[name] = body; }

void RankProcesses::run(const std::string& body, int ranks, const std::vector<int>& killed) {
  const std::string folder = make_folder();
  ASSERT_FALSE(folder.empty());
  std::vector<pid_t> children;
  const auto shall_die = [&](int rank) { return std::find(killed.begin(), killed.end(), rank) != killed.end(); };
  for (int rank = 0; rank < ranks; ++rank) {
    children.push_back(start_rank(body, rank, ranks, folder, shall_die(rank)));
  }
  bool is_skipped = false;
  for (int rank = 0; rank < ranks; ++rank) {
    int status = 0;
    ASSERT_EQ(waitpid(children[rank], &status, 0), children[rank]);
    const bool skips = WIFEXITED(status) && WEXITSTATUS(status) == kSkipped;
    is_skipped = is_skipped || skips;
    if (skips) continue;
    if (shall_die(rank)) {
      EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << body << " on rank " << rank;
    } else {
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
          << body << " on rank " << rank << ", status " << status;
    }
  }
  std::filesystem::remove_all(folder);
  if (is_skipped) GTEST_SKIP() << "fewer than " << ranks << " GPUs";
}

void RankPlace::announce(const std::string& what) const { std::ofstream(folder + "/" + what) << rank; }

bool RankPlace::is_announced(const std::string& what) const { return std::filesystem::exists(folder + "/" + what); }

void RankPlace::await(const std::string& what) const {
  while (!is_announced(what)) std::this_thread::sleep_for(kPause);
}

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  return std::getenv("NCCL_TEST_BODY") ? run_body() : RUN_ALL_TESTS();
}
