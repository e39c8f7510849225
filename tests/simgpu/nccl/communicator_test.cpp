// Creating, splitting, shrinking and ending communicators.
#include <cstdlib>

#include "rank_setup.h"

namespace {

int rank_in(ncclComm_t comm) {
  int rank = -1;
  EXPECT_NCCL(ncclCommUserRank(comm, &rank));
  return rank;
}

int size_of(ncclComm_t comm) {
  int count = -1;
  EXPECT_NCCL(ncclCommCount(comm, &count));
  return count;
}

ncclResult_t settled(ncclComm_t comm) {
  ncclResult_t state = ncclInProgress;
  while (state == ncclInProgress) EXPECT_NCCL(ncclCommGetAsyncError(comm, &state));
  return state;
}

void knows_itself(const RankPlace& place) {
  const World world(place);
  int device = -1, version = 0;
  EXPECT_NCCL(ncclCommCuDevice(world.comm, &device));
  EXPECT_NCCL(ncclGetVersion(&version));
  EXPECT_EQ(rank_in(world.comm), place.rank);
  EXPECT_EQ(size_of(world.comm), place.ranks);
  EXPECT_EQ(device, place.rank);
  EXPECT_GE(version, 22000);
}
const RankBodyRegistration knows_itself_body("knows_itself", knows_itself);

// "ncclCommInitRank implicitly synchronizes with other ranks".
void init_waits(const RankPlace& place) {
  EXPECT_CUDA(cudaSetDevice(place.rank));
  const ncclUniqueId id = shared_id(place);
  if (place.rank != 0) {
    place.await("begun");
    EXPECT_FALSE(place.is_announced("ended"));
  } else {
    place.announce("begun");
  }
  ncclComm_t comm = nullptr;
  EXPECT_NCCL(ncclCommInitRank(&comm, place.ranks, id, place.rank));
  if (place.rank == 0) place.announce("ended");
  EXPECT_NCCL(ncclCommDestroy(comm));
}
const RankBodyRegistration init_waits_body("init_waits", init_waits);

// Two ranks on one device of one host: all ranks get ncclInvalidUsage.
void duplicate_device(const RankPlace& place) {
  EXPECT_CUDA(cudaSetDevice(0));
  ncclComm_t comm = nullptr;
  EXPECT_EQ(ncclCommInitRank(&comm, place.ranks, shared_id(place), place.rank), ncclInvalidUsage);
  EXPECT_EQ(comm, nullptr);
}
const RankBodyRegistration duplicate_device_body("duplicate_device", duplicate_device);

// "Ranks with the same color will end up in the same communicator. Within the new communicator, key will be used to
// order ranks." "NCCL_SPLIT_NOCOLOR … will therefore return a NULL communicator."
void split(const RankPlace& place) {
  World world(place);
  ncclComm_t half = nullptr, some = nullptr;
  EXPECT_NCCL(ncclCommSplit(world.comm, place.rank % 2, -place.rank, &half, nullptr));
  EXPECT_EQ(size_of(half), 2);
  EXPECT_EQ(rank_in(half), place.rank < 2 ? 1 : 0);
  const Buffer value(std::vector<float>{static_cast<float>(place.rank)});
  EXPECT_NCCL(ncclAllReduce(value.data, value.data, 1, ncclFloat, ncclSum, half, world.stream));
  world.synchronize();
  EXPECT_EQ(value.read()[0], place.rank % 2 == 0 ? 2 : 4);
  EXPECT_NCCL(ncclCommSplit(world.comm, place.rank == 0 ? NCCL_SPLIT_NOCOLOR : 3, 0, &some, nullptr));
  EXPECT_EQ(some == nullptr, place.rank == 0);
  if (some) {
    EXPECT_EQ(rank_in(some), place.rank - 1);
    EXPECT_NCCL(ncclCommDestroy(some));
  }
  EXPECT_NCCL(ncclCommDestroy(half));
}
const RankBodyRegistration split_body("split", split);

// "Within the new communicator, ranks will be re-ordered to fill the gap of removed ones."
void shrink(const RankPlace& place) {
  World world(place);
  int excluded = 1;
  if (place.rank == excluded) return;
  ncclComm_t rest = nullptr;
  EXPECT_NCCL(ncclCommShrink(world.comm, &excluded, 1, &rest, nullptr, NCCL_SHRINK_DEFAULT));
  EXPECT_EQ(size_of(rest), place.ranks - 1);
  EXPECT_EQ(rank_in(rest), place.rank == 0 ? 0 : place.rank - 1);
  EXPECT_NCCL(ncclCommDestroy(rest));
}
const RankBodyRegistration shrink_body("shrink", shrink);

// With blocking = 0, calls return ncclInProgress until ncclCommGetAsyncError says otherwise.
void nonblocking(const RankPlace& place) {
  EXPECT_CUDA(cudaSetDevice(place.rank));
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  const ncclUniqueId id = shared_id(place);
  if (place.rank == 1) place.await("asked");
  ncclComm_t comm = nullptr;
  const ncclResult_t begun = ncclCommInitRankConfig(&comm, place.ranks, id, place.rank, &config);
  EXPECT_TRUE(begun == ncclInProgress || begun == ncclSuccess);
  if (place.rank == 0) {
    ncclResult_t state = ncclSuccess;
    EXPECT_NCCL(ncclCommGetAsyncError(comm, &state));
    EXPECT_EQ(state, ncclInProgress);
    place.announce("asked");
  }
  EXPECT_EQ(settled(comm), ncclSuccess);
  EXPECT_EQ(rank_in(comm), place.rank);
  const ncclResult_t ending = ncclCommFinalize(comm);
  EXPECT_TRUE(ending == ncclInProgress || ending == ncclSuccess);
  EXPECT_EQ(settled(comm), ncclSuccess);
  EXPECT_NCCL(ncclCommDestroy(comm));
}
const RankBodyRegistration nonblocking_body("nonblocking", nonblocking);

void bad_arguments(const RankPlace& place) {
  EXPECT_CUDA(cudaSetDevice(0));
  ncclUniqueId id{};
  EXPECT_NCCL(ncclGetUniqueId(&id));
  EXPECT_EQ(ncclGetUniqueId(nullptr), ncclInvalidArgument);
  ncclComm_t comm = nullptr;
  EXPECT_EQ(ncclCommInitRank(nullptr, 1, id, 0), ncclInvalidArgument);
  EXPECT_EQ(ncclCommInitRank(&comm, 2, id, 2), ncclInvalidArgument);
  EXPECT_EQ(ncclCommInitRank(&comm, 0, id, 0), ncclInvalidArgument);
  ncclConfig_t config{};
  EXPECT_EQ(ncclCommInitRankConfig(&comm, 1, id, 0, &config), ncclInvalidArgument);
  const World world(place);
  const Buffer buffer(8);
  const auto all_reduce = [&](int type, int op, ncclComm_t with) {
    return ncclAllReduce(buffer.data, buffer.data, 8, static_cast<ncclDataType_t>(type), static_cast<ncclRedOp_t>(op),
                         with, world.stream);
  };
  EXPECT_EQ(all_reduce(ncclNumTypes, ncclSum, world.comm), ncclInvalidArgument);
  EXPECT_EQ(all_reduce(ncclFloat, ncclNumOps + 3, world.comm), ncclInvalidArgument);
  EXPECT_EQ(all_reduce(ncclFloat, ncclSum, nullptr), ncclInvalidArgument);
  EXPECT_EQ(ncclBroadcast(buffer.data, buffer.data, 8, ncclFloat, place.ranks, world.comm, world.stream),
            ncclInvalidArgument);
  EXPECT_EQ(ncclCommCount(world.comm, nullptr), ncclInvalidArgument);
}
const RankBodyRegistration bad_arguments_body("bad_arguments", bad_arguments);

// One thread brings up all ranks of its process, and works with them in groups.
void one_process(const RankPlace&) {
  constexpr int kDevices = 2;
  ncclComm_t comms[kDevices];
  EXPECT_NCCL(ncclCommInitAll(comms, kDevices, nullptr));
  cudaStream_t streams[kDevices];
  float* buffers[kDevices];
  for (int i = 0; i < kDevices; ++i) {
    EXPECT_CUDA(cudaSetDevice(i));
    EXPECT_CUDA(cudaStreamCreate(&streams[i]));
    EXPECT_CUDA(cudaMalloc(reinterpret_cast<void**>(&buffers[i]), sizeof(float)));
    const auto value = static_cast<float>(i + 1);
    EXPECT_CUDA(cudaMemcpy(buffers[i], &value, sizeof(value), cudaMemcpyHostToDevice));
  }
  EXPECT_NCCL(ncclGroupStart());
  for (int i = 0; i < kDevices; ++i) {
    EXPECT_NCCL(ncclAllReduce(buffers[i], buffers[i], 1, ncclFloat, ncclSum, comms[i], streams[i]));
  }
  EXPECT_NCCL(ncclGroupEnd());
  for (int i = 0; i < kDevices; ++i) {
    EXPECT_CUDA(cudaStreamSynchronize(streams[i]));
    float value = 0;
    EXPECT_CUDA(cudaMemcpy(&value, buffers[i], sizeof(value), cudaMemcpyDeviceToHost));
    EXPECT_EQ(value, 3);
    EXPECT_NCCL(ncclCommDestroy(comms[i]));
  }
}
const RankBodyRegistration one_process_body("one_process", one_process);

TEST(Communicators, KnowRankSizeAndDevice) { RankProcesses::run("knows_itself", 3); }
TEST(Communicators, InitReturnsWhenAllHaveCome) { RankProcesses::run("init_waits", 2); }
TEST(Communicators, TwoRanksOnOneDeviceAreRefused) { RankProcesses::run("duplicate_device", 2); }
TEST(Communicators, SplitByColourAndKey) { RankProcesses::run("split", 4); }
TEST(Communicators, ShrinkFillsTheGap) { RankProcesses::run("shrink", 3); }
TEST(Communicators, NonblockingOnesAreAskedForTheirState) { RankProcesses::run("nonblocking", 2); }
TEST(Communicators, BadArgumentsAreRefused) { RankProcesses::run("bad_arguments", 1); }
TEST(Communicators, OneThreadDrivesSeveralRanks) { RankProcesses::run("one_process", 1); }

}  // namespace
