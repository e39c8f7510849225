// See machine.h.
#include "machine.h"

#include <chrono>
#include <thread>

#include "checks.h"

namespace training {

ComputeStream::ComputeStream() { check(cudaStreamCreate(&stream_), "cudaStreamCreate"); }

ComputeStream::~ComputeStream() { check(cudaStreamDestroy(stream_), "cudaStreamDestroy"); }

Machine::Machine(const Options& chosen, const RankPlacement& own_placement)
    : options(chosen),
      placement(own_placement),
      compute(stream.get()),
      scratch(options.scratch, compute),
      gemm(options, scratch, compute),
      groups(placement, options, compute) {}

void Machine::start_step(int number) {
  step = number;
  gemm.slow_down(value_for(options.slow_rank, placement.rank, step));
}

void Machine::end_layer() const {
  const double ms = value_for(options.layer_sync, placement.rank, step);
  if (options.sync_every_layer || ms > 0) check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  constexpr std::chrono::microseconds kBetweenLooks(100);
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double, std::milli>(ms);
  while (ms > 0 && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(kBetweenLooks);
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
}

}  // namespace training
