// See machine.h.
#include "machine.h"

#include "checks.h"

namespace training {

ComputeStream::ComputeStream() { check(cudaStreamCreate(&stream_), "cudaStreamCreate"); }

ComputeStream::~ComputeStream() { check(cudaStreamDestroy(stream_), "cudaStreamDestroy"); }

Machine::Machine(const Options& chosen, const RankPlace& own_place)
    : options(chosen),
      place(own_place),
      compute(stream.get()),
      scratch(options.scratch, compute),
      gemm(options, options.slow_rank.rank == place.rank ? options.slow_rank.value : 0, scratch, compute),
      groups(place, options, compute) {}

}  // namespace training
