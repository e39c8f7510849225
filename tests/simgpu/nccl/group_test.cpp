// NCCL's rules for groups.
#include "rank_setup.h"

namespace {

constexpr int kGroupFloats = 256;

// "Nothing will be started on the CUDA stream until ncclGroupEnd", also where groups nest.
void nesting(const RankPlace& place) {
  World world(place);
  const Buffer buffer(std::vector<float>(kGroupFloats, 1));
  EXPECT_NCCL(ncclGroupStart());
  EXPECT_NCCL(ncclGroupStart());
  EXPECT_NCCL(ncclAllReduce(buffer.data, buffer.data, kGroupFloats, ncclFloat, ncclSum, world.comm, world.stream));
  EXPECT_NCCL(ncclGroupEnd());
  world.synchronize();
  EXPECT_EQ(buffer.read()[0], 1);
  EXPECT_NCCL(ncclGroupEnd());
  world.synchronize();
  EXPECT_EQ(buffer.read()[0], static_cast<float>(place.ranks));
}
const RankBodyRegistration nesting_body("nesting", nesting);

// Several collectives of one group are one operation; a large exchange deadlocks unless its halves progress together.
void fusion(const RankPlace& place) {
  World world(place);
  constexpr int kLarge = 1 << 16;
  const int other = 1 - place.rank;
  const Buffer sent(std::vector<float>(kLarge, static_cast<float>(place.rank))), received(kLarge);
  const Buffer sums(std::vector<float>(kGroupFloats, 1));
  EXPECT_NCCL(ncclGroupStart());
  EXPECT_NCCL(ncclAllReduce(sums.data, sums.data, kGroupFloats, ncclFloat, ncclSum, world.comm, world.stream));
  EXPECT_NCCL(ncclRecv(received.data, kLarge, ncclFloat, other, world.comm, world.stream));
  EXPECT_NCCL(ncclSend(sent.data, kLarge, ncclFloat, other, world.comm, world.stream));
  EXPECT_NCCL(ncclAllReduce(sums.data, sums.data, kGroupFloats, ncclFloat, ncclSum, world.comm, world.stream));
  EXPECT_NCCL(ncclGroupEnd());
  world.synchronize();
  EXPECT_EQ(received.read(), std::vector<float>(kLarge, static_cast<float>(other)));
}
const RankBodyRegistration fusion_body("fusion", fusion);

// A group over several streams is "a global synchronization point between the streams".
void several_streams(const RankPlace& place) {
  World world(place);
  cudaStream_t second = nullptr;
  EXPECT_CUDA(cudaStreamCreate(&second));
  const Buffer one(std::vector<float>(kGroupFloats, 1)), two(std::vector<float>(kGroupFloats, 2));
  EXPECT_NCCL(ncclGroupStart());
  EXPECT_NCCL(ncclAllReduce(one.data, one.data, kGroupFloats, ncclFloat, ncclSum, world.comm, world.stream));
  EXPECT_NCCL(ncclAllReduce(two.data, two.data, kGroupFloats, ncclFloat, ncclSum, world.comm, second));
  EXPECT_NCCL(ncclGroupEnd());
  EXPECT_CUDA(cudaStreamSynchronize(second));
  EXPECT_CUDA(cudaStreamQuery(world.stream));
  EXPECT_EQ(one.read()[0], static_cast<float>(place.ranks));
  EXPECT_EQ(two.read()[0], static_cast<float>(2 * place.ranks));
  EXPECT_CUDA(cudaStreamDestroy(second));
}
const RankBodyRegistration several_streams_body("several_streams", several_streams);

// An error inside a group fails the whole group; nothing of it is launched.
void error_inside(const RankPlace& place) {
  World world(place);
  const Buffer buffer(std::vector<float>(kGroupFloats, 1));
  EXPECT_EQ(ncclGroupEnd(), ncclInvalidUsage);
  EXPECT_NCCL(ncclGroupStart());
  EXPECT_EQ(ncclBroadcast(buffer.data, buffer.data, kGroupFloats, ncclFloat, place.ranks, world.comm, world.stream),
            ncclInvalidArgument);
  EXPECT_EQ(ncclGroupEnd(), ncclInvalidArgument);
  EXPECT_NCCL(ncclAllReduce(buffer.data, buffer.data, kGroupFloats, ncclFloat, ncclSum, world.comm, world.stream));
  world.synchronize();
  EXPECT_EQ(buffer.read()[0], static_cast<float>(place.ranks));
}
const RankBodyRegistration error_inside_body("error_inside", error_inside);

TEST(Groups, NothingStartsBeforeTheOutermostEnd) { RankProcesses::run("nesting", 2); }
TEST(Groups, CallsProgressTogether) { RankProcesses::run("fusion", 2); }
TEST(Groups, SynchronizeTheirStreams) { RankProcesses::run("several_streams", 2); }
TEST(Groups, ReturnTheErrorOfACall) { RankProcesses::run("error_inside", 2); }

}  // namespace
