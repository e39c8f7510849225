// Which ranks do the same work as a rank, and where the same operation is on them.
//
// A peer launches nothing that the rank does not launch as often: data-parallel replicas, or the stages of a pipeline
// that are alike. The rank may have more to do than its peers.
#pragma once

#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "replay/run_graph.h"

namespace tauprof {

class Peers {
 public:
  explicit Peers(const RunGraph& run) : run_(run), by_step_(run.rank_count()) {}

  // The ranks (indices) that are most like `rank`, best first; none if no other rank is like it.
  std::vector<size_t> of(size_t rank);

  struct Placed {
    OperationId id;
    const OperationLabel* operation;
  };
  // The operations of a rank in a step, in the order in which its host did them; device work where it was launched.
  const std::vector<Placed>& operations(size_t rank, int64_t step);
  // Equal for the same operation on different ranks: kind, name and phase.
  static uint64_t family(uint32_t name, const OperationLabel& operation) {
    return ((uint64_t{name} << 8) | static_cast<uint64_t>(operation.kind)) << 4 |
           static_cast<uint64_t>(operation.phase);
  }
  std::vector<uint64_t> families(size_t rank, int64_t step);
  // Equal for steps in which the rank's device does the same work.
  size_t device_work(size_t rank, int64_t step);
  // Whether the same kernel takes longer than usual in the same steps on both ranks.
  bool vary_together(size_t rank, size_t other);

 private:
  using Counts = std::map<uint32_t, double>;  // by name of a kernel
  const Counts& kernels_of(size_t rank);
  std::vector<Nanoseconds> kernel_times(size_t rank, int64_t step);

  const RunGraph& run_;
  std::vector<std::map<int64_t, std::vector<Placed>>> by_step_;  // by rank; made on first use
  std::map<size_t, Counts> kernels_;
  std::map<std::vector<uint64_t>, size_t> works_;  // by families
  std::map<std::pair<size_t, int64_t>, size_t> device_work_;
  std::map<std::pair<size_t, size_t>, bool> vary_together_;
};

}  // namespace tauprof
