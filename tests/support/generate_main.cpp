// tauprof-generate: writes the logs of a simulated job for tests and benchmarks.
#include <sys/resource.h>

#include <filesystem>
#include <iostream>

#include "job_options.h"
#include "log_observer.h"
#include "observer_list.h"
#include "simulation.h"
#include "truth_observer.h"

namespace {

using namespace tauprof;
using namespace tauprof::generator;

// One open file per rank can exceed the usual soft limit.
void allow_many_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

Status generate(const JobOptions& options, int& steps, uint64_t& bytes) {
  const Communicators communicators(options.spec);
  LogObserver logs(options.spec, communicators);
  TruthObserver truth(options.spec);
  ObserverList observers;
  if (Status status = logs.open(options.out); !status.is_ok()) return status;
  observers.add(logs);
  if (!options.truth.empty()) {
    if (Status status = truth.open(options.truth); !status.is_ok()) return status;
    observers.add(truth);
  }
  steps = simulate(options.spec, communicators, observers);
  if (Status status = logs.close(); !status.is_ok()) return status;
  bytes = logs.bytes_written();
  return options.truth.empty() ? Status::ok() : truth.close();
}

}  // namespace

int main(int argc, char** argv) {
  JobOptions options;
  const int exit_status = parse_job_options(argc, argv, options);
  if (exit_status >= 0) return exit_status;
  allow_many_files();
  std::error_code ignored;  // open() names the folder when it cannot be used
  std::filesystem::create_directories(options.out, ignored);
  int steps = 0;
  uint64_t bytes = 0;
  if (const Status status = generate(options, steps, bytes); !status.is_ok()) {
    std::cerr << "tauprof-generate: " << status.message() << '\n';
    return 1;
  }
  std::cout << options.out << ": " << options.spec.ranks << " ranks, " << steps << " steps, " << bytes << " bytes\n";
}
