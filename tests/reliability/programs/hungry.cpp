// Takes from the recorder all the memory that it gives: hungry FILE WAY. WAY is
//   names    60,000 NVTX ranges with names of their own, up to 1,000 bytes long
//   threads  1,500 live threads, each with an open NVTX range, then bursts of calls on six of them
//   nothing
//   stacks   40,000 calls, each from a place of its own in the program (TAUPROF_STACKS=all)
// FILE gets the bytes of memory that belong to the process alone, of its files none.
#include <nvtx3/nvToolsExt.h>
#include <unistd.h>

#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "device_work.h"

namespace {

constexpr int kNames = 60'000;
constexpr int kThreads = 1500;
constexpr int kBusy = 6;
constexpr int kBurst = 4000;
constexpr int kStacks = 40'000;

cudaEvent_t g_event;

void use_names() {
  for (int i = 0; i < kNames; ++i) {
    const std::string name = std::string(static_cast<size_t>(i % 1000), 'x') + std::to_string(i);
    nvtxRangePushA(name.c_str());
    nvtxRangePop();
    if (i % 1000 == 0) usleep(1000);
  }
}

// Calls of which CUPTI has no records: its memory is not the recorder's.
void call(int times) {
  float ms;
  for (int i = 0; i < times; ++i) cudaEventElapsedTime(&ms, g_event, g_event);
}

void use_threads() {
  std::barrier together(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      nvtxRangePushA("thread");
      call(1);
      together.arrive_and_wait();
      for (int round = 0; i < kBusy && round < 20; ++round) {
        call(kBurst);
        usleep(2000);
      }
      together.arrive_and_wait();
      nvtxRangePop();
    });
  for (std::thread& thread : threads) thread.join();
}

// Each path through these functions is a stack of its own: a bit of `path` chooses the caller.
using Step = void (*)(unsigned path, int depth);
void left(unsigned path, int depth);
void right(unsigned path, int depth);

[[gnu::noinline]] void go(unsigned path, int depth) {
  if (depth == 0) return call(1);
  volatile Step next = (path & 1) != 0 ? left : right;
  next(path >> 1, depth - 1);
  asm volatile("");  // no tail call
}
[[gnu::noinline]] void left(unsigned path, int depth) {
  go(path, depth);
  asm volatile("");
}
[[gnu::noinline]] void right(unsigned path, int depth) {
  go(path, depth);
  asm volatile("");
}

void use_stacks() {
  for (unsigned i = 0; i < kStacks; ++i) {
    go(i, 16);
    if (i % 1000 == 0) usleep(1000);
  }
}

long own_bytes() {
  std::ifstream file("/proc/self/smaps_rollup");
  std::string name;
  long kilobytes = 0;
  while (file >> name)
    if (name == "Anonymous:") file >> kilobytes;
  return kilobytes * 1024;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const std::string_view way = arguments[2];
  programs::DeviceWork work;
  work.rounds(100);
  programs::check(cudaEventCreate(&g_event), "cudaEventCreate");
  programs::check(cudaEventRecord(g_event), "cudaEventRecord");
  programs::check(cudaEventSynchronize(g_event), "cudaEventSynchronize");
  if (way == "names") use_names();
  if (way == "threads") use_threads();
  if (way == "stacks") use_stacks();
  usleep(300'000);
  std::ofstream(arguments[1]) << own_bytes() << "\n";
  std::printf("%s\n", arguments[2]);
  return 0;
}
