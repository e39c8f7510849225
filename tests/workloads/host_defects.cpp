// See host_defects.h.
#include "host_defects.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <ctime>

#include "checks.h"

namespace training {
namespace {

// With two hogs this leaves the rank a twentieth of the CPU: a larger loss than other programs cause on a busy machine.
constexpr int kYielding = 10;

double cpu_time_ms() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

void CUDART_CB sleep_as_told(void* options) {
  const double ms = static_cast<const Options*>(options)->host_function_ms;
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(ms));
}

}  // namespace

CpuHogs::CpuHogs(const Disturbances& disturbances, int rank) : disturbances_(disturbances), rank_(rank) {
  const int most = static_cast<int>(largest_for(disturbances, rank));
  if (most == 0) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
  for (int number = 0; number < most; ++number) {
    threads_.emplace_back([this, number] { spin(number); });
    pthread_setname_np(threads_.back().native_handle(), "hog");
  }
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kYielding);
}

CpuHogs::~CpuHogs() {
  is_over_ = true;
  spinning_ = static_cast<int>(threads_.size());
  spinning_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void CpuHogs::start_step(int step) {
  if (threads_.empty()) return;
  spinning_ = static_cast<int>(value_for(disturbances_, rank_, step));
  spinning_.notify_all();
}

void CpuHogs::spin(int number) {
  while (!is_over_.load(std::memory_order_relaxed)) {
    const int spinning = spinning_.load(std::memory_order_relaxed);
    if (spinning <= number) spinning_.wait(spinning);
  }
}

void stall_host(const Options& options, int rank, int step) {
  const double ms = value_for(options.host_stall, rank, step);
  if (ms > 0) std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(ms));
  work_on_host(value_for(options.host_work, rank, step));
}

void hold_stream(const Options& options, cudaStream_t stream) {
  if (options.host_function_ms <= 0) return;
  check(cudaLaunchHostFunc(stream, sleep_as_told, const_cast<Options*>(&options)), "cudaLaunchHostFunc");
}

void work_on_host(double ms) {
  if (ms <= 0) return;
  for (const double end = cpu_time_ms() + ms; cpu_time_ms() < end;) {
  }
}

}  // namespace training
