// The environment variables by which launchers tell a process its place in the job.
#pragma once

namespace tauprof {

// A variable that is null does not exist.
struct Launcher {
  const char* name;
  const char* rank;
  const char* world_size;
  const char* local_rank;
  const char* local_world_size;
  const char* run_id;
  const char* restart;  // distinguishes the runs of one job
};

// In order of trust: inside an MPI or Slurm job it is torchrun that started this process.
inline constexpr Launcher kLaunchers[] = {
    {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "TORCHELASTIC_RUN_ID",
     "TORCHELASTIC_RESTART_COUNT"},
    {"openmpi", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE", "PMIX_NAMESPACE", nullptr},
    // MVAPICH2's own launchers; under Hydra it looks like MPICH.
    {"mvapich2", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE",
     nullptr, nullptr},
    // MPICH and Intel MPI.
    {"mpich", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", "PMI_JOBID", nullptr},
    {"slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", nullptr, nullptr, nullptr},
};

}  // namespace tauprof
