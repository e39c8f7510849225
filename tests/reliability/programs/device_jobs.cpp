// Jobs that are hard on whoever records what the device does: device_jobs WAY [SECONDS].
//
//   backlog   64 streams with 500 sets each wait behind a host function, longer than any buffer can
//   hang      200 sets end, then a stream waits for ever: prints "hangs" and waits to be killed
//   busy      the device is never idle: prints "works" and goes on for SECONDS
//   leave     exits while work is under way
//   graph     launches a graph with a copy and a set
//   client    a profiler that no hook sees takes CUPTI, and frees every buffer that it gets, as Proton does
//   copy      the same with the copy of CUPTI in the file LIBRARY. Both print their records of sets and rounds of work
#include <cupti.h>
#include <dlfcn.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include "device_work.h"

namespace {

using programs::check;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kBytes = std::size_t{1} << 20;
std::atomic<bool> g_is_open{false};

void wait_until_open(void*) {
  while (!g_is_open) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

cudaStream_t new_stream() {
  cudaStream_t stream;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return stream;
}

char* new_memory(std::size_t bytes) {
  void* memory;
  check(cudaMalloc(&memory, bytes), "cudaMalloc");
  return static_cast<char*>(memory);
}

void set(char* memory, std::size_t bytes, cudaStream_t stream) {
  check(cudaMemsetAsync(memory, 1, bytes, stream), "cudaMemsetAsync");
}

void backlog() {
  char* const memory = new_memory(kBytes);
  for (int i = 0; i < 64; ++i) {
    const cudaStream_t stream = new_stream();
    check(cudaLaunchHostFunc(stream, wait_until_open, nullptr), "cudaLaunchHostFunc");
    for (int k = 0; k < 500; ++k) set(memory, 4096, stream);
  }
  g_is_open = true;
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  std::puts("done");
}

void hang() {
  char* const memory = new_memory(kBytes);
  const cudaStream_t stream = new_stream();
  for (int i = 0; i < 200; ++i) set(memory, 4096, stream);
  check(cudaLaunchHostFunc(stream, wait_until_open, nullptr), "cudaLaunchHostFunc");
  for (int i = 0; i < 3; ++i) set(memory, 4096, stream);
  std::puts("hangs");
  std::fflush(stdout);
  cudaStreamSynchronize(stream);
}

// A set of 2 GB takes about half a millisecond.
void busy(double seconds) {
  constexpr std::size_t kMany = std::size_t{2} << 30;
  char* const memory = new_memory(kMany);
  const cudaStream_t stream = new_stream();
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  set(memory, kMany, stream);
  std::puts("works");
  std::fflush(stdout);
  cudaEvent_t passed[2];
  for (cudaEvent_t& event : passed) check(cudaEventCreate(&event), "cudaEventCreate");
  for (int round = 0; Clock::now() < end; ++round) {
    for (int i = 0; i < 20; ++i) set(memory, kMany, stream);
    check(cudaEventRecord(passed[round % 2], stream), "cudaEventRecord");
    check(cudaEventSynchronize(passed[(round + 1) % 2]), "cudaEventSynchronize");
  }
}

void graph() {
  char* const memory = new_memory(kBytes);
  const cudaStream_t stream = new_stream();
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
  set(memory, 4096, stream);
  check(cudaMemcpyAsync(memory + 4096, memory, 4096, cudaMemcpyDeviceToDevice, stream), "cudaMemcpyAsync");
  check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
  for (int i = 0; i < 10; ++i) check(cudaGraphLaunch(executable, stream), "cudaGraphLaunch");
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  std::puts("done");
}

// ---- The client ----

void CUPTIAPI request(uint8_t** buffer, size_t* size, size_t* most_records) {
  *size = 1 << 16;
  *most_records = 0;
  *buffer = static_cast<uint8_t*>(aligned_alloc(8, *size));
}

decltype(&cuptiActivityGetNextRecord) g_next_record;
std::atomic<int> g_records{0};

void CUPTIAPI complete(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid) {
  CUpti_Activity* record = nullptr;
  while (g_next_record(buffer, valid, &record) == CUPTI_SUCCESS)
    g_records += record->kind == CUPTI_ACTIVITY_KIND_MEMSET;
  std::free(buffer);
}

// By dlsym alone: a reference to the function would bind to a hook.
#define CUPTI(name) reinterpret_cast<decltype(&name)>(dlsym(library, #name))

int work_for(double seconds) {
  programs::DeviceWork work;
  int rounds = 0;
  for (const auto end = Clock::now() + std::chrono::duration<double>(seconds); Clock::now() < end;) {
    work.round();
    ++rounds;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return rounds;
}

void client(const char* file) {
  work_for(0.3);
  // By then nobody else has records of it, in buffers that this client would get.
  std::this_thread::sleep_for(std::chrono::seconds(1));
  void* const library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) std::_Exit(3);
  g_next_record = CUPTI(cuptiActivityGetNextRecord);
  CUPTI(cuptiActivityRegisterCallbacks)(request, complete);
  CUPTI(cuptiActivityEnable)(CUPTI_ACTIVITY_KIND_MEMSET);
  int rounds = work_for(0.3);
  CUPTI(cuptiActivityFlushAll)(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  rounds += work_for(3.2);
  CUPTI(cuptiActivityDisable)(CUPTI_ACTIVITY_KIND_MEMSET);
  CUPTI(cuptiActivityFlushAll)(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  std::printf("%d sets in %d rounds\n", g_records.load(), rounds);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string way = count > 1 ? arguments[1] : "";
  const double seconds = count > 2 ? std::atof(arguments[2]) : 1;
  if (way == "backlog") backlog();
  if (way == "hang") hang();
  if (way == "busy") busy(seconds), check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  if (way == "leave") busy(seconds);
  if (way == "graph") graph();
  if (way == "client") client("libcupti.so.13");
  if (way == "copy") client(arguments[2]);
  std::fflush(stdout);
  return 0;
}
