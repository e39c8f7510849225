// Built with a sanitizer, whose report changes the exit status: sanitized WAY. Works on several threads, then ends: by
// `return`, `_exit` or `_Exit`, with a fork, or with a fault of the program's own that the sanitizer must still find
// (`leaks`, `overflows`, `races`). `variables`: the threads change the environment meanwhile, one at a time.
#include <sys/wait.h>
#include <unistd.h>

#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "device_work.h"

namespace {

constexpr int kThreads = 4, kRounds = 50;

std::mutex g_environment;

// Sets a variable of the thread's own, asks for it, and for one by which tools are loaded.
void use_environment(int thread, int round) {
  const std::lock_guard lock(g_environment);
  const std::string name = "VARIABLE_" + std::to_string(thread), value = std::to_string(round);
  setenv(name.c_str(), value.c_str(), 1);
  const char* const found = std::getenv(name.c_str());
  if (found == nullptr || found != value || std::getenv("CUDA_INJECTION64_PATH") != nullptr)
    std::printf("wrong values\n");
  if (round % 7 == 0) clearenv();
}

void work_on_threads(bool uses_environment) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([=] {
      programs::DeviceWork work;
      for (int round = 0; round < kRounds; ++round) {
        if (uses_environment) use_environment(i, round);
        work.round();
      }
    });
  for (auto& thread : threads) thread.join();
}

int status_of_child() {
  const pid_t child = fork();
  if (child == 0) _exit(5);
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

__attribute__((noinline)) void leak() {
  auto* volatile lost = new int[1000];
  lost = nullptr;
  (void)lost;
}

__attribute__((noinline)) void overflow() {
  std::vector<int> numbers(4);
  int* volatile first = numbers.data();
  first[4] = 1;
}

volatile int g_shared;

void write_often() {
  for (int i = 0; i < 100'000; ++i) g_shared = i;
}

// Writes alone, and so one report; so many that ThreadSanitizer, which remembers the last few, misses none.
void race() {
  std::thread other(write_often);
  write_often();
  other.join();
}

}  // namespace

int main(int count, char** arguments) {
  const std::string way = count > 1 ? arguments[1] : "";
  programs::DeviceWork().round();  // CUDA starts on one thread
  work_on_threads(way == "variables");
  if (way == "leaks") leak();
  if (way == "overflows") overflow();
  if (way == "races") race();
  std::printf("%d rounds\n", kThreads * kRounds + 1);
  std::fflush(stdout);
  if (way == "_exit") _exit(3);
  if (way == "_Exit") std::_Exit(4);
  if (way == "forks") return status_of_child();
  return 0;
}
