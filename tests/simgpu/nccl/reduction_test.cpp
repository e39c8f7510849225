// Types and operators of reductions.
#include <cstdint>

#include "rank_setup.h"

namespace {

// The result of an all-reduce of one value.
template <typename Value>
Value reduced(const World& world, Value value, ncclDataType_t type, ncclRedOp_t op) {
  Value* data = nullptr;
  EXPECT_CUDA(cudaMalloc(reinterpret_cast<void**>(&data), sizeof(Value)));
  EXPECT_CUDA(cudaMemcpy(data, &value, sizeof(value), cudaMemcpyHostToDevice));
  EXPECT_NCCL(ncclAllReduce(data, data, 1, type, op, world.comm, world.stream));
  world.synchronize();
  EXPECT_CUDA(cudaMemcpy(&value, data, sizeof(value), cudaMemcpyDeviceToHost));
  EXPECT_CUDA(cudaFree(data));
  return value;
}

void types(const RankPlace& place) {
  const World world(place);
  constexpr std::uint16_t kHalfOne = 0x3c00, kHalfTwo = 0x4000, kBrainOne = 0x3f80, kBrainTwo = 0x4000;
  EXPECT_EQ(reduced(world, kHalfOne, ncclFloat16, ncclSum), kHalfTwo);
  EXPECT_EQ(reduced(world, kBrainOne, ncclBfloat16, ncclSum), kBrainTwo);
  EXPECT_EQ(reduced(world, 1.5, ncclFloat64, ncclProd), 2.25);
  EXPECT_EQ(reduced<std::int8_t>(world, static_cast<std::int8_t>(-place.rank), ncclInt8, ncclMin), -1);
  EXPECT_EQ(reduced<std::uint8_t>(world, static_cast<std::uint8_t>(200 + place.rank), ncclUint8, ncclMax), 201);
  EXPECT_EQ(reduced<std::int32_t>(world, place.rank + 3, ncclInt32, ncclProd), 12);
  EXPECT_EQ(reduced<std::uint64_t>(world, ~std::uint64_t{0} - place.rank, ncclUint64, ncclMax), ~std::uint64_t{0});
  EXPECT_EQ(reduced<std::int64_t>(world, -6, ncclInt64, ncclAvg), -6);
}
const RankBodyRegistration types_body("types", types);

// "a new reduction operator which pre-multiplies input values by a given scalar locally before reducing them with peer
// values via summation"
void scaled_sum(const RankPlace& place) {
  const World world(place);
  float scale = static_cast<float>(place.rank + 1);
  ncclRedOp_t op = ncclSum;
  EXPECT_NCCL(ncclRedOpCreatePreMulSum(&op, &scale, ncclFloat, ncclScalarHostImmediate, world.comm));
  EXPECT_EQ(reduced(world, 10.0F, ncclFloat, op), 30.0F);
  EXPECT_EQ(ncclRedOpDestroy(ncclSum, world.comm), ncclInvalidArgument);
  EXPECT_NCCL(ncclRedOpDestroy(op, world.comm));
}
const RankBodyRegistration scaled_sum_body("scaled_sum", scaled_sum);

TEST(Reductions, KnowAllTypes) { RankProcesses::run("types", 2); }
TEST(Reductions, MultiplyByAScalarFirst) { RankProcesses::run("scaled_sum", 2); }

}  // namespace
