// The run with gradients reduced in buckets of another size.
//
// The gradients of a pass are one sequence of bytes, in the order in which they become ready. It is cut every so many
// bytes, and a bucket starts when its last byte is ready, after the bucket before it. Within a measured bucket, bytes
// become ready as evenly as its kernels take time. Example: buckets of 20 MB are ready at 10 and 20 ms. In buckets of
// 10 MB they are ready at 5, 10, 15 and 20 ms, each at the end of a kernel.
//
// A bucket takes as long as the line of latency and bandwidth says for its size, times how much longer than their lines
// the measured ones took (beside other work). What waited for a measured bucket waits for the one that has its last
// byte. A bucket costs the host what the measured ones cost it: less with fewer, more with more.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "metrics/link_model/link_model.h"
#include "replay/answer.h"
#include "replay/gradient_buckets.h"

namespace tauprof {

class BucketSizes {
 public:
  // All must live as long.
  BucketSizes(const RunGraph& run, const std::vector<RankTimeline>& ranks,
              const std::vector<MatchedCollective>& matches, const LinkModel& links);

  Answer with(double bytes) const;

 private:
  using Graph = OperationGraph<Nanoseconds>;
  struct NewBucket {
    double bytes;
    size_t measured;  // the measured bucket that has its last byte …
    double part;      // … and where in it that is, from above 0 to 1
  };
  struct Changed;  // the run's operations as they become

  static std::vector<NewBucket> cut(const BucketGroup& group, double bytes);
  std::string rebucket(const BucketGroup& group, double bytes, Changed& changed) const;
  std::vector<OperationId> replace(const std::vector<GradientBucket>& measured, const std::vector<NewBucket>& buckets,
                                   const std::vector<Nanoseconds>& durations, Changed& changed) const;
  Graph as_changed(const Changed& changed) const;
  Graph::Edge launched(const GradientBucket& measured, OperationId kernel, Changed& changed) const;
  std::optional<double> predicted(const BucketGroup& group, double bytes) const;
  OperationId ready_with(const GradientBucket& measured, double part) const;
  void remove_launch(const GradientBucket& measured, Changed& changed) const;
  void set_host_cost();

  const RunGraph& run_;
  const LinkModel& links_;
  std::string reason_;
  std::vector<BucketGroup> groups_;
  std::unordered_map<OperationId, OperationId> call_after_;  // by what the host did before it: its call
  double slowdown_ = 1;                                      // measured buckets against their lines
  Nanoseconds before_launch_ = 0;                            // the host's time for a bucket before its call …
  Nanoseconds launch_ = 0;                                   // … and in it
};

}  // namespace tauprof
