// See machine.h.
#include "machine.h"

#include <chrono>
#include <thread>

#include "checks.h"

namespace training {

ComputeStream::ComputeStream() { check(cudaStreamCreate(&stream_), "cudaStreamCreate"); }

ComputeStream::~ComputeStream() { check(cudaStreamDestroy(stream_), "cudaStreamDestroy"); }

Machine::Machine(const Options& chosen, const RankPlace& own_place)
    : options(chosen),
      place(own_place),
      compute(stream.get()),
      scratch(options.scratch, compute),
      gemm(options, scratch, compute),
      groups(place, options, compute) {}

void Machine::begin_step(int number) {
  step = number;
  gemm.slow_down(value_for(options.slow_rank, place.rank, step));
}

void Machine::end_layer() const {
  const double ms = value_for(options.layer_sync, place.rank, step);
  if (options.sync_every_layer || ms > 0) check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  constexpr std::chrono::microseconds kBetweenLooks(100);
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double, std::milli>(ms);
  while (ms > 0 && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(kBetweenLooks);
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
}

}  // namespace training
