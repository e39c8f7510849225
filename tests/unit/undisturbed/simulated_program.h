// A training program of one thread and one stream, in which a recorder may slow the host: as the operations of its log,
// with the times that it takes.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "replay/run_graph.h"

namespace tauprof {

// The cost of taking device times. By default none.
struct Recorder {
  double host_factor = 1;
  double changes = 0;        // by how much the factor differs between steps, up and down
  Nanoseconds launch = 0;    // of a launch
  Nanoseconds pause = 0;     // between two kernels
  int64_t ends = INT64_MAX;  // from this step on nothing is slowed, and nothing recorded but where steps start
};

class SimulatedProgram {
 public:
  // The host works, then launches a kernel half way through a call.
  void launch(Nanoseconds before, Nanoseconds call, Nanoseconds kernel) { lines_.push_back({before, call, kernel, 0}); }
  // The host works, then waits until the device has done everything; `call` of its own before that, `back` after it.
  void wait(Nanoseconds before, Nanoseconds call, Nanoseconds back) { lines_.push_back({before, call, 0, back}); }
  // A launch returns only when all but the last `kernels` have started.
  void limit_queue(size_t kernels) { queue_ = kernels; }
  // The host's work differs by this share between steps, up and down.
  void vary(double share) { share_ = share; }

  std::shared_ptr<ProcessOperations> run(const Recorder& recorder) const;

  static constexpr int64_t kSteps = 40;  // after which a last one starts that is not counted

 private:
  struct Line {
    Nanoseconds before, call, kernel, back;
  };
  std::vector<Line> lines_;
  double share_ = 0;
  size_t queue_ = SIZE_MAX;
};

// The run of one rank, in a graph.
class SimulatedRun {
 public:
  // `steps`: to analyse, from the third on.
  void take(std::shared_ptr<ProcessOperations> operations, int64_t steps = SimulatedProgram::kSteps);
  RunGraph& graph() { return *graph_; }
  double mean_step(const Schedule<Nanoseconds>& schedule) const { return graph_->mean_step(schedule); }

 private:
  std::vector<RankTimeline> ranks_;
  std::optional<RunGraph> graph_;
};

}  // namespace tauprof
