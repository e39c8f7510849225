// Does device work, waits, and ends in the given way: ends WAY ROUNDS [MILLISECONDS].
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

#include "device_work.h"

namespace {

void end_by(const std::string& way) {
  std::printf("ends by %s\n", way.c_str());
  if (way == "_exit") {
    std::fflush(stdout);
    _exit(3);
  }
  if (way == "exit") std::exit(4);
  if (way == "quick_exit") {
    std::fflush(stdout);
    std::quick_exit(5);
  }
  std::fflush(stdout);
  if (way == "abort") std::abort();
  if (way == "segv") raise(SIGSEGV);
  if (way == "term") raise(SIGTERM);
  if (way == "kill") raise(SIGKILL);
  if (way == "thread") std::thread([] { std::exit(6); }).join();
}

}  // namespace

int main(int count, char** arguments) {
  const std::string way = count > 1 ? arguments[1] : "return";
  const int rounds = count > 2 ? std::atoi(arguments[2]) : 1;
  programs::DeviceWork work;
  work.rounds(rounds);
  if (count > 3) std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(arguments[3])));
  end_by(way);
  return 0;
}
