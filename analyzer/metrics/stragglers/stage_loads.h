// The load of each stage of a pipeline in a step, beyond the usual.
//
// A stage waits for the one before it by the nature of a pipeline. But if one stage takes longer over a step than the
// others, all of them wait for it at every message, in every step and in every replica: neither its replicas nor its
// other steps show that. So stages are compared with each other, row by row of the ledger, without communication: what
// a stage computes, copies and idles by itself is what its neighbours wait through. A stage's load in a step is the
// lower median of its replicas, the typical load the lower median of the stages.
//
// Where a stage's kernels take longer than the same ones of other stages (kernel_times.h), that is no load: it computes
// the same, but slower, and all of that counts. Example: of two stages one computes 29.2 ms and the other 29.8, but
// each of that one's kernels takes 1.1 times as long. So it is slower by 2.7 ms, and the first has 2.1 ms more to do.
//
// Stages are whole layers, which never divide quite evenly, so computing counts only as far as it is clearly more than
// the typical stage's, or clearly more than the stage's own in other steps, beside how the other stages' steps vary.
// Idling for a host is in no stage's nature: all of it that the typical stage does not do is excess.
//
// The stages at both ends have input: they load batches and copy them, tokens or labels. That is work which the others
// do not have. Loading counts like computing, as far as it is clearly more than the typical stage's load allows. What a
// stage usually copies in a step nothing can be compared with, so only copying that takes longer in some steps counts.
//
// Example: stages have 2, 2, 2 and 3 layers of 10 ms each. The last stage's load is 30 ms a micro-batch, the typical
// one 20 ms, so a third of what it computes on the way to a message is excess. It also ran more kernels, so it has more
// to compute (compute_work.h); otherwise it would be slower. And if the second stage sleeps for 10 ms in every step
// while the others never do, all of its idle_host_stall is excess, at the message that comes after it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "metrics/stragglers/pipeline_stages.h"
#include "model/rank_timeline.h"

namespace tauprof {

class StageLoads {
 public:
  StageLoads(const std::vector<RankTimeline>& ranks, const PipelineStages& stages);

  // Takes its stage's excess from what this rank spent between these of its collectives, by the loads of the steps in
  // which they start. `rank`: index into the timelines.
  void take_excess(uint32_t rank, uint32_t from, uint32_t to, SpentTime& spent) const;
  // The same of a stage between two steps, by their numbers.
  void take_excess(StageOfRank place, int64_t first, int64_t last, SpentTime& spent) const;
  // By how much a stage computes longer in a step than it usually does; ns.
  double unusual_computing(StageOfRank place, int64_t step) const;

 private:
  // Of a stage: what remains when the excess is taken away, as a share.
  struct Remainder {
    std::array<double, kLedgerRowCount> rows;
    ComputeWork work;
    double copied_bytes;
  };
  // The nature of a stage in some steps.
  struct Nature {
    double varied;        // how much of its computing is what the stage and the others always do
    double slowdown;      // as kernel_slowdowns, already taken from the load
    Nanoseconds copying;  // exposed copies, as it usually makes them
    bool has_input;
    size_t steps;
  };
  static Remainder remainder(const SpentTime& load, const SpentTime& typical, const Nature& nature);

  void find_slowdowns();
  void find_usual();
  // Of each stage in these steps: the share of its computing that remains if it varies no more than the others do.
  std::vector<double> varied(int32_t stages, const std::vector<SpentTime>& loads, size_t steps) const;

  // By stage, in these steps together; empty: not every stage is known.
  const std::vector<Remainder>& remainders(int32_t stages, int64_t from, int64_t to) const;

  const std::vector<RankTimeline>& ranks_;
  const PipelineStages& stages_;
  std::map<int32_t, std::vector<double>> slowdowns_;  // 1 if not clearly slower; by number of stages and stage
  // By number of stages, and by step if every stage is known: by stage, computing as fast as the others.
  std::map<int32_t, std::map<int64_t, std::vector<SpentTime>>> loads_;
  // In a step; by number of stages and stage.
  std::map<int32_t, std::vector<double>> usual_computing_;
  std::map<int32_t, std::vector<Nanoseconds>> usual_copying_;
  mutable std::map<std::tuple<int32_t, int64_t, int64_t>, std::vector<Remainder>> remainders_;
  mutable std::mutex finding_;  // a remainder: several threads ask
};

}  // namespace tauprof
