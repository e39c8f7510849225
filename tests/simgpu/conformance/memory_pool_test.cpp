// The stream-ordered allocator and its pools.
#include "device_objects.h"

namespace conformance {
namespace {

constexpr std::size_t kBytes = 64 << 20;

class Pool : public ::testing::Test {
 protected:
  void SetUp() override {
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 0;
    ASSERT_CUDA(cudaMemPoolCreate(&pool_, &props));
  }
  void TearDown() override {
    if (pool_ != nullptr) {
      EXPECT_CUDA(cudaMemPoolDestroy(pool_));
    }
  }
  unsigned long long attribute(cudaMemPoolAttr name) {
    unsigned long long value = ~0ULL;
    EXPECT_CUDA(cudaMemPoolGetAttribute(pool_, name, &value));
    return value;
  }
  void set(cudaMemPoolAttr name, unsigned long long value) {
    ASSERT_CUDA(cudaMemPoolSetAttribute(pool_, name, &value));
  }

  cudaMemPool_t pool_ = nullptr;
  Stream stream_{cudaStreamNonBlocking};
};

// Runtime, cudaMallocAsync: the allocation can be used in the stream's order at once.
TEST_F(Pool, MemoryIsThereInStreamOrder) {
  void* memory = nullptr;
  char bytes[64] = {};
  ASSERT_CUDA(cudaMallocAsync(&memory, sizeof bytes, stream_));
  ASSERT_CUDA(cudaMemsetAsync(memory, 0x5a, sizeof bytes, stream_));
  ASSERT_CUDA(cudaMemcpyAsync(bytes, memory, sizeof bytes, cudaMemcpyDeviceToHost, stream_));
  ASSERT_CUDA(cudaFreeAsync(memory, stream_));
  ASSERT_CUDA(cudaStreamSynchronize(stream_));
  EXPECT_EQ(0x5a, bytes[63]);
}

// The same: allocation and free are operations of the stream; neither waits for the device.
TEST_F(Pool, AllocatingAndFreeingDoNotBlock) {
  void* memory = nullptr;
  ASSERT_CUDA(spin_on(stream_, kLong));
  ASSERT_CUDA(cudaMallocAsync(&memory, 64, stream_));
  ASSERT_CUDA(cudaFreeAsync(memory, stream_));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(stream_));
  ASSERT_CUDA(cudaStreamSynchronize(stream_));
}

// Runtime, cudaMemPoolGetAttribute: UsedMemCurrent is the amount of memory from the pool that is in use,
// ReservedMemCurrent the backing memory allocated for it; the highs are their maxima since the last reset.
TEST_F(Pool, CountsWhatIsUsedAndReserved) {
  void* memory = nullptr;
  set(cudaMemPoolAttrReleaseThreshold, ~0ULL);
  EXPECT_EQ(0u, attribute(cudaMemPoolAttrUsedMemCurrent));
  ASSERT_CUDA(cudaMallocFromPoolAsync(&memory, kBytes, pool_, stream_));
  ASSERT_CUDA(cudaStreamSynchronize(stream_));
  EXPECT_GE(attribute(cudaMemPoolAttrUsedMemCurrent), kBytes);
  EXPECT_GE(attribute(cudaMemPoolAttrReservedMemCurrent), attribute(cudaMemPoolAttrUsedMemCurrent));
  ASSERT_CUDA(cudaFreeAsync(memory, stream_));
  ASSERT_CUDA(cudaStreamSynchronize(stream_));
  EXPECT_EQ(0u, attribute(cudaMemPoolAttrUsedMemCurrent));
  EXPECT_GE(attribute(cudaMemPoolAttrUsedMemHigh), kBytes);
  set(cudaMemPoolAttrUsedMemHigh, 0);
  EXPECT_EQ(0u, attribute(cudaMemPoolAttrUsedMemHigh));
}

// Runtime, cudaMemPoolSetAttribute: when more than the release threshold is held, the allocator will try to release
// memory on the next call to stream, event or context synchronize; the default is 0.
TEST_F(Pool, KeepsMemoryBelowItsThreshold) {
  void* memory = nullptr;
  EXPECT_EQ(0u, attribute(cudaMemPoolAttrReleaseThreshold));
  set(cudaMemPoolAttrReleaseThreshold, ~0ULL);
  EXPECT_EQ(~0ULL, attribute(cudaMemPoolAttrReleaseThreshold));
  ASSERT_CUDA(cudaMallocFromPoolAsync(&memory, kBytes, pool_, stream_));
  ASSERT_CUDA(cudaFreeAsync(memory, stream_));
  ASSERT_CUDA(cudaStreamSynchronize(stream_));
  EXPECT_GE(attribute(cudaMemPoolAttrReservedMemCurrent), kBytes);
  // Runtime, cudaMemPoolTrimTo: releases memory until the pool contains fewer than that many reserved bytes.
  ASSERT_CUDA(cudaMemPoolTrimTo(pool_, 0));
  EXPECT_EQ(0u, attribute(cudaMemPoolAttrReservedMemCurrent));
}

// The same.
TEST_F(Pool, ReleasesMemoryAboveItsThreshold) {
  void* memory = nullptr;
  ASSERT_CUDA(cudaMallocFromPoolAsync(&memory, kBytes, pool_, stream_));
  ASSERT_CUDA(cudaFreeAsync(memory, stream_));
  ASSERT_CUDA(cudaStreamSynchronize(stream_));
  ASSERT_CUDA(cudaDeviceSynchronize());
  EXPECT_LT(attribute(cudaMemPoolAttrReservedMemCurrent), kBytes);
}

// The same: it is illegal to set the high watermarks to a non-zero value.
TEST_F(Pool, WatermarksCanOnlyBeReset) {
  unsigned long long one = 1;
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrUsedMemHigh, &one));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReservedMemHigh, &one));
}

// Runtime, cudaMemPoolDestroy: if pointers of the pool have not been freed, the function returns immediately and the
// resources are released once there are no more outstanding allocations.
TEST_F(Pool, MayBeDestroyedBeforeItsMemory) {
  void* memory = nullptr;
  ASSERT_CUDA(cudaMallocFromPoolAsync(&memory, 64, pool_, stream_));
  ASSERT_CUDA(cudaStreamSynchronize(stream_));
  ASSERT_CUDA(cudaMemPoolDestroy(pool_));
  pool_ = nullptr;
  EXPECT_CUDA(cudaMemsetAsync(memory, 0, 64, stream_));
  EXPECT_CUDA(cudaFreeAsync(memory, stream_));
  EXPECT_CUDA(cudaStreamSynchronize(stream_));
}

// The same: a device's default memory pool cannot be destroyed.
TEST_F(Pool, TheDefaultOneStays) {
  cudaMemPool_t standard = nullptr, current = nullptr;
  ASSERT_CUDA(cudaDeviceGetDefaultMemPool(&standard, 0));
  ASSERT_CUDA(cudaDeviceGetMemPool(&current, 0));
  EXPECT_EQ(standard, current);
  EXPECT_NE(cudaSuccess, cudaMemPoolDestroy(standard));
}

// The same: destroying the current pool of a device sets the default pool as the current one.
TEST_F(Pool, TheDefaultOneFollowsADestroyedCurrentOne) {
  cudaMemPool_t standard = nullptr, current = nullptr;
  ASSERT_CUDA(cudaDeviceGetDefaultMemPool(&standard, 0));
  ASSERT_CUDA(cudaDeviceSetMemPool(0, pool_));
  ASSERT_CUDA(cudaDeviceGetMemPool(&current, 0));
  EXPECT_EQ(pool_, current);
  ASSERT_CUDA(cudaMemPoolDestroy(pool_));
  pool_ = nullptr;
  ASSERT_CUDA(cudaDeviceGetMemPool(&current, 0));
  EXPECT_EQ(standard, current);
}

// Guide, "Stream Ordered Memory Allocator": cudaFree may free memory of cudaMallocAsync, and cudaFreeAsync memory of
// cudaMalloc.
TEST_F(Pool, BothAllocatorsFreeEachOthersMemory) {
  void *ordered = nullptr, *plain = nullptr;
  ASSERT_CUDA(cudaMallocAsync(&ordered, 64, stream_));
  ASSERT_CUDA(cudaStreamSynchronize(stream_));
  EXPECT_CUDA(cudaFree(ordered));
  ASSERT_CUDA(cudaMalloc(&plain, 64));
  EXPECT_CUDA(cudaFreeAsync(plain, stream_));
  EXPECT_CUDA(cudaStreamSynchronize(stream_));
}

}  // namespace
}  // namespace conformance
