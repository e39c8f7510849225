// main leaves by pthread_exit; a thread goes on, and the process ends when it does: leaves_main WAY [MICROSECONDS].
//
//   worker  the thread was there before the first call
//   silent  likewise, but it makes no call
//   late    the thread starts after main has made calls, and starts another one that ends last
//   pauses  the thread makes more calls when none has been made for seven seconds, and more than a buffer holds
//   during  a thread with a name of its own starts while another one is in its first call, MICROSECONDS after it began
//
// Standard output is not flushed, and an exit handler prints: both belong to a usual end.
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

#include "counted_calls.h"

namespace {

void say_goodbye() { std::printf("%ld calls at exit\n", programs::calls_made.load()); }

void work() {
  programs::make_calls_slowly(30);
  std::printf("worker ends\n");
}

void start_worker_and_leave(void (*worker)()) {
  std::thread(worker).detach();
  pthread_exit(nullptr);
}

void work_after_a_pause() {
  programs::make_calls_slowly(10);
  sleep(7);
  for (int i = 0; i < 20; ++i) {
    programs::make_calls(10'000);
    usleep(50'000);
  }
  std::printf("worker ends\n");
}

void start_another() {
  programs::make_calls_slowly(10);
  std::thread(work).detach();
}

// Reports whether the thread started within the first call: elsewhere the test has not tested anything.
void start_during_first_call(int microseconds) {
  static std::atomic<bool> has_begun, has_ended;
  std::thread([] {
    has_begun = true;
    programs::use_device();
    has_ended = true;
  }).detach();
  while (!has_begun) {
  }
  usleep(static_cast<useconds_t>(microseconds));
  std::printf("%s\n", has_ended ? "missed" : "during the first call");
  std::thread([] {
    pthread_setname_np(pthread_self(), "data-writer");
    usleep(700'000);
    std::printf("worker ends\n");
    std::exit(7);  // a driver's threads may go on
  }).detach();
  pthread_exit(nullptr);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string way = count > 1 ? arguments[1] : "worker";
  std::atexit(say_goodbye);
  if (way == "during") start_during_first_call(count > 2 ? std::atoi(arguments[2]) : 2000);
  programs::use_device();
  programs::make_calls(10);
  if (way == "pauses") start_worker_and_leave(work_after_a_pause);
  if (way == "silent") start_worker_and_leave([] { usleep(500'000); });
  start_worker_and_leave(way == "late" ? start_another : work);
}
