// Interrupts what the recorder does beside the program: interrupted WAY [MICROSECONDS]. Prints what became of it, and how
// many calls it has made.
//
//   cancel  the process's first call is made by a thread that is to be cancelled; another one goes on
//   fork    a child is forked while another thread walks the loader's list; it closes a library and asks for a tool
//   execs   four threads try in vain to replace the process, some times each, and it goes on
//   leave   a signal handler leaves the process's first call, MICROSECONDS after its start, by siglongjmp
//   slow    threads make calls while another one is in the process's first call for more than a second
//   first   on one processor, the program's thread runs before all others (SCHED_FIFO)
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "counted_calls.h"

namespace {

void* call_cancelled(void* has_survived) {
  pthread_cancel(pthread_self());
  programs::use_device();
  *static_cast<bool*>(has_survived) = true;
  pthread_testcancel();
  return nullptr;
}

void cancel_first_call() {
  bool has_survived = false;
  pthread_t thread;
  pthread_create(&thread, nullptr, call_cancelled, &has_survived);
  pthread_join(thread, nullptr);
  std::printf("the first call %s\n", has_survived ? "returned" : "was cancelled");
}

std::atomic<bool> walks, may_end;

void fork_under_the_list() {
  programs::use_device();
  void* const library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
  std::thread walker([] {
    dl_iterate_phdr(
        [](dl_phdr_info*, size_t, void*) {
          walks = true;
          while (!may_end) usleep(1000);
          return 1;
        },
        nullptr);
  });
  while (!walks) usleep(1000);
  const pid_t child = fork();
  if (child == 0) {
    alarm(5);
    dlclose(library);
    _exit(std::getenv("NVTX_INJECTION64_PATH") == nullptr ? 4 : 5);
  }
  int status = 0;
  waitpid(child, &status, 0);
  may_end = true;
  walker.join();
  std::printf("the child's status %x\n", static_cast<unsigned>(status));
}

void exec_in_vain() {
  programs::use_device();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] {
      for (int j = 0; j < 20; ++j) execl("/nonexistent", "nonexistent", nullptr);
    });
  for (std::thread& thread : threads) thread.join();
}

std::chrono::milliseconds time_of(void (*work)()) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
}

sigjmp_buf outside;

void leave_first_call(int microseconds) {
  signal(SIGALRM, [](int) { siglongjmp(outside, 1); });
  const itimerval after{{0, 0}, {0, microseconds}};
  if (sigsetjmp(outside, 1) == 0) {
    setitimer(ITIMER_REAL, &after, nullptr);
    for (;;) programs::use_device();
  }
  const auto time = time_of([] {
    for (int i = 0; i < 3; ++i) programs::use_device();
    std::thread(programs::use_device).join();
  });
  std::printf("later calls were %s\n", time > std::chrono::milliseconds(700) ? "slow" : "quick");
}

void call_during_first_call() {
  std::thread first(programs::use_device);
  usleep(50'000);
  std::thread other(programs::make_calls_slowly, 200);
  first.join();
  other.join();
}

void run_before_others() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  constexpr sched_param kHigh{50};
  if (sched_setaffinity(0, sizeof one, &one) != 0 || sched_setscheduler(0, SCHED_FIFO, &kHigh) != 0) {
    std::printf("not possible\n");
    std::exit(0);
  }
  const auto time = time_of([] {
    programs::use_device();
    for (int i = 0; i < 20; ++i) programs::make_calls(500);
  });
  std::printf("the calls were %s\n", time > std::chrono::milliseconds(700) ? "slow" : "quick");
}

}  // namespace

int main(int count, char** arguments) {
  const std::string way = count > 1 ? arguments[1] : "";
  if (way == "cancel") cancel_first_call();
  if (way == "fork") fork_under_the_list();
  if (way == "execs") exec_in_vain();
  if (way == "leave" && count > 2) leave_first_call(std::atoi(arguments[2]));
  if (way == "slow") call_during_first_call();
  if (way == "first") run_before_others();
  programs::make_calls(1000);
  return programs::print_calls();
}
