// Puts a filter on its own thread, after its first calls, that kills it for system calls that it never makes, and works
// on: filtered NUMBER|all [WAY]. `all`: for every system call but the two that the program makes from then on, write and
// exit_group. Work that comes in bursts, with silences between them, does not fit into the buffers that there were.
//
//   unreadable  before, a filter refuses to read memory by a system call
//   asks        asks for the library of a tool afterwards, as NVTX does
//   vfork       a child of vfork() fails to replace itself afterwards
#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include "counted_calls.h"

namespace {

constexpr auto kKills = SECCOMP_RET_KILL_PROCESS, kPasses = SECCOMP_RET_ALLOW;

void answer(std::vector<sock_filter>& code, int number, unsigned what) {
  code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 1));
  code.push_back(BPF_STMT(BPF_RET | BPF_K, what));
}

std::vector<sock_filter> start_filter() { return {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))}; }

bool install(std::vector<sock_filter> code, unsigned otherwise) {
  code.push_back(BPF_STMT(BPF_RET | BPF_K, otherwise));
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

bool install(const char* killed) {
  const bool is_all = std::strcmp(killed, "all") == 0;
  std::vector<sock_filter> code = start_filter();
  if (is_all) {
    answer(code, SYS_write, kPasses);
    answer(code, SYS_exit_group, kPasses);
  } else {
    answer(code, std::atoi(killed), kKills);
  }
  return install(code, is_all ? kKills : kPasses);
}

bool refuse_to_read_memory() {
  std::vector<sock_filter> code = start_filter();
  answer(code, SYS_process_vm_readv, SECCOMP_RET_ERRNO | EPERM);
  return install(code, kPasses);
}

// As the NVTX of a program: it goes on where it is told of no tool.
[[gnu::noinline]] void ask_for_a_tool() {
  const char* const tool = std::getenv("NVTX_INJECTION64_PATH");
  if (tool == nullptr) return;
  void* const library = dlopen(tool, RTLD_LAZY);
  if (library == nullptr || dlsym(library, "InitializeInjectionNvtx2") == nullptr) std::printf("no such tool\n");
}

void fail_in_a_child() {
  const pid_t child = vfork();
  if (child == 0) {
    execl("/nonexistent", "nonexistent", nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("the child's status: %d\n", WEXITSTATUS(status));
}

// Without a system call: the clock is read in user space.
void spin_ms(int milliseconds) {
  timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1'000'000 < milliseconds);
}

// Functions that this thread has not called before.
void call_others() {
  cudaEvent_t event;
  cudaStream_t stream;
  cudaEventCreate(&event);
  cudaStreamCreate(&stream);
  cudaEventRecord(event, stream);
  cudaEventDestroy(event);
  cudaStreamDestroy(stream);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  const std::string way = count > 2 ? arguments[2] : "";
  programs::use_device();
  programs::make_calls_slowly(20);
  std::printf("works\n");  // makes the stream's buffer
  std::fflush(stdout);
  if (way == "unreadable" && !refuse_to_read_memory()) return 3;
  if (!install(arguments[1])) return 3;
  if (way == "asks") ask_for_a_tool();
  if (way == "vfork") fail_in_a_child();
  for (int i = 0; i < 8; ++i) {
    programs::make_calls(20'000);
    spin_ms(60);
    if (i == 4) call_others();
  }
  programs::print_calls();
  syscall(SYS_exit_group, 7);
}
