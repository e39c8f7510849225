// The results of NCCL's operations, on data so small that the simulator moves it too.
#include <numeric>

#include "rank_setup.h"

namespace {

constexpr int kCollectiveFloats = 64;

std::vector<float> constant(float value, int count = kCollectiveFloats) { return std::vector<float>(count, value); }

// "Reduces data arrays of length count in sendbuff using op operation, and leaves identical copies of result on each
// recvbuff."
void all_reduce(const RankPlace& place) {
  World world(place);
  const Buffer sent(constant(static_cast<float>(place.rank + 1))), received(kCollectiveFloats);
  const auto total = static_cast<float>(place.ranks * (place.ranks + 1)) / 2;
  EXPECT_NCCL(ncclAllReduce(sent.data, received.data, kCollectiveFloats, ncclFloat, ncclSum, world.comm, world.stream));
  world.synchronize();
  EXPECT_EQ(received.read(), constant(total));
  EXPECT_NCCL(ncclAllReduce(sent.data, received.data, kCollectiveFloats, ncclFloat, ncclAvg, world.comm, world.stream));
  world.synchronize();
  EXPECT_EQ(received.read(), constant(total / static_cast<float>(place.ranks)));
  EXPECT_NCCL(ncclAllReduce(sent.data, sent.data, kCollectiveFloats, ncclFloat, ncclMax, world.comm, world.stream));
  world.synchronize();
  EXPECT_EQ(sent.read(), constant(static_cast<float>(place.ranks)));
}
const RankBodyRegistration all_reduce_body("all_reduce", all_reduce);

// "receiving data from rank i at offset i*sendcount" and "recvbuff on rank i will contain the i-th block of the
// result".
void gather_and_scatter(const RankPlace& place) {
  World world(place);
  const Buffer one(constant(static_cast<float>(place.rank), 1)), all(place.ranks), block(1);
  EXPECT_NCCL(ncclAllGather(one.data, all.data, 1, ncclFloat, world.comm, world.stream));
  EXPECT_NCCL(ncclReduceScatter(all.data, block.data, 1, ncclFloat, ncclSum, world.comm, world.stream));
  world.synchronize();
  std::vector<float> ranks(place.ranks);
  std::iota(ranks.begin(), ranks.end(), 0.0F);
  EXPECT_EQ(all.read(), ranks);
  EXPECT_EQ(block.read(), constant(static_cast<float>(place.rank * place.ranks), 1));
}
const RankBodyRegistration gather_and_scatter_body("gather_and_scatter", gather_and_scatter);

// "Data to send to destination rank j is taken from sendbuff+j*count and data received from source rank i is placed at
// recvbuff+i*count."
void all_to_all(const RankPlace& place) {
  World world(place);
  std::vector<float> values(place.ranks), expected(place.ranks);
  for (int i = 0; i < place.ranks; ++i) {
    values[i] = static_cast<float>(10 * place.rank + i);
    expected[i] = static_cast<float>(10 * i + place.rank);
  }
  const Buffer sent(values), received(place.ranks);
  EXPECT_NCCL(ncclAlltoAll(sent.data, received.data, 1, ncclFloat, world.comm, world.stream));
  world.synchronize();
  EXPECT_EQ(received.read(), expected);
}
const RankBodyRegistration all_to_all_body("all_to_all", all_to_all);

// Broadcast, Scatter, Gather and Reduce in turn, each with a different root.
void rooted(const RankPlace& place) {
  World world(place);
  const int last = place.ranks - 1;
  const bool is_last = place.rank == last;
  const Buffer value(constant(static_cast<float>(place.rank + 1), 1)), received(1), all(place.ranks);
  EXPECT_NCCL(ncclGather(value.data, all.data, 1, ncclFloat, last, world.comm, world.stream));
  EXPECT_NCCL(ncclScatter(all.data, received.data, 1, ncclFloat, last, world.comm, world.stream));
  world.synchronize();
  EXPECT_EQ(received.read(), constant(static_cast<float>(place.rank + 1), 1));
  EXPECT_NCCL(ncclReduce(value.data, received.data, 1, ncclFloat, ncclProd, last, world.comm, world.stream));
  EXPECT_NCCL(ncclBroadcast(received.data, all.data, 1, ncclFloat, last, world.comm, world.stream));
  world.synchronize();
  float product = 1;
  for (int i = 1; i <= place.ranks; ++i) product *= static_cast<float>(i);
  EXPECT_EQ(all.read()[0], product);
  EXPECT_EQ(received.read()[0] == product, is_last);
}
const RankBodyRegistration rooted_body("rooted", rooted);

// Sends around a ring, several at a time and more than any buffer holds.
void ring(const RankPlace& place) {
  World world(place);
  const int next = (place.rank + 1) % place.ranks, previous = (place.rank + place.ranks - 1) % place.ranks;
  const Buffer sent(constant(static_cast<float>(place.rank))), received(kCollectiveFloats);
  for (int i = 0; i < 100; ++i) {
    EXPECT_NCCL(ncclGroupStart());
    EXPECT_NCCL(ncclSend(sent.data, kCollectiveFloats, ncclFloat, next, world.comm, world.stream));
    EXPECT_NCCL(ncclRecv(received.data, kCollectiveFloats, ncclFloat, previous, world.comm, world.stream));
    EXPECT_NCCL(ncclGroupEnd());
  }
  world.synchronize();
  EXPECT_EQ(received.read(), constant(static_cast<float>(previous)));
}
const RankBodyRegistration ring_body("ring", ring);

// A small send is buffered: it ends before its receive is called.
void early_sender(const RankPlace& place) {
  World world(place);
  const Buffer buffer(constant(static_cast<float>(place.rank + 7)));
  if (place.rank == 0) {
    EXPECT_NCCL(ncclSend(buffer.data, kCollectiveFloats, ncclFloat, 1, world.comm, world.stream));
    EXPECT_TRUE(becomes_idle(world.stream, 10'000));
    place.announce("sent");
  } else {
    place.await("sent");
    EXPECT_NCCL(ncclRecv(buffer.data, kCollectiveFloats, ncclFloat, 0, world.comm, world.stream));
    world.synchronize();
    EXPECT_EQ(buffer.read(), constant(7));
  }
}
const RankBodyRegistration early_sender_body("early_sender", early_sender);

// An all-reduce ends on no rank before all ranks have called it.
void late_member(const RankPlace& place) {
  World world(place);
  const Buffer buffer(kCollectiveFloats);
  if (place.rank != 0) place.await("waited");
  EXPECT_NCCL(ncclAllReduce(buffer.data, buffer.data, kCollectiveFloats, ncclFloat, ncclSum, world.comm, world.stream));
  if (place.rank == 0) {
    EXPECT_FALSE(becomes_idle(world.stream, 200));
    place.announce("waited");
  }
  world.synchronize();
}
const RankBodyRegistration late_member_body("late_member", late_member);

// A graph's collectives run again in every launch.
void graph(const RankPlace& place) {
  World world(place);
  const Buffer buffer(constant(1));
  cudaGraph_t captured = nullptr;
  cudaGraphExec_t executable = nullptr;
  EXPECT_CUDA(cudaStreamBeginCapture(world.stream, cudaStreamCaptureModeThreadLocal));
  EXPECT_NCCL(ncclAllReduce(buffer.data, buffer.data, kCollectiveFloats, ncclFloat, ncclSum, world.comm, world.stream));
  EXPECT_CUDA(cudaStreamEndCapture(world.stream, &captured));
  EXPECT_CUDA(cudaGraphInstantiate(&executable, captured, 0));
  for (int i = 0; i < 3; ++i) EXPECT_CUDA(cudaGraphLaunch(executable, world.stream));
  EXPECT_NCCL(ncclAllReduce(buffer.data, buffer.data, kCollectiveFloats, ncclFloat, ncclSum, world.comm, world.stream));
  world.synchronize();
  float expected = 1;
  for (int i = 0; i < 4; ++i) expected *= static_cast<float>(place.ranks);
  EXPECT_EQ(buffer.read(), constant(expected));
  EXPECT_CUDA(cudaGraphExecDestroy(executable));
  EXPECT_CUDA(cudaGraphDestroy(captured));
}
const RankBodyRegistration graph_body("graph", graph);

TEST(Collectives, AllReduceLeavesTheSameResultEverywhere) { RankProcesses::run("all_reduce", 4); }
TEST(Collectives, BlocksLieInTheOrderOfRanks) { RankProcesses::run("gather_and_scatter", 4); }
TEST(Collectives, AllToAllExchangesBlocks) { RankProcesses::run("all_to_all", 4); }
TEST(Collectives, RootsSendAndReceive) { RankProcesses::run("rooted", 3); }
TEST(Collectives, SendsAndReceivesOfAGroupProgressTogether) { RankProcesses::run("ring", 4); }
TEST(Collectives, ASmallSendDoesNotWaitForItsReceiver) { RankProcesses::run("early_sender", 2); }
TEST(Collectives, AllReduceWaitsForTheLastMember) { RankProcesses::run("late_member", 2); }
TEST(Collectives, GraphsReplayCollectives) { RankProcesses::run("graph", 2); }

}  // namespace
