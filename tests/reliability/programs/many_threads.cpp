// Threads that make a known number of calls: many_threads FILE WAY THREADS CALLS. FILE gets a line for each thread,
// with the kernel's id and the number of calls. WAY is
//
//   together   all threads live at once, and make their calls while all others wait or make theirs
//   in_turn    at most 50 live at once
//   busy       likewise together, in bursts that no recorder can follow, with device work between them
//   small      in turn, each on the smallest stack that a thread may have; not even main makes a call before
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

struct Way {
  bool is_together, is_busy;
  size_t stack_bytes;
};

constexpr size_t kUsualStack = 256 << 10;
constexpr unsigned kAtOnce = 50;
constexpr int kCallsInBurst = 4000;

Way way;
int calls;
cudaEvent_t event;
char* memory;
pthread_barrier_t barrier;

struct Thread {
  pthread_t handle;
  long id;
  int made;
};

void make_calls(Thread& self) {
  for (; self.made < calls; ++self.made) {
    const bool is_work = way.is_busy && self.made % kCallsInBurst > kCallsInBurst - 20;
    if (is_work)
      cudaMemsetAsync(memory, 0, 256, nullptr);
    else
      cudaEventQuery(event);
    if (way.is_busy && self.made % kCallsInBurst == 0) usleep(1000);
  }
}

void* run(void* argument) {
  Thread& self = *static_cast<Thread*>(argument);
  self.id = syscall(SYS_gettid);
  if (way.is_together) pthread_barrier_wait(&barrier);
  make_calls(self);
  if (way.is_together) pthread_barrier_wait(&barrier);
  return nullptr;
}

bool start(Thread& thread) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, way.stack_bytes);
  const int error = pthread_create(&thread.handle, &attributes, run, &thread);
  pthread_attr_destroy(&attributes);
  if (error != 0) std::printf("cannot start a thread: %s\n", std::strerror(error));
  return error == 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) return 2;
  way = {!std::strcmp(arguments[2], "together"), false, kUsualStack};
  if (!std::strcmp(arguments[2], "busy")) way = {true, true, kUsualStack};
  const bool is_small = !std::strcmp(arguments[2], "small");
  if (is_small) way.stack_bytes = static_cast<size_t>(sysconf(_SC_THREAD_STACK_MIN));
  std::vector<Thread> threads(std::atoi(arguments[3]));
  calls = std::atoi(arguments[4]);
  if (!is_small) {
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaMalloc(reinterpret_cast<void**>(&memory), 256);
  }
  pthread_barrier_init(&barrier, nullptr, static_cast<unsigned>(threads.size()));
  const size_t at_once = way.is_together ? threads.size() : std::min<size_t>(kAtOnce, threads.size());
  for (size_t first = 0; first < threads.size(); first += at_once) {
    const size_t end = std::min(first + at_once, threads.size());
    for (size_t i = first; i < end; ++i)
      if (!start(threads[i])) std::_Exit(1);
    for (size_t i = first; i < end; ++i) pthread_join(threads[i].handle, nullptr);
  }
  if (!is_small) cudaDeviceSynchronize();
  std::FILE* file = std::fopen(arguments[1], "w");
  long made = 0;
  for (const Thread& thread : threads) {
    std::fprintf(file, "%ld %d\n", thread.id, thread.made);
    made += thread.made;
  }
  std::fclose(file);
  std::printf("%ld calls\n", made);
  return 0;
}
