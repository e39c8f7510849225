// A job that hangs: stuck_job RANKS CULPRIT WAY. Each rank is a process. After a few all-reduces one rank, the culprit,
// behaves differently from its peers:
//
//   never          it does nothing more, while the others call all-reduce
//   operation      it calls broadcast where the others call all-reduce
//   count          it reduces another number of elements
//   kill, stop     it is killed by SIGKILL, or stopped by SIGSTOP
//   kill_two       it and the next rank are killed
//   stop_ahead, kill_ahead
//                  all hosts have launched an all-reduce and make no further call; its device is delayed before it, and
//                  then it is stopped, or killed
//   nap            it is stopped and soon continued: the job ends
//   barrier        it does not reach a barrier
//   pipeline       each rank receives from the previous rank and sends to the next; it does neither
//   message_count  like pipeline, but it sends half of what the next rank receives
//   sub            it misses a collective of the ranks up to itself, while the later ranks go on to one of all ranks
//   graph          it does not launch a graph with collectives a second time
//   order          it calls the collectives of two communicators in the opposite order
//   init           it does not take part in creating a second communicator
//   group_end      like init, but the others create the communicator in a group
//   none           it behaves like the others: the job ends
//
// The launcher prints "stuck" once all other ranks have reached the point where they wait. Then it waits until it is
// killed, which kills the ranks.
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
constexpr useconds_t kOnDisk = 500'000;  // after this time, earlier records are in the log

struct Shared {
  std::atomic<bool> has_id;
  std::atomic<int> waiting;
  ncclUniqueId id;
  ncclUniqueId second_id;
};

class Rank {
 public:
  Rank(int rank, int ranks, int culprit, std::string way, Shared& shared)
      : rank_(rank), ranks_(ranks), culprit_(culprit), way_(std::move(way)), shared_(shared) {}

  void run() {
    start();
    for (int i = 0; i < kHarmless; ++i) reduce(world_, kCount), synchronize();
    prepare();
    if (is_ahead()) launch_ahead();
    usleep(kOnDisk);
    ++shared_.waiting;  // just before it waits
    rank_ == culprit_ || (way_ == "kill_two" && rank_ == culprit_ + 1) ? misbehave() : behave();
    reduce(world_, kCount);
    synchronize();
  }

 private:
  void start() {
    check(cudaSetDevice(rank_), "cudaSetDevice");
    if (rank_ == 0) {
      ncclGetUniqueId(&shared_.id);
      ncclGetUniqueId(&shared_.second_id);
      shared_.has_id = true;
    }
    while (!shared_.has_id) usleep(1000);
    if (ncclCommInitRank(&world_, ranks_, shared_.id, rank_) != ncclSuccess) std::_Exit(1);
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    check(cudaMalloc(reinterpret_cast<void**>(&buffer_), kCount * sizeof(float)), "cudaMalloc");
  }

  void prepare() {
    if (way_ == "sub") ncclCommSplit(world_, rank_ <= culprit_ ? 0 : 1, rank_, &second_, nullptr);
    if (way_ == "order") ncclCommSplit(world_, 0, rank_, &second_, nullptr);
    if (way_ == "pipeline" || way_ == "message_count") pass_on(kCount);
    if (way_ != "graph") return;
    cudaGraph_t graph;
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    reduce(world_, kCount);
    reduce(world_, kCount);
    check(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture");
    check(cudaGraphInstantiate(&graph_, graph, 0), "cudaGraphInstantiate");
    replay();
  }

  bool is_ahead() const { return way_.ends_with("ahead"); }

  void launch_ahead() {
    const auto hold = [](void*) {
      for (;;) pause();
    };
    if (rank_ == culprit_) check(cudaLaunchHostFunc(stream_, hold, nullptr), "cudaLaunchHostFunc");
    reduce(world_, kCount);
  }

  void behave() {
    if (is_ahead())
      for (;;) pause();
    if (way_ == "barrier") reduce(world_, 1), synchronize();
    if (way_ == "pipeline" || way_ == "message_count") pass_on(kCount);
    if (way_ == "sub" && rank_ < culprit_) reduce(second_, kCount), synchronize();
    if (way_ == "graph") replay();
    if (way_ == "order") reduce(world_, kCount), reduce(second_, kCount);
    if (way_ == "init") join();
    if (way_ != "group_end") return;
    ncclGroupStart();
    join();
    ncclGroupEnd();
  }

  void misbehave() {
    if (way_ == "none") return;
    if (way_.starts_with("kill")) raise(SIGKILL);
    if (way_.starts_with("stop") || way_ == "nap") raise(SIGSTOP);
    if (way_ == "nap") return;
    if (way_ == "operation")
      ncclBroadcast(buffer_, buffer_, kCount, ncclFloat, 0, world_, stream_);
    else if (way_ == "count")
      reduce(world_, kCount / 2);
    else if (way_ == "message_count")
      pass_on(kCount / 2);
    else if (way_ == "order")
      reduce(second_, kCount), reduce(world_, kCount);
    else
      for (;;) pause();
  }

  void reduce(ncclComm_t communicator, size_t count) {
    ncclAllReduce(buffer_, buffer_, count, ncclFloat, ncclSum, communicator, stream_);
  }
  void synchronize() { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

  // Sends `sent` elements.
  void pass_on(size_t sent) {
    if (rank_ > 0) ncclRecv(buffer_, kCount, ncclFloat, rank_ - 1, world_, stream_);
    if (rank_ + 1 < ranks_) ncclSend(buffer_, sent, ncclFloat, rank_ + 1, world_, stream_);
    synchronize();
  }

  void replay() {
    check(cudaGraphLaunch(graph_, stream_), "cudaGraphLaunch");
    synchronize();
  }

  void join() { ncclCommInitRank(&second_, ranks_, shared_.second_id, rank_); }

  const int rank_, ranks_, culprit_;
  const std::string way_;
  Shared& shared_;
  ncclComm_t world_ = nullptr, second_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t graph_ = nullptr;
  float* buffer_ = nullptr;
};

int run_rank(int rank, int ranks, int culprit, const std::string& way, Shared& shared) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const std::string number = std::to_string(rank), size = std::to_string(ranks);
  setenv("RANK", number.c_str(), 1);
  setenv("WORLD_SIZE", size.c_str(), 1);
  setenv("LOCAL_RANK", number.c_str(), 1);
  Rank(rank, ranks, culprit, way, shared).run();
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  const int ranks = std::atoi(arguments[1]), culprit = std::atoi(arguments[2]);
  const std::string way = arguments[3];
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  Shared& shared = *new (memory) Shared{};
  pid_t napping = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const pid_t child = fork();
    if (child == 0) return run_rank(rank, ranks, culprit, way, shared);
    if (rank == culprit) napping = child;
  }
  while (shared.waiting < ranks) usleep(10'000);
  std::printf("stuck\n");
  std::fflush(stdout);
  const bool ends = way == "none" || way == "nap";
  if (way == "nap") {
    waitpid(napping, nullptr, WUNTRACED);
    usleep(kOnDisk);
    kill(napping, SIGCONT);
  }
  for (int ended = 0; ended < ranks; ++ended)
    if (wait(nullptr) < 0) break;
  if (!ends) pause();
  return 0;
}
