// Does a round of device work now and then until a file appears, or for a time: steady FILE SECONDS [PAUSE_US].
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "device_work.h"

// A thread of CUPTI has no business in a process in which nothing is recorded.
static void print_threads() {
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::ifstream(task.path() / "comm") >> name;
    if (name.starts_with("cupti")) std::printf("a thread of CUPTI runs\n");
  }
}

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(std::atof(arguments[2]));
  programs::DeviceWork work;
  std::puts("works");
  std::fflush(stdout);
  int rounds = 0;
  while (access(arguments[1], F_OK) != 0 && std::chrono::steady_clock::now() < until) {
    work.round();
    ++rounds;
    std::this_thread::sleep_for(std::chrono::microseconds(count > 3 ? std::atoi(arguments[3]) : 2000));
  }
  print_threads();
  std::printf("%d rounds\n", rounds);
  return 0;
}
