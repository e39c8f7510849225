// The cost of collecting records for a program, with the option cupti_disturbs. Only the simulator promises this. Each
// test compares blocks of one process, by its thread's CPU clock or by the device's: others may use the machine as
// they like.
#include <time.h>

#include <string>

#include "cupti_client.h"

using namespace cupti_test;

namespace {

double seconds_on(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void compute(std::chrono::microseconds length) {
  const double until = seconds_on(CLOCK_THREAD_CPUTIME_ID) + static_cast<double>(length.count()) * 1e-6;
  while (seconds_on(CLOCK_THREAD_CPUTIME_ID) < until) {
  }
}

}  // namespace

class SimulatedDisturbance : public CuptiTest {
 protected:
  void SetUp() override {}
  void disturb(const std::string& options) {
    const char* const given = std::getenv("SIMGPU_OPTIONS");
    setenv("SIMGPU_OPTIONS", ((given ? given + std::string(",") : "") + "jitter=0," + options).c_str(), 1);
    CuptiTest::SetUp();
  }
  void collect() {
    enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    enable(CUPTI_ACTIVITY_KIND_MEMSET);
  }
  void stop_collecting() {
    for (const auto kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMSET})
      EXPECT_CUPTI(cuptiActivityDisable(kind));
  }

  // CPU time of a loop that is bound by its host, by its fastest millisecond: what a virtual machine takes from its
  // processors counts as the thread's.
  double host_bound_loop(int passes = 500) {
    constexpr int kPart = 10;
    double least = 1e9;
    for (int done = 0; done < passes; done += kPart) {
      EXPECT_CUDA(cudaDeviceSynchronize());
      const double start = seconds_on(CLOCK_THREAD_CPUTIME_ID);
      for (int i = 0; i < kPart; ++i) {
        compute(100us);
        set_memory();
      }
      least = std::min(least, seconds_on(CLOCK_THREAD_CPUTIME_ID) - start);
    }
    return least / kPart * passes;
  }

  // In a wide band: a busy machine makes CPU time longer, too, and records have a price of their own.
  static void expect_factor(double seen, double factor) {
    EXPECT_GT(seen, factor * 0.7);
    EXPECT_LT(seen, factor * 1.4);
  }

  // Device time from the first to the end of the last of `count` kernels, the host being ahead.
  float device_time(int count, std::chrono::nanoseconds length) {
    cudaEvent_t events[2];
    for (cudaEvent_t& event : events) EXPECT_CUDA(cudaEventCreate(&event));
    spin(50ms);
    EXPECT_CUDA(cudaEventRecord(events[0]));
    for (int i = 0; i < count; ++i) spin(length);
    EXPECT_CUDA(cudaEventRecord(events[1]));
    EXPECT_CUDA(cudaDeviceSynchronize());
    float milliseconds = 0;
    EXPECT_CUDA(cudaEventElapsedTime(&milliseconds, events[0], events[1]));
    return milliseconds;
  }
};

TEST_F(SimulatedDisturbance, SlowsALoopThatIsBoundByItsHost) {
  disturb("cupti_disturbs=1,cupti_factor=2.5:2.5");
  host_bound_loop();
  const double before = host_bound_loop();
  collect();
  const double during = host_bound_loop();
  stop_collecting();
  const double after = host_bound_loop();
  expect_factor(during / before, 2.5);
  expect_factor(after / before, 1);
}

TEST_F(SimulatedDisturbance, ChangesItsFactor) {
  disturb("cupti_disturbs=1,cupti_state_ms=20:20");
  host_bound_loop();
  const double before = host_bound_loop(50);
  collect();
  double least = 100, most = 0;
  for (int i = 0; i < 60; ++i) {
    const double slowdown = host_bound_loop(20) / (before * 20 / 50);
    least = std::min(least, slowdown);
    most = std::max(most, slowdown);
  }
  EXPECT_LT(least, 1.7);
  EXPECT_GT(most, 1.3 * least);
}

TEST_F(SimulatedDisturbance, MayOutlastTheCollection) {
  disturb("cupti_disturbs=1,cupti_factor=2.5:2.5,cupti_outlasts_ms=60000");
  host_bound_loop();
  const double before = host_bound_loop();
  collect();
  host_bound_loop(10);
  stop_collecting();
  expect_factor(host_bound_loop() / before, 2.5);
}

TEST_F(SimulatedDisturbance, CostsALaunch) {
  disturb("cupti_disturbs=1,cupti_factor=1:1,cupti_launch_ns=200000");
  host_bound_loop();
  const double before = host_bound_loop(100);
  collect();
  const double a_launch = (host_bound_loop(100) - before) / 100;
  EXPECT_GT(a_launch, 150e-6);
  EXPECT_LT(a_launch, 350e-6);
}

TEST_F(SimulatedDisturbance, LeavesSleepsAndWaitsAlone) {
  disturb("cupti_disturbs=1,cupti_factor=100:100");
  collect();
  const auto wait = [&] {
    set_memory();
    const timespec nap{0, 50'000'000};
    nanosleep(&nap, nullptr);
    spin(50ms);
    EXPECT_CUDA(cudaDeviceSynchronize());
  };
  wait();
  const double start = seconds_on(CLOCK_MONOTONIC);
  wait();
  EXPECT_LT(seconds_on(CLOCK_MONOTONIC) - start, 1);
}

TEST_F(SimulatedDisturbance, HardlySlowsALoopThatIsBoundByItsDevice) {
  disturb("cupti_disturbs=1");
  const float before = device_time(50, 2ms);
  collect();
  EXPECT_NEAR(device_time(50, 2ms) / before, 1, 0.01);
}

TEST_F(SimulatedDisturbance, PausesTheDeviceBetweenKernels) {
  disturb("cupti_disturbs=1,cupti_factor=1:1");
  const float before = device_time(200, 20us);
  collect();
  EXPECT_NEAR((device_time(200, 20us) - before) / 200 * 1e6, 650, 30) << "ns a kernel";
}

TEST_F(SimulatedDisturbance, IsOffUnlessItIsAskedFor) {
  disturb("cupti_factor=2.5:2.5");
  host_bound_loop();
  const double before = host_bound_loop();
  collect();
  expect_factor(host_bound_loop() / before, 1);
}
