// Ranks that disagree, abort or die.
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "rank_setup.h"

namespace {

constexpr int kFailureFloats = 1024;
constexpr int kPatience = 300;  // milliseconds

// Calls that do not match hang; ncclCommAbort ends the wait.
void mismatch(const RankPlace& place) {
  World world(place);
  const Buffer buffer(kFailureFloats);
  const int count = place.rank == 0 ? kFailureFloats : kFailureFloats / 2;
  EXPECT_NCCL(ncclAllReduce(buffer.data, buffer.data, count, ncclFloat, ncclSum, world.comm, world.stream));
  EXPECT_FALSE(becomes_idle(world.stream, kPatience));
  world.abort();
  EXPECT_TRUE(becomes_idle(world.stream, 10'000));
}
const RankBodyRegistration mismatch_body("mismatch", mismatch);

// ncclCommAbort ends an operation that another rank never calls.
void missing_call(const RankPlace& place) {
  World world(place);
  const Buffer buffer(kFailureFloats);
  if (place.rank == 0) {
    EXPECT_NCCL(ncclAllReduce(buffer.data, buffer.data, kFailureFloats, ncclFloat, ncclSum, world.comm, world.stream));
    EXPECT_FALSE(becomes_idle(world.stream, kPatience));
    world.abort();
    world.synchronize();
    place.announce("aborted");
  } else {
    place.await("aborted");
    world.abort();
  }
}
const RankBodyRegistration missing_call_body("missing_call", missing_call);

// "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely."
void dead_peer(const RankPlace& place) {
  World world(place);
  const Buffer buffer(kFailureFloats);
  if (place.rank == 1) raise(SIGKILL);
  EXPECT_NCCL(ncclAllReduce(buffer.data, buffer.data, kFailureFloats, ncclFloat, ncclSum, world.comm, world.stream));
  ncclResult_t state = ncclSuccess;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (state == ncclSuccess && std::chrono::steady_clock::now() < until) {
    EXPECT_NCCL(ncclCommGetAsyncError(world.comm, &state));
    usleep(1000);
  }
  EXPECT_EQ(state, ncclRemoteError);
  EXPECT_EQ(cudaStreamQuery(world.stream), cudaErrorNotReady);
  world.abort();
  EXPECT_TRUE(becomes_idle(world.stream, 10'000));
}
const RankBodyRegistration dead_peer_body("dead_peer", dead_peer);

TEST(Failures, CallsThatDoNotMatchHangUntilAbort) { RankProcesses::run("mismatch", 2); }
TEST(Failures, AbortEndsAnOperationThatWaits) { RankProcesses::run("missing_call", 2); }
TEST(Failures, ADeadPeerIsARemoteError) { RankProcesses::run("dead_peer", 2, {1}); }

}  // namespace
