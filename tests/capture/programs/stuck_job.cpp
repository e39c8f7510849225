// A job that comes to a standstill: stuck_job RANKS CULPRIT WHAT. Each rank is a process; after a few all-reduces, one
// does
//
//   never      nothing, for ever
//   operation  a broadcast where the others reduce
//   count      an all-reduce of another size
//   kill       dies by SIGKILL
//   stop       is stopped by SIGSTOP
//   none       the same as the others: the job ends
//
// The launcher says "stuck" once all others have gone on to the collective in which they wait, and then waits until it
// is killed, which kills the ranks.
#include <nccl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <string>

#include "device_work.h"

namespace {

using programs::check;

constexpr int kHarmless = 5;
constexpr size_t kCount = 4096;
constexpr useconds_t kOnDisk = 500'000;  // what was recorded before is in the log by then

struct Shared {
  std::atomic<bool> has_id;
  std::atomic<int> waiting;
  ncclUniqueId id;
};

void misbehave(const std::string& what, float* buffer, ncclComm_t communicator, cudaStream_t stream) {
  if (what == "never")
    for (;;) pause();
  if (what == "kill") raise(SIGKILL);
  if (what == "stop") raise(SIGSTOP);
  if (what == "operation") ncclBroadcast(buffer, buffer, kCount, ncclFloat, 0, communicator, stream);
  if (what == "count") ncclAllReduce(buffer, buffer, kCount / 2, ncclFloat, ncclSum, communicator, stream);
}

int run_rank(int rank, int ranks, int culprit, const std::string& what, Shared& shared) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const std::string number = std::to_string(rank), size = std::to_string(ranks);
  setenv("RANK", number.c_str(), 1);
  setenv("WORLD_SIZE", size.c_str(), 1);
  setenv("LOCAL_RANK", number.c_str(), 1);
  check(cudaSetDevice(rank), "cudaSetDevice");
  if (rank == 0) {
    ncclGetUniqueId(&shared.id);
    shared.has_id = true;
  }
  while (!shared.has_id) usleep(1000);
  ncclComm_t communicator;
  if (ncclCommInitRank(&communicator, ranks, shared.id, rank) != ncclSuccess) return 1;
  cudaStream_t stream;
  float* buffer;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  check(cudaMalloc(reinterpret_cast<void**>(&buffer), kCount * sizeof(float)), "cudaMalloc");
  for (int i = 0; i < kHarmless; ++i) {
    ncclAllReduce(buffer, buffer, kCount, ncclFloat, ncclSum, communicator, stream);
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  }
  usleep(kOnDisk);
  if (rank == culprit) {
    ++shared.waiting;
    misbehave(what, buffer, communicator, stream);
  }
  ncclAllReduce(buffer, buffer, kCount, ncclFloat, ncclSum, communicator, stream);
  if (rank != culprit) ++shared.waiting;
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  const int ranks = std::atoi(arguments[1]), culprit = std::atoi(arguments[2]);
  const std::string what = arguments[3];
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  Shared& shared = *new (memory) Shared{};
  for (int rank = 0; rank < ranks; ++rank)
    if (fork() == 0) return run_rank(rank, ranks, culprit, what, shared);
  while (shared.waiting < ranks) usleep(10'000);
  std::printf("stuck\n");
  std::fflush(stdout);
  const bool ends = what == "none";
  for (int ended = 0; ended < ranks; ++ended)
    if (wait(nullptr) < 0) break;
  if (!ends) pause();
  return 0;
}
