// NVML: initialisation, handles, what devices report, errors.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <nvml.h>

#include <string>

namespace {

class NvmlTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(nvmlInit(), NVML_SUCCESS);
    ASSERT_EQ(nvmlDeviceGetHandleByIndex(0, &device_), NVML_SUCCESS);
  }
  void TearDown() override { EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS); }

  nvmlDevice_t device_ = nullptr;
};

// "NVML_ERROR_UNINITIALIZED if the library has not been successfully initialized".
TEST(Nvml, NothingIsServedBeforeInitialisation) {
  unsigned int count = 0;
  EXPECT_EQ(nvmlDeviceGetCount(&count), NVML_ERROR_UNINITIALIZED);
  EXPECT_EQ(nvmlShutdown(), NVML_ERROR_UNINITIALIZED);
}

// A program that loads the library itself looks up the names without a version.
TEST(Nvml, TheOldNamesServe) {
  using Plain = nvmlReturn_t (*)();
  using Count = nvmlReturn_t (*)(unsigned int*);
  const auto init = reinterpret_cast<Plain>(dlsym(RTLD_DEFAULT, "nvmlInit"));
  const auto device_count = reinterpret_cast<Count>(dlsym(RTLD_DEFAULT, "nvmlDeviceGetCount"));
  ASSERT_TRUE(init != nullptr && device_count != nullptr);
  EXPECT_EQ(init(), NVML_SUCCESS);
  unsigned int count = 0;
  EXPECT_EQ(device_count(&count), NVML_SUCCESS);
  EXPECT_GE(count, 1u);
  EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS);
}

// "A reference count of the number of initializations is maintained. Shutdown only occurs when the reference count
// reaches zero".
TEST_F(NvmlTest, InitialisationsAreCounted) {
  unsigned int count = 0;
  EXPECT_EQ(nvmlInit(), NVML_SUCCESS);
  EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetCount(&count), NVML_SUCCESS);
  EXPECT_GE(count, 1u);
}

TEST_F(NvmlTest, AHandleIsFoundByUuidAndByBus) {
  char uuid[NVML_DEVICE_UUID_V2_BUFFER_SIZE];
  nvmlPciInfo_t pci;
  nvmlDevice_t found = nullptr;
  ASSERT_EQ(nvmlDeviceGetUUID(device_, uuid, sizeof uuid), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetHandleByUUID(uuid, &found), NVML_SUCCESS);
  EXPECT_EQ(found, device_);
  ASSERT_EQ(nvmlDeviceGetPciInfo(device_, &pci), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetHandleByPciBusId(pci.busId, &found), NVML_SUCCESS);
  EXPECT_EQ(found, device_);
  EXPECT_EQ(nvmlDeviceGetHandleByUUID("GPU-00000000-0000-0000-0000-000000000000", &found), NVML_ERROR_NOT_FOUND);
}

// "NVML_ERROR_INVALID_ARGUMENT if device is invalid or … is NULL".
TEST_F(NvmlTest, WrongArgumentsAreRefused) {
  unsigned int count = 0, value = 0;
  ASSERT_EQ(nvmlDeviceGetCount(&count), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetHandleByIndex(count, &device_), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlDeviceGetPowerUsage(nullptr, &value), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlDeviceGetPowerUsage(device_, nullptr), NVML_ERROR_INVALID_ARGUMENT);
}

// "NVML_ERROR_INSUFFICIENT_SIZE if length is too small".
TEST_F(NvmlTest, ATextThatDoesNotFitIsRefused) {
  char name[4];
  EXPECT_EQ(nvmlDeviceGetName(device_, name, sizeof name), NVML_ERROR_INSUFFICIENT_SIZE);
}

TEST_F(NvmlTest, AnIdleDeviceReportsPlausibleValues) {
  unsigned int power = 0, limit = 0, degrees = 0, clock = 0, highest = 0;
  nvmlMemory_t memory;
  EXPECT_EQ(nvmlDeviceGetPowerUsage(device_, &power), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetEnforcedPowerLimit(device_, &limit), NVML_SUCCESS);
  EXPECT_LT(power, limit);
  EXPECT_EQ(nvmlDeviceGetTemperature(device_, NVML_TEMPERATURE_GPU, &degrees), NVML_SUCCESS);
  EXPECT_LT(degrees, 90u);
  EXPECT_EQ(nvmlDeviceGetClockInfo(device_, NVML_CLOCK_SM, &clock), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetMaxClockInfo(device_, NVML_CLOCK_SM, &highest), NVML_SUCCESS);
  EXPECT_LE(clock, highest);
  EXPECT_EQ(nvmlDeviceGetMemoryInfo(device_, &memory), NVML_SUCCESS);
  EXPECT_EQ(memory.used + memory.free, memory.total);
}

// The second version of the call checks the "Structure format version".
TEST_F(NvmlTest, TheVersionOfAStructIsChecked) {
  nvmlMemory_v2_t memory{};
  EXPECT_EQ(nvmlDeviceGetMemoryInfo_v2(device_, &memory), NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
  memory.version = nvmlMemory_v2;
  EXPECT_EQ(nvmlDeviceGetMemoryInfo_v2(device_, &memory), NVML_SUCCESS);
}

}  // namespace
