// How much slower a training job is for its stragglers, and which workers, stages and operations make it so: the
// questions of "Understanding Stragglers in Large Model Training Using What-if Analysis" (OSDI 2025), answered as its
// authors' program answers them.
//
// S compares the job without launch delays to the ideal job, in which every operation takes its type's mean or median:
// 1.5 means that it would be 1.5 times as fast if all equal operations took equally long. What a rank, a stage or a
// type contributes is what the ideal job loses when the operations of that key alone keep their measured times.
//
// M_W asks the reverse: how much of the slowdown is gone when only the worst 3 % of the workers are repaired. M_S asks
// it of the last pipeline stage.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/operation_trace.h"
#include "model/status.h"
#include "model/step_range.h"

namespace tauprof {

// A job's step times, relative to those of the job that it is compared with, by a key of its operations.
struct SlowdownByKey {
  struct Key {
    std::string name;
    double slowdown = 1;          // of the mean step
    std::vector<double> of_step;  // as StragglerAnswers::steps
  };
  std::vector<Key> keys;  // dp_ranks and stages ascending, types by name
};

struct Decomposition {
  SlowdownByKey by_dp_rank, by_stage, by_type;
};

struct JobStep {
  int64_t number = 0;
  double recorded_s = 0;
  double without_delays_s = 0;
  double ideal_s = 0;            // to the last end
  double ideal_to_update_s = 0;  // to the end of the last update
  double slowdown = 1;
  double launch_slowdown = 1;
};

// The effect of some operations on the slowdown.
struct Explanation {
  std::vector<int32_t> ranks;
  double repaired_s = 0;          // a mean step if their times were ideal
  double alone_s = 0;             // a mean step if all others' were
  std::optional<double> removed;  // share of the slowdown that goes with them; none: there is no slowdown
  std::optional<double> added;    // share that they alone bring
};

struct RankScore {
  int32_t rank = 0;
  int32_t dp_rank = 0;
  int32_t stage = 0;
  std::optional<double> slowdown;  // the smaller of its data-parallel rank's and its stage's
};

struct StragglerAnswers {
  std::map<std::string, std::string> job;  // as the trace describes it
  int32_t data_parallel_size = 0;
  int32_t stages = 0;
  int32_t chunks = 0;      // of a stage
  int32_t world_size = 0;  // with those that are not recorded; 0: not known
  size_t operations = 0;   // of one worker group in one step
  size_t dependencies = 0;
  size_t steps_outside = 0;  // not among the chosen ones
  std::vector<JobStep> steps;

  double recorded_s = 0;        // a mean step
  double without_delays_s = 0;  // likewise, replayed
  double ideal_s = 0;
  double ideal_to_update_s = 0;  // to the end of the last update
  double slowdown = 1;           // S
  double launch_slowdown = 1;    // recorded against replayed without delays
  // How far off a step is that is replayed with the usual delays of other steps, as a share; none: one step only.
  std::optional<double> replay_error;

  std::optional<Decomposition> of_slowdown;  // none: it is too small to be divided
  std::optional<Decomposition> of_launch_slowdown;
  std::vector<RankScore> ranks;            // ascending
  std::optional<Explanation> worst_ranks;  // M_W
  Explanation last_stage;                  // M_S
};

// Fails if the trace cannot be replayed; the message says which row or operation is wrong and what to do, and names no
// file. `steps`: which to answer for.
Status answer_stragglers(const OperationTrace& trace, const std::optional<StepRange>& steps, StragglerAnswers& answers);

// Whether they could be answered.
Status check_operation_trace(const OperationTrace& trace);

}  // namespace tauprof
