// Which copies and memsets return at once, and which block the host until they are done.
//
// Each test queues the operation behind a kernel that runs for kLong or kShort. When the call returns, the test checks
// whether the kernel has ended.
#include <cstring>
#include <vector>

#include "device_objects.h"

namespace conformance {
namespace {

constexpr std::size_t kLarge = 1 << 20;  // too large for the driver to copy into the command
constexpr std::size_t kSmall = 64 << 10;

class CopyBlocking : public ::testing::Test {
 protected:
  void run_kernel(std::chrono::milliseconds length, cudaStream_t stream = nullptr) {
    stream_ = stream;
    ASSERT_CUDA(spin_on(stream, length));
    ASSERT_CUDA(cudaEventRecord(kernel_done_, stream));
  }
  bool kernel_is_done() { return cudaEventQuery(kernel_done_) == cudaSuccess; }
  void TearDown() override { EXPECT_CUDA(cudaStreamSynchronize(stream_)); }

  DeviceMemory device_{kLarge}, other_device_{kLarge};
  PinnedMemory pinned_{kLarge}, other_pinned_{kLarge};
  std::vector<char> pageable_ = std::vector<char>(kLarge, 'p');
  Event kernel_done_;
  cudaStream_t stream_ = nullptr;
};

// Sync, "Memcpy, synchronous": from pageable host memory a stream sync is performed before the copy is initiated.
TEST_F(CopyBlocking, PageableToDeviceWaitsForTheStream) {
  run_kernel(kShort);
  ASSERT_CUDA(cudaMemcpy(device_.get(), pageable_.data(), kLarge, cudaMemcpyHostToDevice));
  EXPECT_TRUE(kernel_is_done());
}

// The same: the function returns once the pageable buffer has been copied: it may be overwritten then.
TEST_F(CopyBlocking, PageableSourceIsFreeAfterTheCall) {
  ASSERT_CUDA(cudaMemcpy(device_.get(), pageable_.data(), kLarge, cudaMemcpyHostToDevice));
  std::memset(pageable_.data(), 'x', kLarge);
  ASSERT_CUDA(cudaMemcpy(pinned_.get(), device_.get(), kLarge, cudaMemcpyDeviceToHost));
  EXPECT_EQ('p', pinned_.get()[0]);
  EXPECT_EQ('p', pinned_.get()[kLarge - 1]);
}

// The same: from pinned host memory to device memory the function is synchronous with respect to the host.
TEST_F(CopyBlocking, PinnedToDeviceIsSynchronous) {
  run_kernel(kShort);
  ASSERT_CUDA(cudaMemcpy(device_.get(), pinned_.get(), kLarge, cudaMemcpyHostToDevice));
  EXPECT_TRUE(kernel_is_done());
}

// The same: from device to pageable or pinned host memory it returns only once the copy has completed.
TEST_F(CopyBlocking, DeviceToHostIsSynchronous) {
  for (char* host : {pageable_.data(), pinned_.get()}) {
    run_kernel(kShort);
    ASSERT_CUDA(cudaMemset(device_.get(), 0x5a, kLarge));
    ASSERT_CUDA(cudaMemcpy(host, device_.get(), kLarge, cudaMemcpyDeviceToHost));
    EXPECT_TRUE(kernel_is_done());
    EXPECT_EQ(0x5a, host[0]);
    EXPECT_EQ(0x5a, host[kLarge - 1]);
    std::memset(host, 0, kLarge);
  }
}

// The same: from device memory to device memory no host-side synchronization is performed.
TEST_F(CopyBlocking, DeviceToDeviceIsAsynchronous) {
  run_kernel(kLong);
  ASSERT_CUDA(cudaMemcpy(device_.get(), other_device_.get(), kLarge, cudaMemcpyDeviceToDevice));
  EXPECT_FALSE(kernel_is_done());
}

// The same: from any host memory to any host memory the function is fully synchronous with respect to the host.
TEST_F(CopyBlocking, HostToHostIsSynchronous) {
  std::memset(pinned_.get(), 'q', kLarge);
  run_kernel(kShort);
  ASSERT_CUDA(cudaMemcpy(other_pinned_.get(), pinned_.get(), kLarge, cudaMemcpyHostToHost));
  EXPECT_EQ('q', other_pinned_.get()[kLarge - 1]);
  EXPECT_TRUE(kernel_is_done());
}

// Guide, "Concurrent Execution between Host and Device": memory copies performed by functions with the Async suffix
// are asynchronous; "Asynchronous Concurrent Execution": host memory must be page-locked for that.
TEST_F(CopyBlocking, AsyncCopiesOfPinnedMemoryAreAsynchronous) {
  Stream stream;
  run_kernel(kLong, stream);
  ASSERT_CUDA(cudaMemcpyAsync(device_.get(), pinned_.get(), kLarge, cudaMemcpyHostToDevice, stream));
  ASSERT_CUDA(cudaMemcpyAsync(other_pinned_.get(), device_.get(), kLarge, cudaMemcpyDeviceToHost, stream));
  EXPECT_FALSE(kernel_is_done());
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  stream_ = nullptr;
}

// Sync, "Memcpy, asynchronous": whether the driver stages a pageable buffer now or later, the source is free after the
// stream's synchronisation and the destination holds it.
TEST_F(CopyBlocking, AsyncCopiesOfPageableMemoryArriveInOrder) {
  Stream stream;
  ASSERT_CUDA(cudaMemsetAsync(device_.get(), 0, kLarge, stream));
  ASSERT_CUDA(cudaMemcpyAsync(device_.get(), pageable_.data(), kLarge, cudaMemcpyHostToDevice, stream));
  std::vector<char> back(kLarge);
  ASSERT_CUDA(cudaMemcpyAsync(back.data(), device_.get(), kLarge, cudaMemcpyDeviceToHost, stream));
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_EQ(pageable_, back);
}

// Guide, "Concurrent Execution between Host and Device": memory copies from host to device of a memory block of 64 KB
// or less are asynchronous.
TEST_F(CopyBlocking, SmallPageableCopiesAreAsynchronous) {
  Stream stream;
  run_kernel(kLong, stream);
  ASSERT_CUDA(cudaMemcpyAsync(device_.get(), pageable_.data(), kSmall, cudaMemcpyHostToDevice, stream));
  EXPECT_FALSE(kernel_is_done());
  std::memset(pageable_.data(), 'x', kSmall);
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  ASSERT_CUDA(cudaMemcpy(pinned_.get(), device_.get(), kSmall, cudaMemcpyDeviceToHost));
  EXPECT_EQ('p', pinned_.get()[kSmall - 1]);
  stream_ = nullptr;
}

// Sync, "Memset": the synchronous functions are asynchronous with respect to the host…
TEST_F(CopyBlocking, SettingDeviceMemoryIsAsynchronous) {
  run_kernel(kLong);
  ASSERT_CUDA(cudaMemset(device_.get(), 0, kLarge));
  EXPECT_FALSE(kernel_is_done());
}

// … except when the target is pinned host memory, in which case they are fully synchronous.
TEST_F(CopyBlocking, SettingPinnedMemoryIsSynchronous) {
  run_kernel(kShort);
  ASSERT_CUDA(cudaMemset(pinned_.get(), 0x5a, kLarge));
  EXPECT_TRUE(kernel_is_done());
  EXPECT_EQ(0x5a, pinned_.get()[kLarge - 1]);
}

// … The Async versions are always asynchronous with respect to the host.
TEST_F(CopyBlocking, AsyncSettingIsAsynchronous) {
  Stream stream;
  run_kernel(kLong, stream);
  ASSERT_CUDA(cudaMemsetAsync(device_.get(), 0, kLarge, stream));
  ASSERT_CUDA(cudaMemsetAsync(pinned_.get(), 0, kLarge, stream));
  EXPECT_FALSE(kernel_is_done());
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  stream_ = nullptr;
}

// Runtime, cudaMemcpy: with cudaMemcpyDefault the type of transfer is inferred from the pointer values.
TEST_F(CopyBlocking, DefaultDirectionIsInferred) {
  ASSERT_CUDA(cudaMemcpy(device_.get(), pageable_.data(), 100, cudaMemcpyDefault));
  ASSERT_CUDA(cudaMemcpy(other_device_.get(), device_.get(), 100, cudaMemcpyDefault));
  ASSERT_CUDA(cudaMemcpy(pinned_.get(), other_device_.get(), 100, cudaMemcpyDefault));
  EXPECT_EQ('p', pinned_.get()[99]);
}

// The same: cudaErrorInvalidMemcpyDirection.
TEST_F(CopyBlocking, AnUnknownDirectionIsRefused) {
  EXPECT_EQ(cudaErrorInvalidMemcpyDirection,
            cudaMemcpy(device_.get(), pageable_.data(), 1, static_cast<cudaMemcpyKind>(17)));
}

}  // namespace
}  // namespace conformance
