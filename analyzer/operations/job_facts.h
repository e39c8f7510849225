// The size of a job, from its description (meta.yaml).
#pragma once

#include "model/operation_trace.h"
#include "model/status.h"

namespace tauprof {

struct JobFacts {
  int32_t dsp_size = 1;    // ranks that share the parameters besides the data-parallel ones
  int32_t world_size = 0;  // 0: not known

  bool uses_data_parallel(int32_t data_parallel_size) const { return int64_t{data_parallel_size} * dsp_size > 1; }
};

// Fails if a size is no number that a job can have, or if the sizes contradict each other.
Status read_job_facts(const OperationTrace& trace, JobFacts& facts);

}  // namespace tauprof
