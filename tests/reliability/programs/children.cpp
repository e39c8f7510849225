// A process that is number 1 of its PID namespace, as in a container, has children that are number 1 of theirs:
//
//   children fork    a child by a raw clone: it ends by exit(), at once
//   children shared  a child that shares the parent's memory until it ends by _exit()
//
// Prints how long the child took to end, if more than a second.
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "counted_calls.h"

namespace {

int leave(void*) { _exit(4); }

pid_t start_child(bool is_shared) {
  alignas(16) static char stack[64 << 10];
  if (is_shared) return clone(leave, stack + sizeof stack, CLONE_VM | CLONE_VFORK | CLONE_NEWPID | SIGCHLD, nullptr);
  const auto child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD | CLONE_NEWPID, 0, 0, 0, 0));
  if (child == 0) std::exit(4);
  return child;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  programs::use_device();
  programs::make_calls_slowly(20);
  std::fflush(stdout);
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = start_child(std::strcmp(arguments[1], "shared") == 0);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return 3;
  if (std::chrono::steady_clock::now() - start > std::chrono::seconds(1)) std::printf("the child ended late\n");
  std::printf("number %d, child's status %d\n", getpid(), WEXITSTATUS(status));
  programs::make_calls_slowly(40);
  return programs::print_calls();
}
