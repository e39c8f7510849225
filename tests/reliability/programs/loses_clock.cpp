// One of its threads gives up what the recorder needs, or asks for what the kernel refuses, after some calls:
// loses_clock WAY. Then it goes on making calls, and so do the first thread and a new one.
//
//   strict, strict_by_seccomp      strict mode, which takes the time stamp counter as well
//   no_clock, no_clock_by_syscall  PR_TSC_SIGSEGV, by prctl() and by syscall()
//   refused                        filters and modes that the kernel refuses
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <map>
#include <string>
#include <thread>

#include "counted_calls.h"

namespace {

bool seccomp(unsigned operation, unsigned long flags, const void* argument) {
  return syscall(SYS_seccomp, operation, flags, argument) == 0;
}

// How many were taken.
int ask_for_what_is_refused() {
  constexpr unsigned long kNoSuchFlag = 1ul << 20;
  sock_filter kills[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};
  sock_filter invalid[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS), BPF_STMT(0xffff, 0)};
  sock_filter passes[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog filter{1, kills}, empty{0, kills}, wrong{2, invalid}, harmless{1, passes};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return seccomp(SECCOMP_SET_MODE_FILTER, kNoSuchFlag, &filter) +
         seccomp(SECCOMP_SET_MODE_FILTER, kNoSuchFlag | SECCOMP_FILTER_FLAG_TSYNC, &filter) +
         seccomp(SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &empty) +
         seccomp(SECCOMP_SET_MODE_FILTER, 0, &wrong) + seccomp(SECCOMP_SET_MODE_STRICT, 1, nullptr) +
         (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &wrong) == 0) +
         (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &harmless) != 0) +
         (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0) == 0) + seccomp(SECCOMP_SET_MODE_STRICT, 0, nullptr);
}

const std::map<std::string, bool (*)()> kWays = {
    {"strict", [] { return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0) == 0; }},
    {"strict_by_seccomp", [] { return seccomp(SECCOMP_SET_MODE_STRICT, 0, nullptr); }},
    {"no_clock", [] { return prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) == 0; }},
    {"no_clock_by_syscall", [] { return syscall(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) == 0; }},
    {"refused", [] { return ask_for_what_is_refused() == 0; }},
};

std::atomic<int> result{-1};

// Does not end: in strict mode it could do so by one system call alone.
void lose(bool (*way)()) {
  programs::make_calls_slowly(5);
  const bool is_done = way();
  if (is_done) programs::make_calls(2000);
  result = is_done;
  while (true) {
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  programs::use_device();
  programs::make_calls_slowly(20);
  std::thread(lose, kWays.at(arguments[1])).detach();
  while (result < 0) usleep(1000);
  if (result == 0) {
    std::printf("not possible: %s\n", arguments[1]);
    _exit(0);
  }
  programs::make_calls_slowly(20);
  std::thread(programs::make_calls, 10).join();
  programs::print_calls();
  _exit(7);
}
