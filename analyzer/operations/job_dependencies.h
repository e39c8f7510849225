// Dependencies of each operation of a training job, as the published analysis has them: on its worker, and at which
// operations workers meet. Found in the reference (operation_grid.h), it holds for all steps and data-parallel ranks.
//
// A worker computes its passes one after another, in the order in which they started. Each of the four kinds of message
// has a stream of its own; so have gathers of parameters and scatters of gradients together. A receive waits for the
// pass before the one that needs it (prefetching by one), a send for its pass. A chunk's first forward pass waits for
// its parameters. After the last pass come garbage collection, the reductions of gradients, clipping, and the update.
//
// Example, the first stage with one micro-batch: gather → forward → forward-send, backward-recv → backward → gc →
// layernorm → embedding → scatter → clipping → optimizer. (docs/metrics.md names every rule.)
#pragma once

#include <vector>

#include "operations/operation_grid.h"
#include "replay/operation_graph.h"

namespace tauprof {

// Operations that begin to move data once all of them have started.
struct OperationGroup {
  std::vector<uint32_t> members;
  bool spans_dp_ranks = false;  // the members of all data-parallel ranks; else those of each by themselves
};

struct JobDependencies {
  std::vector<std::vector<uint32_t>> before;  // by operation: distinct, ascending
  std::vector<OperationGroup> groups;         // an operation without one is local
};

// Fails if the trace is not of such a job. `uses_data_parallel`: several workers hold the same parameters.
Status find_dependencies(const OperationGrid& grid, bool uses_data_parallel, JobDependencies& dependencies);

// One step of so many data-parallel ranks as a graph. The number of an operation is dp_rank · operations + operation.
// Fails if operations wait for each other in a circle.
Status make_graph(const OperationGrid& grid, const JobDependencies& dependencies, int32_t dp_ranks,
                  OperationGraph<double>& graph);

}  // namespace tauprof
