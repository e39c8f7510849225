// Memory that is mapped into reserved addresses.
#include <array>

#include "driver_objects.h"

namespace driver_test {
namespace {

class VirtualMemoryTest : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    properties_.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties_.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    ASSERT_CU(cuMemGetAllocationGranularity(&piece_bytes_, &properties_, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    ASSERT_CU(cuMemAddressReserve(&range_, 4 * piece_bytes_, 0, 0, 0));
  }
  void TearDown() override {
    EXPECT_CU(cuMemAddressFree(range_, 4 * piece_bytes_));
    DriverTest::TearDown();
  }

  // Creates a piece and maps it at the nth position of the range. Unmapping it frees it.
  void map_piece(int place) {
    CUmemGenericAllocationHandle piece = 0;
    ASSERT_CU(cuMemCreate(&piece, piece_bytes_, &properties_, 0));
    EXPECT_CU(cuMemMap(at(place), piece_bytes_, 0, piece, 0));
    EXPECT_CU(cuMemRelease(piece));
    const CUmemAccessDesc access{properties_.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    EXPECT_CU(cuMemSetAccess(at(place), piece_bytes_, &access, 1));
  }

  CUdeviceptr at(int place) const { return range_ + static_cast<CUdeviceptr>(place) * piece_bytes_; }

  std::size_t free_bytes() const {
    std::size_t free = 0, total = 0;
    EXPECT_CU(cuMemGetInfo(&free, &total));
    return free;
  }

  CUmemAllocationProp properties_{};
  std::size_t piece_bytes_ = 0;
  CUdeviceptr range_ = 0;
};

TEST_F(VirtualMemoryTest, NeighbouringPiecesAreOneMemory) {
  map_piece(0);
  map_piece(1);
  std::array<char, 64> in, out{};
  in.fill(7);
  const CUdeviceptr across = at(1) - in.size() / 2;
  EXPECT_CU(cuMemcpyHtoD(across, in.data(), in.size()));
  EXPECT_CU(cuMemcpyDtoH(out.data(), across, out.size()));
  EXPECT_EQ(in, out);
  EXPECT_CU(cuMemUnmap(at(0), 2 * piece_bytes_));
}

// cuMemRelease: "the memory allocation will be freed when all outstanding mappings to the memory are unmapped and when
// all outstanding references to the handle … are also released."
TEST_F(VirtualMemoryTest, MemoryIsTheDevicesAgainOnceUnmapped) {
  const std::size_t before = free_bytes();
  map_piece(0);
  EXPECT_EQ(before - piece_bytes_, free_bytes());
  EXPECT_CU(cuMemUnmap(at(0), piece_bytes_));
  EXPECT_EQ(before, free_bytes());
}

TEST_F(VirtualMemoryTest, ARetainedPieceOutlivesItsMapping) {
  const std::size_t before = free_bytes();
  map_piece(0);
  CUmemGenericAllocationHandle piece = 0;
  EXPECT_CU(cuMemRetainAllocationHandle(&piece, reinterpret_cast<void*>(at(0) + 100)));
  EXPECT_CU(cuMemUnmap(at(0), piece_bytes_));
  EXPECT_EQ(before - piece_bytes_, free_bytes());
  EXPECT_CU(cuMemMap(at(3), piece_bytes_, 0, piece, 0));
  EXPECT_CU(cuMemRelease(piece));
  EXPECT_CU(cuMemUnmap(at(3), piece_bytes_));
  EXPECT_EQ(before, free_bytes());
}

TEST_F(VirtualMemoryTest, AMappedPlaceCannotBeMappedAgain) {
  map_piece(0);
  CUmemGenericAllocationHandle piece = 0;
  ASSERT_CU(cuMemCreate(&piece, piece_bytes_, &properties_, 0));
  EXPECT_NE(CUDA_SUCCESS, cuMemMap(at(0), piece_bytes_, 0, piece, 0));
  EXPECT_CU(cuMemRelease(piece));
  EXPECT_CU(cuMemUnmap(at(0), piece_bytes_));
}

// cuMemCreate: "The size must be a multiple of that given via cuMemGetAllocationGranularity".
TEST_F(VirtualMemoryTest, SizesAreMultiplesOfTheGranularity) {
  CUmemGenericAllocationHandle piece = 0;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&piece, piece_bytes_ / 2, &properties_, 0));
}

}  // namespace
}  // namespace driver_test
