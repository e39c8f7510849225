// See ranks.h.
#include "ranks.h"

#include <unistd.h>

#include <cstdlib>

namespace training {
namespace {

struct Variables {
  const char *rank, *ranks, *local_rank, *local_ranks;
};

constexpr Variables kLaunchers[] = {
    {"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE"},
};

int number_of(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : otherwise;
}

// torchrun's own store listens at MASTER_PORT. mpirun and srun give no port, but the parent of all ranks is the
// same process.
int rendezvous_port() {
  constexpr int kFirst = 20000, kPorts = 10000;
  if (std::getenv("MASTER_PORT") == nullptr) return kFirst + getppid() % kPorts;
  return number_of("MASTER_PORT", 0) + (std::getenv("TORCHELASTIC_RUN_ID") != nullptr ? 1 : 0);
}

}  // namespace

std::optional<RankPlacement> rank_from_environment() {
  for (const Variables& names : kLaunchers) {
    if (std::getenv(names.rank) == nullptr || std::getenv(names.ranks) == nullptr) continue;
    RankPlacement placement;
    placement.rank = number_of(names.rank, 0);
    placement.ranks = number_of(names.ranks, 1);
    placement.local_rank = number_of(names.local_rank, placement.rank);
    placement.local_ranks = number_of(names.local_ranks, placement.ranks);
    if (const char* address = std::getenv("MASTER_ADDR")) placement.master_address = address;
    placement.port = rendezvous_port();
    return placement;
  }
  return std::nullopt;
}

}  // namespace training
