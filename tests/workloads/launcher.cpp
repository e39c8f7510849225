// See launcher.h.
#include "launcher.h"

#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace training {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD};
constexpr timespec kGrace{5, 0};  // from SIGTERM to SIGKILL

int free_port() {
  const int socket_fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  bind(socket_fd, reinterpret_cast<sockaddr*>(&address), size);
  getsockname(socket_fd, reinterpret_cast<sockaddr*>(&address), &size);
  close(socket_fd);
  return ntohs(address.sin_port);
}

void set_rank_variables(int rank, int ranks, int port) {
  const auto set = [](const char* name, const std::string& value) { setenv(name, value.c_str(), 1); };
  set("RANK", std::to_string(rank));
  set("LOCAL_RANK", std::to_string(rank));
  set("GROUP_RANK", "0");
  set("WORLD_SIZE", std::to_string(ranks));
  set("LOCAL_WORLD_SIZE", std::to_string(ranks));
  set("MASTER_ADDR", "127.0.0.1");
  set("MASTER_PORT", std::to_string(port));
}

class Job {
 public:
  explicit Job(const sigset_t& before) : mask_before_(before) {}

  void start(int rank, int ranks, int port, char** arguments) {
    const pid_t launcher = getpid();
    const pid_t pid = fork();
    if (pid < 0) {
      std::perror("training: fork");
      fail(1);
    } else if (pid > 0) {
      running_.push_back(pid);
    } else {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != launcher) _exit(1);
      sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
      set_rank_variables(rank, ranks, port);
      execv("/proc/self/exe", arguments);
      _exit(127);
    }
  }

  int wait_for_all(const sigset_t& signals) {
    while (!running_.empty()) {
      siginfo_t info;
      const int signal = sigtimedwait(&signals, &info, status_ == 0 ? nullptr : &kGrace);
      if (signal < 0) pass_on(SIGKILL);
      if (signal > 0 && signal != SIGCHLD) pass_on(signal);
      reap();
    }
    return status_;
  }

 private:
  void pass_on(int signal) const {
    for (const pid_t pid : running_) kill(pid, signal);
  }

  void fail(int status) {
    if (status_ != 0) return;
    status_ = status;
    pass_on(SIGTERM);
  }

  void reap() {
    int how = 0;
    for (pid_t pid = waitpid(-1, &how, WNOHANG); pid > 0; pid = waitpid(-1, &how, WNOHANG)) {
      std::erase(running_, pid);
      const int status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
      if (status != 0) fail(status);
    }
  }

  sigset_t mask_before_;
  std::vector<pid_t> running_;
  int status_ = 0;
};

}  // namespace

int launch_ranks(int ranks, char** arguments) {
  sigset_t signals, before;
  sigemptyset(&signals);
  for (const int signal : kSignals) sigaddset(&signals, signal);
  sigprocmask(SIG_BLOCK, &signals, &before);
  Job job(before);
  const int port = free_port();
  for (int rank = 0; rank < ranks; ++rank) job.start(rank, ranks, port, arguments);
  return job.wait_for_all(signals);
}

}  // namespace training
