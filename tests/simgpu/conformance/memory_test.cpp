// Memory: what kind an address is, what may be freed and how often, and how much is left.
#include <vector>

#include "device_objects.h"

namespace conformance {
namespace {

constexpr std::size_t kMegabyte = 1 << 20;

cudaMemoryType type_of(const void* address) {
  cudaPointerAttributes attributes{};
  EXPECT_CUDA(cudaPointerGetAttributes(&attributes, address));
  return attributes.type;
}

// Runtime, cudaMalloc: cudaErrorMemoryAllocation in case of failure. It is not sticky.
TEST(Memory, TooMuchIsRefusedAndNothingIsBroken) {
  void* memory = nullptr;
  EXPECT_EQ(cudaErrorMemoryAllocation, cudaMalloc(&memory, std::size_t{1} << 50));
  EXPECT_EQ(cudaErrorMemoryAllocation, cudaGetLastError());
  EXPECT_CUDA(cudaMalloc(&memory, kMegabyte));
  EXPECT_CUDA(cudaFree(memory));
}

// Runtime, cudaFree: if the pointer is null, no operation is performed.
TEST(Memory, FreeingNullIsNothing) {
  EXPECT_CUDA(cudaFree(nullptr));
  EXPECT_CUDA(cudaFreeHost(nullptr));
}

// The same: if cudaFree has already been called for the pointer, an error is returned: cudaErrorInvalidValue.
TEST(Memory, CannotBeFreedTwice) {
  void* memory = nullptr;
  ASSERT_CUDA(cudaMalloc(&memory, kMegabyte));
  ASSERT_CUDA(cudaFree(memory));
  EXPECT_EQ(cudaErrorInvalidValue, cudaFree(memory));
}

// The same: the pointer must have been returned by an allocation function.
TEST(Memory, OnlyItsStartCanBeFreed) {
  DeviceMemory memory(kMegabyte);
  std::vector<char> host(64);
  EXPECT_EQ(cudaErrorInvalidValue, cudaFree(memory.get() + 256));
  EXPECT_EQ(cudaErrorInvalidValue, cudaFree(host.data()));
}

// Runtime, cudaFreeHost: the pointer must have been returned by cudaMallocHost or cudaHostAlloc.
TEST(Memory, PinnedMemoryIsFreedOnceAndAsSuch) {
  void* memory = nullptr;
  DeviceMemory device(kMegabyte);
  ASSERT_CUDA(cudaHostAlloc(&memory, kMegabyte, cudaHostAllocDefault));
  EXPECT_CUDA(cudaFreeHost(memory));
  EXPECT_EQ(cudaErrorInvalidValue, cudaFreeHost(memory));
  EXPECT_EQ(cudaErrorInvalidValue, cudaFreeHost(device.get()));
}

// Runtime, cudaPointerGetAttributes: cudaMemoryTypeDevice for memory on a device, with the device that it is on.
TEST(PointerAttributes, OfDeviceMemory) {
  DeviceMemory memory(kMegabyte);
  for (char* address : {memory.get(), memory.get() + kMegabyte - 1}) {
    cudaPointerAttributes attributes{};
    ASSERT_CUDA(cudaPointerGetAttributes(&attributes, address));
    EXPECT_EQ(cudaMemoryTypeDevice, attributes.type);
    EXPECT_EQ(0, attributes.device);
    EXPECT_EQ(address, attributes.devicePointer);
    EXPECT_EQ(nullptr, attributes.hostPointer);
  }
}

// The same: cudaMemoryTypeHost for page-locked, cudaMemoryTypeManaged for managed, cudaMemoryTypeUnregistered for
// memory that CUDA does not know.
TEST(PointerAttributes, OfHostMemory) {
  PinnedMemory pinned(kMegabyte);
  std::vector<char> pageable(64);
  void* managed = nullptr;
  ASSERT_CUDA(cudaMallocManaged(&managed, kMegabyte, cudaMemAttachGlobal));
  EXPECT_EQ(cudaMemoryTypeHost, type_of(pinned.get() + 100));
  EXPECT_EQ(cudaMemoryTypeUnregistered, type_of(pageable.data()));
  EXPECT_EQ(cudaMemoryTypeManaged, type_of(managed));
  EXPECT_CUDA(cudaFree(managed));
}

TEST(PointerAttributes, OfFreedMemory) {
  void* memory = nullptr;
  ASSERT_CUDA(cudaMalloc(&memory, 64 * kMegabyte));
  ASSERT_CUDA(cudaFree(memory));
  EXPECT_EQ(cudaMemoryTypeUnregistered, type_of(memory));
}

// Runtime, cudaHostRegister: page-locks the range; cudaHostUnregister makes it pageable again.
// cudaErrorHostMemoryAlreadyRegistered and cudaErrorHostMemoryNotRegistered where that makes no sense.
TEST(HostRegister, MakesMemoryPinnedForAWhile) {
  std::vector<char> memory(4 * kMegabyte);
  ASSERT_CUDA(cudaHostRegister(memory.data(), memory.size(), cudaHostRegisterDefault));
  EXPECT_EQ(cudaMemoryTypeHost, type_of(memory.data() + 100));
  EXPECT_EQ(cudaErrorHostMemoryAlreadyRegistered,
            cudaHostRegister(memory.data(), memory.size(), cudaHostRegisterDefault));
  ASSERT_CUDA(cudaHostUnregister(memory.data()));
  EXPECT_EQ(cudaMemoryTypeUnregistered, type_of(memory.data()));
  EXPECT_EQ(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(memory.data()));
}

// Runtime, cudaMemGetInfo: the free and the total memory of the current device. Other processes may use the device too,
// so the bounds tolerate a quarter of the gigabyte that the test allocates.
TEST(MemoryInfo, FollowsAllocations) {
  std::size_t before = 0, during = 0, after = 0, total = 0;
  constexpr std::size_t kGigabyte = std::size_t{1} << 30;
  void* memory = nullptr;
  ASSERT_CUDA(cudaFree(nullptr));
  ASSERT_CUDA(cudaMemGetInfo(&before, &total));
  ASSERT_CUDA(cudaMalloc(&memory, kGigabyte));
  ASSERT_CUDA(cudaMemGetInfo(&during, &total));
  ASSERT_CUDA(cudaFree(memory));
  ASSERT_CUDA(cudaMemGetInfo(&after, &total));
  EXPECT_LE(before, total);
  EXPECT_LE(during, before - kGigabyte * 3 / 4);
  EXPECT_GE(after, during + kGigabyte * 3 / 4);
}

// Runtime, cudaMemset: cudaErrorInvalidValue for an address outside CUDA's memory.
TEST(Memory, SettingFreedMemoryIsAnError) {
  if (!on_simulator()) GTEST_SKIP() << "may be a sticky error on a GPU";
  void* memory = nullptr;
  ASSERT_CUDA(cudaMalloc(&memory, 64 * kMegabyte));
  ASSERT_CUDA(cudaFree(memory));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemset(memory, 0, 16));
}

}  // namespace
}  // namespace conformance
