// See communicator.h.
#include "communicator.h"

#include <cstdlib>
#include <string>

#include "checks.h"
#include "rendezvous.h"

namespace training {
namespace {

// NCCL rejects two ranks on one device unless it takes them for different machines.
void allow_shared_devices(const RankPlacement& placement) {
  int devices = 0;
  check(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  if (devices >= placement.local_ranks) return;
  setenv("NCCL_HOSTID", ("training-" + std::to_string(placement.rank)).c_str(), 0);
  setenv("NCCL_IB_DISABLE", "1", 0);
  setenv("NCCL_SOCKET_IFNAME", "lo", 0);
}

ncclComm_t connect_world(const RankPlacement& placement) {
  if (placement.ranks == 1) return nullptr;
  allow_shared_devices(placement);
  ncclComm_t comm = nullptr;
  check(ncclCommInitRank(&comm, placement.ranks, share_unique_id(placement), placement.rank), "ncclCommInitRank");
  return comm;
}

ncclComm_t split(ncclComm_t world, int color, int key) {
  ncclComm_t comm = nullptr;
  check(ncclCommSplit(world, color, key, &comm, nullptr), "ncclCommSplit");
  return comm;
}

}  // namespace

Communicator::Communicator(ncclComm_t comm, cudaStream_t stream, cudaStream_t compute)
    : comm_(comm), stream_(stream != nullptr ? stream : compute), compute_(compute) {
  check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  if (comm_ == nullptr) return;
  check(ncclCommUserRank(comm_, &rank_), "ncclCommUserRank");
  check(ncclCommCount(comm_, &size_), "ncclCommCount");
}

Communicator::~Communicator() {
  if (comm_ != nullptr) check(ncclCommDestroy(comm_), "ncclCommDestroy");
  if (stream_ != compute_) check(cudaStreamDestroy(stream_), "cudaStreamDestroy");
  check(cudaEventDestroy(event_), "cudaEventDestroy");
}

cudaStream_t Communicator::begin() {
  if (stream_ == compute_) return stream_;
  check(cudaEventRecord(event_, compute_), "cudaEventRecord");
  check(cudaStreamWaitEvent(stream_, event_, 0), "cudaStreamWaitEvent");
  return stream_;
}

void Communicator::join() {
  if (stream_ == compute_ || size_ == 1) return;
  check(cudaEventRecord(event_, stream_), "cudaEventRecord");
  check(cudaStreamWaitEvent(compute_, event_, 0), "cudaStreamWaitEvent");
}

void Communicator::all_reduce(Element* data, std::size_t count, ncclRedOp_t operation) {
  if (size_ == 1) return;
  check(ncclAllReduce(data, data, count, ncclBfloat16, operation, comm_, begin()), "ncclAllReduce");
}

void Communicator::all_reduce(float* data, std::size_t count) {
  if (size_ == 1) return;
  check(ncclAllReduce(data, data, count, ncclFloat32, ncclSum, comm_, begin()), "ncclAllReduce");
}

Groups::Groups(const RankPlacement& placement, const Options& options, cudaStream_t compute) {
  const auto own = [&](ncclComm_t comm) {
    cudaStream_t stream = nullptr;
    if (comm != nullptr && !options.collectives_on_compute_stream) {
      check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    }
    return owned_.emplace_back(std::make_unique<Communicator>(comm, stream, compute)).get();
  };
  const int model = options.tensor * options.pipeline;
  const int per_stage = placement.ranks / options.pipeline;
  world = own(connect_world(placement));
  data = tensor = pipeline = nullptr;
  Communicator* const alone = own(nullptr);
  const auto group = [&](int size, int color) {
    if (size == 1) return alone;
    return size == placement.ranks ? world : own(split(world->get(), color, placement.rank));
  };
  tensor = group(options.tensor, placement.rank / options.tensor);
  data =
      group(placement.ranks / model, placement.rank % options.tensor + options.tensor * (placement.rank / per_stage));
  pipeline = group(options.pipeline, placement.rank % per_stage);
}

}  // namespace training
