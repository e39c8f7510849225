// Advances the ranks of a simulated job one after the other.
#include "simulation.h"

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "collective_units.h"
#include "rank_host.h"

namespace tauprof::generator {
namespace {

class Job {
 public:
  Job(const JobSpec& spec, const Communicators& communicators, JobObserver& observer)
      : units_(spec, communicators, observer) {
    for (int rank = 0; rank < spec.ranks; ++rank) {
      hosts_.push_back(std::make_unique<RankHost>(spec, communicators, units_, observer, rank));
    }
  }

  RankHost& host(int rank) { return *hosts_[rank]; }

  // Runs one program to its end on every rank.
  void run(int step, const std::function<void(int, std::vector<HostOp>&)>& build) {
    std::deque<int> runnable;
    for (int rank = 0; rank < static_cast<int>(hosts_.size()); ++rank) {
      build(rank, hosts_[rank]->program());
      hosts_[rank]->start_program(step);
      runnable.push_back(rank);
    }
    std::vector<int> released;
    while (!runnable.empty()) {
      const int rank = runnable.front();
      runnable.pop_front();
      released.clear();
      hosts_[rank]->run(released);
      for (int other : released) {
        if (other != rank) runnable.push_back(other);
      }
    }
    units_.forget_all();
  }

 private:
  CollectiveUnits units_;
  std::vector<std::unique_ptr<RankHost>> hosts_;
};

// On the kernels of each step. Without noise all steps are alike, however many there are.
std::vector<int64_t> factors_of(const JobSpec& spec) {
  std::vector<int64_t> factors{1'000'000};
  if (spec.step_noise.permille > 0) factors = step_factors_ppm(spec.step_noise, spec.steps, spec.seed);
  for (int64_t& factor : factors) factor = factor * spec.work_permille / 1000;
  return factors;
}

}  // namespace

int simulate(const JobSpec& spec, const Communicators& communicators, JobObserver& observer) {
  Job job(spec, communicators, observer);
  job.run(-1, [&](int, std::vector<HostOp>& program) { build_before_steps(spec, program); });
  const std::vector<int64_t> factors = factors_of(spec);
  int step = 0;
  const auto is_done = [&] {
    return spec.events_per_rank > 0 ? job.host(0).events() >= spec.events_per_rank : step >= spec.steps;
  };
  for (; !is_done(); ++step) {
    const int64_t factor = factors[static_cast<size_t>(step) % factors.size()];
    job.run(step, [&](int rank, std::vector<HostOp>& program) {
      build_step(spec, communicators, rank, step, factor, program);
    });
    for (int rank = 0; rank < spec.ranks; ++rank) {
      observer.on_step_end(rank, step, job.host(rank).now(), job.host(rank).dropped_spans());
    }
  }
  job.run(-1, [&](int, std::vector<HostOp>& program) { build_after_steps(spec, program); });
  return step;
}

}  // namespace tauprof::generator
