// The driver's own threads, as a process with a real driver has them.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "fresh_process.h"
#include "simgpu/engine/device.h"

namespace simgpu {
namespace {

using namespace std::chrono_literals;

std::string first_line(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// The folders in /proc of this process's threads that have the name of the driver's.
std::vector<std::filesystem::path> driver_threads() {
  std::vector<std::filesystem::path> found;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
    if (first_line(task.path() / "comm") == "cuda-EvtHandlr") found.push_back(task.path());
  return found;
}

// A thread gives itself its name.
size_t count_once_named(size_t expected) {
  for (int i = 0; i < 500 && driver_threads().size() != expected; ++i) std::this_thread::sleep_for(10ms);
  return driver_threads().size();
}

std::string blocked_signals(const std::filesystem::path& task) {
  std::ifstream file(task / "status");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("SigBlk:", 0) == 0) return line.substr(line.find_first_not_of(" \t", 7));
  return {};
}

TEST(DriverThreadsTest, AThreadIsThereFromTheFirstContextOn) {
  expect_in_fresh_process({}, [] {
    device_count();
    EXPECT_EQ(driver_threads().size(), 0u);
    context_of(0);
    EXPECT_EQ(count_once_named(1), 1u);
    context_of(1);
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(driver_threads().size(), 1u);
  });
}

TEST(DriverThreadsTest, NoHandlerOfTheProgramRunsThere) {
  expect_in_fresh_process({}, [] {
    context_of(0);
    ASSERT_EQ(count_once_named(1), 1u);
    // All but SIGKILL, SIGSTOP and the two that the C library keeps for itself.
    EXPECT_EQ(blocked_signals(driver_threads()[0]), "fffffffe7ffbfeff");
  });
}

TEST(DriverThreadsTest, AnOptionSaysHowMany) {
  expect_in_fresh_process({{"SIMGPU_OPTIONS", "driver_threads=2"}}, [] {
    context_of(0);
    EXPECT_EQ(count_once_named(2), 2u);
  });
}

TEST(DriverThreadsTest, AForkedChildHasNone) {
  expect_in_fresh_process({}, [] {
    context_of(0);
    const pid_t child = fork();
    if (child == 0) {
      context_of(1);
      std::this_thread::sleep_for(50ms);
      _exit(static_cast<int>(driver_threads().size()));
    }
    int status = -1;
    ASSERT_EQ(child, waitpid(child, &status, 0));
    EXPECT_EQ(status, 0);
    EXPECT_EQ(count_once_named(1), 1u);
  });
}

// Whether a process with a context goes on when its only thread of its own has ended, for a while at least.
bool stays_without_its_own_threads() {
  const pid_t child = fork();
  if (child == 0) {
    context_of(0);
    syscall(SYS_exit, 0);  // the system call in which pthread_exit ends
  }
  std::this_thread::sleep_for(500ms);
  const bool stays = waitpid(child, nullptr, WNOHANG) == 0;
  if (stays) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  return stays;
}

TEST(DriverThreadsTest, AProcessStaysBecauseOfThem) {
  expect_in_fresh_process({}, [] { EXPECT_TRUE(stays_without_its_own_threads()); });
  expect_in_fresh_process({{"SIMGPU_OPTIONS", "driver_threads=0"}},
                          [] { EXPECT_FALSE(stays_without_its_own_threads()); });
}

}  // namespace
}  // namespace simgpu
