// Of ranks that gather weights: whether computing can hide the gathers, and whether the weights would fit in memory if
// they were kept between the passes.
//
// Stage 3 of ZeRO gathers the weights for the forward pass and again for the backward pass. Stage 2 keeps them, which
// takes what a forward pass gathers from the other ranks, (n − 1)/n of it, in addition to the peak. It is an upper
// bound: at the peak, some weights are there anyway. Example: a forward pass gathers 8 GB over 8 ranks, the peak is 40
// of 80 GB. Kept, they take 47 GB: that fits, and the gathers of the backward pass are gone.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "metrics/collectives/parallelism.h"
#include "metrics/memory/memory_table.h"

namespace tauprof {

struct ShardingBalance {
  size_t groups = 0;  // index into the table of parallelism
  // Per rank and step, without waiting.
  double gather_ns = 0;
  double compute_ns = 0;
  // If the weights were kept, where they are gathered in both passes.
  std::optional<int64_t> kept_bytes;           // more of each device
  std::optional<double> kept_share_of_device;  // of the fullest device
  double gone_ns = 0;                          // gathers of the backward pass …
  double gone_exposed_ns = 0;                  // … and what of it nothing hides

  double gathers_over_compute() const { return compute_ns > 0 ? gather_ns / compute_ns : 0; }
  // Whether they would fit; nullopt: not known.
  std::optional<bool> would_fit() const;
};

std::vector<ShardingBalance> sharding_balance(const std::vector<ParallelGroups>& table,
                                              const std::vector<MemoryOfRank>& memory);

}  // namespace tauprof
