// Sizes and bandwidths of collectives by nccl-tests' conventions (docs/metrics.md, "Collectives").
#pragma once

#include <cstdint>

#include "log/format.h"
#include "model/data_type_size.h"

namespace tauprof {

// The size S in bytes of a collective on n ranks, for `count` elements as passed to NCCL.
int64_t collective_bytes(log::Operation operation, int64_t count, log::DataType type, int64_t n);

// busbw = algbw × factor.
double bus_factor(log::Operation operation, int64_t n);

// Whether every member needs every other, so that none ends before all have arrived.
bool is_all_pairs(log::Operation operation);

}  // namespace tauprof
