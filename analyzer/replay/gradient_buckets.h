// The buckets in which a data-parallel program reduces its gradients while the backward pass computes others.
//
// A gradient bucket is an all-reduce, or with sharded weights a reduce-scatter, that the backward pass launches and
// that none of its kernels waits for: tensor parallelism's, which the next kernel needs, are none. It waits for the
// kernel that computes its last gradient. Buckets are in the order in which they are launched, on all members alike.
#pragma once

#include <string>
#include <vector>

#include "metrics/collectives/collective_match.h"
#include "replay/run_graph.h"

namespace tauprof {

struct GradientBucket {
  OperationId collective = 0;
  OperationGraph<Nanoseconds>::Edge ready;                // after the kernel that computes its last gradient
  OperationGraph<Nanoseconds>::Edge launch;               // after what the host did before it launched the bucket
  std::vector<OperationGraph<Nanoseconds>::Edge> queue;   // after collectives from before the pass
  std::vector<OperationGraph<Nanoseconds>::Edge> others;  // after collectives of the pass that are no buckets
  // Of the backward pass, after the last gradient of the bucket before; the last is the kernel in `ready`. That one
  // alone, if it computes a gradient that does not fit in one bucket, and this is not its first piece.
  std::vector<OperationId> kernels;
};

// Those of one communicator in one step.
struct BucketGroup {
  log::Operation operation = log::Operation::kUnknown;
  int32_t hosts = 0;                                 // that the communicator spans; 0: not known
  std::vector<double> bytes;                         // of each bucket
  std::vector<std::vector<GradientBucket>> members;  // by member, then as `bytes`
  std::vector<size_t> ranks;                         // of each member: its index
};

// Empty, with a reason, if there are none or if they cannot be told.
std::vector<BucketGroup> gradient_buckets(const RunGraph& run, const std::vector<RankTimeline>& ranks,
                                          const std::vector<MatchedCollective>& matches, std::string& reason);

}  // namespace tauprof
