#include "simgpu/engine/memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <random>
#include <vector>

#include "fresh_process.h"

namespace simgpu {
namespace {

constexpr std::size_t kMiB = 1 << 20;
constexpr std::size_t kGiB = 1 << 30;

char* allocate(std::size_t bytes, cudaMemPool_t pool = nullptr) {
  void* base = nullptr;
  EXPECT_EQ(allocate_device(0, bytes, &base, pool), cudaSuccess);
  return static_cast<char*>(base);
}

std::uint64_t free_bytes() { return memory_info(0).free_bytes; }

std::uint64_t pool_number(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  std::uint64_t number = 0;
  EXPECT_EQ(pool_attribute(pool, attribute, &number), cudaSuccess);
  return number;
}

TEST(MemoryTest, CountsWhatIsAllocatedAndFreed) {
  expect_in_fresh_process({}, [] {
    const std::uint64_t before = free_bytes();
    char* const base = allocate(100 * kGiB);
    EXPECT_EQ(free_bytes(), before - 100 * kGiB);
    EXPECT_EQ(free_device(base), cudaSuccess);
    EXPECT_EQ(free_bytes(), before);
  });
}

TEST(MemoryTest, BeyondTheDevicesMemoryThereIsNone) {
  expect_in_fresh_process({{"SIMGPU_OPTIONS", "memory_gb=0:1"}}, [] {
    EXPECT_EQ(memory_info(0).total_bytes, 1'000'000'000u);
    char* const most = allocate(900'000'000);
    void* more = nullptr;
    EXPECT_EQ(allocate_device(0, 200'000'000, &more), cudaErrorMemoryAllocation);
    EXPECT_EQ(allocate_device(0, SIZE_MAX, &more), cudaErrorMemoryAllocation);
    EXPECT_EQ(free_device(most), cudaSuccess);
    EXPECT_EQ(allocate_device(0, 200'000'000, &more), cudaSuccess);
  });
}

TEST(MemoryTest, NoBytesAreNull) {
  expect_in_fresh_process({}, [] {
    EXPECT_EQ(allocate(0), nullptr);
    EXPECT_EQ(free_device(nullptr), cudaSuccess);
    EXPECT_EQ(free_pinned(nullptr), cudaSuccess);
  });
}

TEST(MemoryTest, FindsAllocationsByInteriorPointers) {
  expect_in_fresh_process({}, [] {
    char* const base = allocate(1000);
    EXPECT_EQ(find_allocation(base)->base, base);
    EXPECT_EQ(find_allocation(base + 999)->base, base);
    EXPECT_FALSE(find_allocation(base + 1000).has_value());
    EXPECT_EQ(memory_kind(base + 5), MemoryKind::Device);
    int local = 0;
    EXPECT_EQ(memory_kind(&local), MemoryKind::Pageable);
  });
}

TEST(MemoryTest, WrongPointersCannotBeFreed) {
  expect_in_fresh_process({}, [] {
    char* const base = allocate(1000);
    int local = 0;
    EXPECT_EQ(free_device(&local), cudaErrorInvalidValue);
    EXPECT_EQ(free_device(base + 1), cudaErrorInvalidValue);
    EXPECT_EQ(free_pinned(base), cudaErrorInvalidValue);
    EXPECT_EQ(free_device(base), cudaSuccess);
    EXPECT_EQ(free_device(base), cudaErrorInvalidValue);
  });
}

TEST(MemoryTest, SmallAllocationsSharePagesAndKeepTheirBytes) {
  expect_in_fresh_process({}, [] {
    std::mt19937 random(1);
    std::vector<std::pair<char*, std::size_t>> live;
    for (int round = 0; round < 20000; ++round) {
      if (live.size() < 200 || random() % 2 == 0) {
        const std::size_t bytes = 1 + random() % 20000;
        char* const base = allocate(bytes);
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(base) % 512, 0u);
        std::memset(base, static_cast<int>(bytes % 251), bytes);
        live.emplace_back(base, bytes);
      } else {
        const auto chosen = live.begin() + static_cast<std::ptrdiff_t>(random() % live.size());
        const auto [base, bytes] = *chosen;
        for (std::size_t i = 0; i < bytes; ++i) ASSERT_EQ(static_cast<unsigned char>(base[i]), bytes % 251);
        ASSERT_EQ(free_device(base), cudaSuccess);
        live.erase(chosen);
      }
    }
    for (const auto& [base, bytes] : live) EXPECT_EQ(free_device(base), cudaSuccess);
    EXPECT_EQ(free_bytes(), memory_info(0).total_bytes);
  });
}

TEST(MemoryTest, AFreedAddressIsHandedOutAgain) {
  expect_in_fresh_process({}, [] {
    char* const first = allocate(kMiB);
    free_device(first);
    EXPECT_EQ(allocate(kMiB), first);
  });
}

TEST(MemoryTest, CopiesMoveDataUpToTheLimit) {
  expect_in_fresh_process({{"SIMGPU_OPTIONS", "data_bytes=100"}}, [] {
    const std::string text(200, 'x');
    char* const base = allocate(200);
    move_bytes(base, text.data(), 200);
    EXPECT_EQ(base[0], 0);
    move_bytes(base, text.data(), 100);
    EXPECT_EQ(std::string(base, 100), text.substr(0, 100));
    set_bytes(base, 0x0102, 2, 10);
    EXPECT_EQ(base[18], 2);
    EXPECT_EQ(base[19], 1);
    EXPECT_EQ(base[20], 'x');
  });
}

TEST(MemoryTest, CopiesFromAndToFreedMemoryDoNothing) {
  expect_in_fresh_process({}, [] {
    char* const freed = allocate(kMiB);
    free_device(freed);
    char here[16] = "unchanged";
    move_bytes(here, freed, sizeof here);
    move_bytes(freed, here, sizeof here);
    set_bytes(freed, 1, 1, 100);
    move_bytes(nullptr, nullptr, 8);
    EXPECT_STREQ(here, "unchanged");
  });
}

TEST(MemoryTest, PinnedMemoryIsOrdinaryMemoryWithAName) {
  expect_in_fresh_process({}, [] {
    void* base = nullptr;
    EXPECT_EQ(allocate_pinned(0, 5000, cudaHostAllocPortable, &base), cudaSuccess);
    std::memset(base, 1, 5000);
    EXPECT_EQ(memory_kind(base), MemoryKind::Pinned);
    EXPECT_EQ(find_allocation(base)->flags, static_cast<unsigned>(cudaHostAllocPortable));
    EXPECT_EQ(free_device(base), cudaErrorInvalidValue);
    EXPECT_EQ(free_pinned(base), cudaSuccess);
    EXPECT_EQ(memory_kind(base), MemoryKind::Pageable);
  });
}

TEST(MemoryTest, RegistrationFollowsTheDocumentation) {
  expect_in_fresh_process({}, [] {
    std::vector<char> memory(10000);
    EXPECT_EQ(register_pinned(0, memory.data(), 0, 0), cudaErrorInvalidValue);
    EXPECT_EQ(register_pinned(0, memory.data(), 10000, 0), cudaSuccess);
    EXPECT_EQ(register_pinned(0, memory.data() + 100, 10, 0), cudaErrorHostMemoryAlreadyRegistered);
    EXPECT_EQ(memory_kind(memory.data() + 9999), MemoryKind::Pinned);
    EXPECT_EQ(free_pinned(memory.data()), cudaErrorInvalidValue);
    EXPECT_EQ(unregister_pinned(memory.data() + 1), cudaErrorHostMemoryNotRegistered);
    EXPECT_EQ(unregister_pinned(memory.data()), cudaSuccess);
    EXPECT_EQ(unregister_pinned(memory.data()), cudaErrorHostMemoryNotRegistered);
    EXPECT_EQ(memory_kind(memory.data()), MemoryKind::Pageable);
  });
}

TEST(MemoryTest, UnmappedMemoryCannotBeRegistered) {
  expect_in_fresh_process({}, [] {
    void* const gone = mmap(nullptr, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(gone, 8192);
    EXPECT_EQ(register_pinned(0, gone, 8192, 0), cudaErrorInvalidValue);
  });
}

TEST(MemoryTest, ManagedMemoryOfNoBytesIsInvalid) {
  expect_in_fresh_process({}, [] {
    void* base = nullptr;
    EXPECT_EQ(allocate_managed(0, 0, &base), cudaErrorInvalidValue);
    EXPECT_EQ(allocate_managed(0, 100, &base), cudaSuccess);
    EXPECT_EQ(memory_kind(base), MemoryKind::Managed);
    EXPECT_EQ(free_device(base), cudaSuccess);
  });
}

TEST(MemoryTest, AResetFreesAllOfTheDevice) {
  expect_in_fresh_process({}, [] {
    char* const base = allocate(kMiB);
    allocate(kMiB, default_pool(0));
    void* other = nullptr;
    EXPECT_EQ(allocate_device(1, kMiB, &other), cudaSuccess);
    free_all_of_device(0);
    EXPECT_EQ(free_bytes(), memory_info(0).total_bytes);
    EXPECT_EQ(free_device(base), cudaErrorInvalidValue);
    EXPECT_EQ(free_device(other), cudaSuccess);
  });
}

TEST(MemoryPoolTest, KeepsBooksOfReservedAndUsedMemory) {
  expect_in_fresh_process({}, [] {
    const cudaMemPool_t pool = default_pool(0);
    char* const base = allocate(10 * kMiB, pool);
    EXPECT_EQ(find_allocation(base)->pool, pool);
    EXPECT_EQ(pool_number(pool, cudaMemPoolAttrUsedMemCurrent), 10 * kMiB);
    EXPECT_EQ(pool_number(pool, cudaMemPoolAttrReservedMemCurrent), 32 * kMiB);
    EXPECT_EQ(free_bytes(), memory_info(0).total_bytes - 32 * kMiB);
    EXPECT_EQ(free_device(base), cudaSuccess);
    EXPECT_EQ(pool_number(pool, cudaMemPoolAttrUsedMemCurrent), 0u);
    EXPECT_EQ(pool_number(pool, cudaMemPoolAttrUsedMemHigh), 10 * kMiB);
    EXPECT_EQ(pool_number(pool, cudaMemPoolAttrReservedMemCurrent), 0u);
  });
}

TEST(MemoryPoolTest, TheReleaseThresholdIsHeldUntilTrimmed) {
  expect_in_fresh_process({}, [] {
    const cudaMemPool_t pool = default_pool(0);
    const std::uint64_t threshold = UINT64_MAX;
    EXPECT_EQ(set_pool_attribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold), cudaSuccess);
    EXPECT_EQ(free_device(allocate(100 * kMiB, pool)), cudaSuccess);
    EXPECT_EQ(pool_number(pool, cudaMemPoolAttrReservedMemCurrent), 128 * kMiB);
    EXPECT_EQ(trim_pool(pool, 0), cudaSuccess);
    EXPECT_EQ(pool_number(pool, cudaMemPoolAttrReservedMemCurrent), 0u);
  });
}

TEST(MemoryPoolTest, HighMarksCanBeResetToZeroOnly) {
  expect_in_fresh_process({}, [] {
    const cudaMemPool_t pool = default_pool(0);
    free_device(allocate(kMiB, pool));
    std::uint64_t number = 5;
    EXPECT_EQ(set_pool_attribute(pool, cudaMemPoolAttrUsedMemHigh, &number), cudaErrorInvalidValue);
    EXPECT_EQ(set_pool_attribute(pool, cudaMemPoolAttrUsedMemCurrent, &number), cudaErrorInvalidValue);
    number = 0;
    EXPECT_EQ(set_pool_attribute(pool, cudaMemPoolAttrUsedMemHigh, &number), cudaSuccess);
    EXPECT_EQ(pool_number(pool, cudaMemPoolAttrUsedMemHigh), 0u);
  });
}

TEST(MemoryPoolTest, ADestroyedPoolsMemoryLivesUntilItIsFreed) {
  expect_in_fresh_process({}, [] {
    cudaMemPool_t pool = nullptr;
    EXPECT_EQ(create_pool(0, &pool), cudaSuccess);
    char* const base = allocate(kMiB, pool);
    EXPECT_EQ(destroy_pool(pool), cudaSuccess);
    EXPECT_EQ(destroy_pool(pool), cudaErrorInvalidValue);
    EXPECT_FALSE(pool_device(pool).has_value());
    void* more = nullptr;
    EXPECT_EQ(allocate_device(0, kMiB, &more, pool), cudaErrorInvalidValue);
    base[0] = 1;
    EXPECT_EQ(free_device(base), cudaSuccess);
    EXPECT_EQ(free_bytes(), memory_info(0).total_bytes);
  });
}

TEST(MemoryPoolTest, TheDefaultPoolCannotBeDestroyed) {
  expect_in_fresh_process({}, [] { EXPECT_EQ(destroy_pool(default_pool(0)), cudaErrorInvalidValue); });
}

}  // namespace
}  // namespace simgpu
