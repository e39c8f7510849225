// Signals are received by waiting for them, not with handlers, so the command inherits the blocked and ignored signals
// with which this process was started.
#include "cli/child_command.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace tauprof {
namespace {

constexpr int kForwarded[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGCONT, SIGWINCH};

sigset_t awaited_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  for (const int number : kForwarded) sigaddset(&signals, number);
  return signals;
}

// The signal state to restore in the command.
struct SignalState {
  sigset_t mask;
  struct sigaction child_action;
};

[[noreturn]] void become(const std::vector<std::string>& command, const SignalState& before, int error_pipe) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  sigaction(SIGCHLD, &before.child_action, nullptr);
  sigprocmask(SIG_SETMASK, &before.mask, nullptr);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  if (write(error_pipe, &error, sizeof error) != sizeof error) _exit(126);
  _exit(127);
}

// The terminal sends its signals to the whole process group, so the command has received those already.
bool is_sent_by_process(const siginfo_t& signal) { return signal.si_code <= 0; }

int wait_and_forward_signals(pid_t child, const sigset_t& awaited) {
  for (int status; true;) {
    siginfo_t signal;
    const int number = sigwaitinfo(&awaited, &signal);
    if (number == SIGCHLD) {
      if (waitpid(child, &status, WNOHANG) != child) continue;
      return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    if (number > 0 && is_sent_by_process(signal) && signal.si_pid != child) kill(child, number);
  }
}

}  // namespace

CommandOutcome run_command(const std::vector<std::string>& command) {
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) return {.start_error = errno};
  SignalState before;
  struct sigaction waited_for = {};
  waited_for.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &waited_for, &before.child_action);
  const sigset_t awaited = awaited_signals();
  sigprocmask(SIG_BLOCK, &awaited, &before.mask);
  const pid_t child = fork();
  if (child == 0) become(command, before, pipe_ends[1]);
  const int fork_error = child < 0 ? errno : 0;
  close(pipe_ends[1]);
  int start_error = fork_error;
  if (fork_error == 0 && read(pipe_ends[0], &start_error, sizeof start_error) != sizeof start_error) start_error = 0;
  close(pipe_ends[0]);
  CommandOutcome outcome{.start_error = start_error};
  if (child > 0) outcome.status = wait_and_forward_signals(child, awaited);
  sigprocmask(SIG_SETMASK, &before.mask, nullptr);
  sigaction(SIGCHLD, &before.child_action, nullptr);
  return outcome;
}

}  // namespace tauprof
