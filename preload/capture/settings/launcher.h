// Which rank this process is, from the environment variables of launchers: torchrun (and Ray Train), Open MPI,
// MVAPICH2, MPICH, Intel MPI and other PMI launchers, Slurm.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace tauprof::capture {

struct Placement {
  const char* launcher = "";  // torchrun, openmpi, mvapich2, mpich, slurm; empty: no known one
  int64_t rank = -1;
  int64_t world_size = 0;
  int64_t local_rank = -1;
  int64_t local_world_size = 0;
  char run_id[96] = "";  // if the launcher gives one
};

Placement read_placement();

}  // namespace tauprof::capture
