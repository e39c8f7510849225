// Forks children while other threads push NVTX ranges with ever new names; each child pushes some, too, and ends:
// forks_while_busy COUNT. Prints how many children did not end within five seconds.
#include <nvtx3/nvToolsExt.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "device_work.h"

namespace {

constexpr unsigned kPatience = 5;

void push_new_ranges(const std::string& prefix, int count) {
  for (int i = 0; i < count; ++i) {
    nvtxRangePushA((prefix + std::to_string(i)).c_str());
    nvtxRangePop();
  }
}

bool child_ends() {
  const pid_t child = fork();
  if (child == 0) {
    alarm(kPatience);
    push_new_ranges("child ", 10);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  programs::DeviceWork work;
  work.rounds(1);
  push_new_ranges("first ", 1);  // NVTX has no answer to a fork while it looks for its tool
  std::atomic<bool> is_over = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&is_over, i] {
      for (int round = 0; !is_over; ++round)
        push_new_ranges(std::to_string(i) + " " + std::to_string(round) + " ", 100);
    });
  int hung = 0;
  for (int i = 0; i < std::atoi(arguments[1]) && hung == 0; ++i) hung += !child_ends();
  is_over = true;
  for (std::thread& thread : threads) thread.join();
  std::printf("%d children hung\n", hung);
  std::fflush(stdout);
  return 0;
}
