// Forks in the given way, with device work before and after: forks WAY.
//   idle      the child exits at once and runs its exit handlers
//   exec      the child executes a program that works, too
//   early     forks before the first use of a device; then both work
//   busy      forks while other threads work
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "device_work.h"

namespace {

constexpr int kRounds = 50;

int status_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

pid_t fork_idle_child() {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) std::exit(7);
  return child;
}

int fork_idle() {
  programs::DeviceWork work;
  work.rounds(kRounds);
  const int status = status_of(fork_idle_child());
  work.rounds(kRounds);
  return status == 7 ? 0 : 1;
}

int fork_and_exec(const char* self) {
  programs::DeviceWork work;
  work.rounds(kRounds);
  const pid_t child = fork();
  if (child == 0) {
    execl(self, self, "work", nullptr);
    _exit(127);
  }
  const int status = status_of(child);
  work.rounds(kRounds);
  return status;
}

int fork_early() {
  const pid_t child = fork();
  programs::DeviceWork work;
  work.rounds(kRounds);
  return child == 0 ? 0 : status_of(child);
}

int fork_while_busy() {
  std::atomic<bool> is_over = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      programs::DeviceWork work;
      while (!is_over) work.round();
    });
  int failed = 0;
  for (int i = 0; i < 20; ++i) failed += status_of(fork_idle_child()) != 7;
  is_over = true;
  for (std::thread& thread : threads) thread.join();
  return failed;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string way = count > 1 ? arguments[1] : "";
  if (way == "idle") return fork_idle();
  if (way == "exec") return fork_and_exec(arguments[0]);
  if (way == "early") return fork_early();
  if (way == "busy") return fork_while_busy();
  programs::DeviceWork().rounds(kRounds);
  return 0;
}
