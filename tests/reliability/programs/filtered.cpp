// Puts a filter on its own thread, after its first calls, that kills it for system calls that it never makes, and works
// on: filtered NUMBER|all. `all`: for every system call but the two that the program makes from then on, write and
// exit_group. Work that comes in bursts, with silences between them, does not fit into the buffers that there were.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>
#include <vector>

#include "counted_calls.h"

namespace {

constexpr auto kKills = SECCOMP_RET_KILL_PROCESS, kPasses = SECCOMP_RET_ALLOW;

void answer(std::vector<sock_filter>& code, int number, unsigned what) {
  code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 1));
  code.push_back(BPF_STMT(BPF_RET | BPF_K, what));
}

bool install(const char* killed) {
  const bool is_all = std::strcmp(killed, "all") == 0;
  std::vector<sock_filter> code = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  if (is_all) {
    answer(code, SYS_write, kPasses);
    answer(code, SYS_exit_group, kPasses);
  } else {
    answer(code, std::atoi(killed), kKills);
  }
  code.push_back(BPF_STMT(BPF_RET | BPF_K, is_all ? kKills : kPasses));
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
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
  programs::use_device();
  programs::make_calls_slowly(20);
  std::printf("works\n");  // makes the stream's buffer
  std::fflush(stdout);
  if (!install(arguments[1])) return 3;
  for (int i = 0; i < 8; ++i) {
    programs::make_calls(20'000);
    spin_ms(60);
    if (i == 4) call_others();
  }
  programs::print_calls();
  syscall(SYS_exit_group, 7);
}
