// Ends in ways that are hard for a library with a thread and locks of its own: last_moments WAY. Prints how many
// cudaMemsetAsync calls it has made.
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "device_work.h"

namespace {

programs::DeviceWork* g_work;
std::atomic<int> g_rounds;

void rounds(int count) {
  for (int i = 0; i < count; ++i) {
    g_work->round();
    ++g_rounds;
  }
}

void print_rounds() {
  std::printf("%d rounds\n", g_rounds.load());
  std::fflush(stdout);
}

void late_work() {
  rounds(40);
  print_rounds();
}

void exit_in_handler(int) { std::_Exit(7); }
void full_exit_in_handler(int) { std::exit(8); }

// Interrupts the main thread, which is busy with calls, after some milliseconds.
void interrupt_with(void (*handler)(int), int microseconds) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval timer{{0, 0}, {0, microseconds}};
  setitimer(ITIMER_REAL, &timer, nullptr);
  for (;;) rounds(1);
}

void leave_main_to_a_thread() {
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    late_work();
  }).detach();
  pthread_exit(nullptr);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string way = count > 1 ? arguments[1] : "";
  if (way == "late_calls") std::atexit(late_work);  // before the first call, so it runs after the recorder's handler
  g_work = new programs::DeviceWork;
  rounds(20);
  const int microseconds = count > 2 ? std::atoi(arguments[2]) : 20'000;
  if (way == "pthread_exit") leave_main_to_a_thread();
  if (way == "_exit_in_handler") interrupt_with(exit_in_handler, microseconds);
  if (way == "exit_in_handler") interrupt_with(full_exit_in_handler, microseconds);
  if (way != "late_calls") print_rounds();
  if (way == "_exit") _exit(3);
  return 0;
}
