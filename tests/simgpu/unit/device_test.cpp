#include "simgpu/engine/device.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "fresh_process.h"

namespace simgpu {
namespace {

TEST(DeviceTest, IndicesReorderAndHideDevices) {
  expect_in_fresh_process({{"CUDA_VISIBLE_DEVICES", "5, 2"}}, [] {
    EXPECT_EQ(device_count(), 2);
    EXPECT_EQ(physical_device(0), 5);
    EXPECT_EQ(physical_device(1), 2);
  });
}

TEST(DeviceTest, DevicesBehindAnInvalidIndexAreInvisible) {
  expect_in_fresh_process({{"CUDA_VISIBLE_DEVICES", "1,99,2"}}, [] { EXPECT_EQ(device_count(), 1); });
  expect_in_fresh_process({{"CUDA_VISIBLE_DEVICES", "-1"}}, [] { EXPECT_EQ(device_count(), 0); });
}

TEST(DeviceTest, AnEmptyListHidesAll) {
  expect_in_fresh_process({{"CUDA_VISIBLE_DEVICES", ""}}, [] {
    EXPECT_EQ(device_count(), 0);
    EXPECT_EQ(set_current_device(0), cudaErrorNoDevice);
  });
}

TEST(DeviceTest, TheBeginningOfAUuidNamesADevice) {
  char beginning[16];
  const auto uuid = device_uuid(4);
  std::snprintf(beginning, sizeof beginning, "GPU-%02x%02x%02x%02x", uuid[0], uuid[1], uuid[2], uuid[3]);
  expect_in_fresh_process({{"CUDA_VISIBLE_DEVICES", beginning}}, [] {
    EXPECT_EQ(device_count(), 1);
    EXPECT_EQ(physical_device(0), 4);
  });
}

TEST(DeviceTest, OnlyExistingDevicesCanBeSet) {
  expect_in_fresh_process({{"SIMGPU_OPTIONS", "devices=2"}}, [] {
    EXPECT_EQ(current_device(), 0);
    EXPECT_EQ(set_current_device(2), cudaErrorInvalidDevice);
    EXPECT_EQ(set_current_device(-1), cudaErrorInvalidDevice);
    EXPECT_EQ(set_current_device(1), cudaSuccess);
    EXPECT_EQ(current_device(), 1);
  });
}

TEST(DeviceTest, ContextsAreNumberedInTheOrderOfFirstUse) {
  expect_in_fresh_process({}, [] {
    EXPECT_EQ(context_of(3), 1u);
    EXPECT_EQ(context_of(0), 2u);
    EXPECT_EQ(context_of(3), 1u);
  });
}

TEST(DeviceTest, TheFirstErrorSticks) {
  expect_in_fresh_process({}, [] {
    EXPECT_EQ(device_error(0), cudaSuccess);
    set_device_error(0, cudaErrorIllegalAddress);
    set_device_error(0, cudaErrorLaunchFailure);
    EXPECT_EQ(device_error(0), cudaErrorIllegalAddress);
    EXPECT_EQ(device_error(1), cudaSuccess);
  });
}

TEST(DeviceTest, AnIdleDeviceIsCoolAndAThrottledOneSlow) {
  expect_in_fresh_process({{"SIMGPU_OPTIONS", "throttle=1:0:1000:2"}}, [] {
    const DeviceHealth idle = device_health(0);
    const DeviceHealth throttled = device_health(1);
    EXPECT_EQ(idle.busy_fraction, 0);
    EXPECT_EQ(idle.power_w, device_profile().idle_power_w);
    EXPECT_FALSE(idle.throttled);
    EXPECT_TRUE(throttled.throttled);
    EXPECT_EQ(throttled.sm_clock_mhz, idle.sm_clock_mhz / 2);
    EXPECT_GT(throttled.temperature_c, idle.temperature_c);
  });
}

}  // namespace
}  // namespace simgpu
