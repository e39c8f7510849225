// This process's rank, from the environment that torchrun, mpirun or this program's launcher sets.
#pragma once

#include <optional>
#include <string>

namespace training {

struct RankPlacement {
  int rank = 0;
  int ranks = 1;
  int local_rank = 0;  // on this machine
  int local_ranks = 1;
  std::string master_address = "127.0.0.1";  // where rank 0 distributes the NCCL id
  int port = 0;
};

// nullopt if this process was not started as a rank.
std::optional<RankPlacement> rank_from_environment();

}  // namespace training
