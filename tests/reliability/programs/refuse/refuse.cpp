// Runs a command and refuses system calls of libtauprof.so in it and in its children; the program's own calls all pass:
//
//   refuse REPORT SYSCALL[,SYSCALL…] ERRNO WHEN COMMAND [ARGUMENT…]
//
// Calls for the descriptor of stderr pass as well: without it the recorder cannot say what it lacks. So do those for
// stdout: where the process ends on a thread of the recorder's, the C library writes there what the program has printed.
//
// WHEN says which of the recorder's calls fail: `N` the Nth, `N-M` from the Nth to the Mth, `N-` from the Nth on, or
// `SEED:PERCENT` at random. REPORT gets a line "COUNT made COUNT refused", and one for each refused call. The exit
// status is the command's; 77 where the system has no user notification.
//
// The command runs under a seccomp filter that hands these system calls to this process, which answers whether they
// fail or go on.
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "library_calls.h"

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)  // headers before Linux 5.19
#endif

namespace {

constexpr int kNotAvailable = 77;

struct SystemCall {
  const char* name;
  std::vector<int> numbers;
};

const SystemCall kSystemCalls[] = {
    {"openat", {SYS_openat, SYS_open}},
    {"read", {SYS_read, SYS_pread64}},
    {"write", {SYS_write, SYS_pwrite64, SYS_writev}},
    {"mmap", {SYS_mmap}},
    {"munmap", {SYS_munmap}},
    {"mprotect", {SYS_mprotect}},
    {"clone", {SYS_clone, SYS_clone3}},
    {"prctl", {SYS_prctl}},
    {"madvise", {SYS_madvise}},
    {"stat", {SYS_fstat, SYS_newfstatat, SYS_statx, SYS_stat, SYS_lstat}},
    {"close", {SYS_close, SYS_close_range}},
    {"process_vm_readv", {SYS_process_vm_readv}},
    {"getdents", {SYS_getdents64}},
    {"unshare", {SYS_unshare}},
    {"readlink", {SYS_readlink, SYS_readlinkat}},
    {"access", {SYS_access, SYS_faccessat, SYS_faccessat2}},
    {"mkdir", {SYS_mkdir, SYS_mkdirat}},
    {"rename", {SYS_rename, SYS_renameat, SYS_renameat2}},
    {"unlink", {SYS_unlink, SYS_unlinkat}},
    {"ftruncate", {SYS_ftruncate, SYS_fallocate}},
    {"fcntl", {SYS_fcntl, SYS_dup, SYS_dup2, SYS_dup3}},
    {"clock", {SYS_clock_gettime}},
    {"sched", {SYS_sched_getaffinity, SYS_sched_setaffinity, SYS_sched_getscheduler, SYS_getpriority, SYS_setpriority}},
    {"limits", {SYS_prlimit64, SYS_getrlimit, SYS_getrusage, SYS_sysinfo, SYS_uname}},
    {"socket", {SYS_socket, SYS_connect}},
};

std::vector<int> numbers_of(const std::string& names) {
  std::vector<int> numbers;
  for (size_t start = 0; start <= names.size();) {
    const size_t end = std::min(names.find(',', start), names.size());
    const std::string name = names.substr(start, end - start);
    bool is_known = false;
    for (const SystemCall& call : kSystemCalls)
      if (name == call.name) {
        is_known = true;
        numbers.insert(numbers.end(), call.numbers.begin(), call.numbers.end());
      }
    if (!is_known) {
      std::fprintf(stderr, "refuse: unknown system call %s\n", name.c_str());
      std::exit(2);
    }
    start = end + 1;
  }
  return numbers;
}

// Which of the recorder's calls fail.
class Choice {
 public:
  explicit Choice(const std::string& text) {
    const size_t colon = text.find(':'), dash = text.find('-');
    if (colon != std::string::npos) {
      random_.seed(static_cast<unsigned>(std::atol(text.c_str())));
      percent_ = std::atoi(text.c_str() + colon + 1);
      return;
    }
    first_ = last_ = std::atol(text.c_str());
    if (dash != std::string::npos) last_ = dash + 1 < text.size() ? std::atol(text.c_str() + dash + 1) : LONG_MAX;
  }

  bool is_refused() {
    ++made_;
    const bool is_chosen =
        percent_ > 0 ? static_cast<int>(random_() % 100) < percent_ : first_ <= made_ && made_ <= last_;
    refused_ += is_chosen;
    return is_chosen;
  }
  long made() const { return made_; }
  long refused() const { return refused_; }

 private:
  std::mt19937 random_;
  int percent_ = 0;
  long first_ = 0, last_ = 0, made_ = 0, refused_ = 0;
};

int install_filter(const std::vector<int>& numbers) {
  std::vector<sock_filter> code = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const int number : numbers) {
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 1));
    code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF));
  }
  code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  // Signals that end nobody wait until the call is answered, as they would for a call that takes no time.
  for (const unsigned flags :
       {SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, SECCOMP_FILTER_FLAG_NEW_LISTENER}) {
    const long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    if (listener >= 0 || errno != EINVAL) return static_cast<int>(listener);
  }
  return -1;
}

// Where the two processes meet: a system call of the child's may wait for an answer of the parent's already.
struct Meeting {
  std::atomic<int> listener{0};
  std::atomic<bool> is_taken{false};
};

[[noreturn]] void run_command(Meeting& meeting, const std::vector<int>& numbers, char** command) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a command that hangs does not outlive a test
  if (geteuid() != 0) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const int listener = install_filter(numbers);
  meeting.listener = listener >= 0 ? listener : -errno;
  if (listener < 0) _exit(kNotAvailable);
  while (!meeting.is_taken) __builtin_ia32_pause();
  execvp(command[0], command);  // closes the listener
  std::perror(command[0]);
  _exit(127);
}

// The parent's descriptor of the child's listener; -1 where there is none.
int take_listener(Meeting& meeting, int child) {
  while (meeting.listener == 0) usleep(100);
  if (meeting.listener < 0) {
    std::fprintf(stderr, "refuse: no user notification: %s\n", std::strerror(-meeting.listener));
    return -1;
  }
  const int listener = static_cast<int>(syscall(SYS_pidfd_getfd, child, meeting.listener.load(), 0));
  if (listener < 0) std::perror("refuse: pidfd_getfd");
  meeting.is_taken = true;
  return listener;
}

// Whether the call asks something of descriptor 1 or 2, with that as its first argument.
bool is_for_output(const seccomp_data& call) {
  constexpr int kOfDescriptors[] = {SYS_write, SYS_writev, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_fcntl};
  return std::find(std::begin(kOfDescriptors), std::end(kOfDescriptors), call.nr) != std::end(kOfDescriptors) &&
         (static_cast<int>(call.args[0]) == STDOUT_FILENO || static_cast<int>(call.args[0]) == STDERR_FILENO);
}

void answer(int listener, int error, Choice& choice, FILE* report) {
  seccomp_notif asked{};
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) return;  // the thread was killed meanwhile
  const auto thread = static_cast<pid_t>(asked.pid);
  seccomp_notif_resp response{asked.id, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE};
  if (!is_for_output(asked.data) && refuse::is_call_of_recorder(thread) && choice.is_refused()) {
    std::fprintf(report, "%ld: %d of %s\n", choice.made(), asked.data.nr, refuse::name_of(thread).c_str());
    response.flags = 0;
    response.error = -error;
  }
  ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

void supervise(int listener, int child, int error, Choice& choice, FILE* report) {
  pollfd waited[] = {{listener, POLLIN, 0}, {child, POLLIN, 0}};
  while (poll(waited, 2, -1) >= 0 || errno == EINTR) {
    if (waited[0].revents & POLLIN)
      answer(listener, error, choice, report);
    else if (waited[1].revents || waited[0].revents & POLLHUP)
      return;
  }
}

// Ends as the command did.
int end_like(int status) {
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  std::signal(WTERMSIG(status), SIG_DFL);
  std::raise(WTERMSIG(status));
  return 128 + WTERMSIG(status);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 6) return 2;
  const std::vector<int> numbers = numbers_of(arguments[2]);
  const int error = std::atoi(arguments[3]);
  Choice choice(arguments[4]);
  FILE* const report = std::fopen(arguments[1], "we");
  if (report == nullptr) return 2;
  auto* const meeting =
      new (mmap(nullptr, sizeof(Meeting), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Meeting;
  const pid_t command = fork();
  if (command == 0) run_command(*meeting, numbers, arguments + 5);
  const int child = static_cast<int>(syscall(SYS_pidfd_open, command, 0));
  const int listener = take_listener(*meeting, child);
  if (listener >= 0) supervise(listener, child, error, choice, report);
  std::fprintf(report, "%ld made %ld refused\n", choice.made(), choice.refused());
  std::fclose(report);
  int status = 0;
  while (waitpid(command, &status, 0) < 0 && errno == EINTR) {
  }
  return end_like(status);
}
