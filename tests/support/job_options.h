// The command line of tauprof-generate.
#pragma once

#include <string>

#include "job_spec.h"

namespace tauprof::generator {

struct JobOptions {
  JobSpec spec;
  std::string out;
  std::string truth;  // empty: none is written
};

// -1: continue with `options`; otherwise the process's exit status (0 after --help, 2 after a mistake).
int parse_job_options(int argc, char** argv, JobOptions& options);

}  // namespace tauprof::generator
