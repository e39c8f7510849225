// Which rank this process is, as torchrun, mpirun or the launcher here says through the environment.
#pragma once

#include <optional>
#include <string>

namespace training {

struct RankPlace {
  int rank = 0;
  int ranks = 1;
  int local_rank = 0;  // on this machine
  int local_ranks = 1;
  std::string master_address = "127.0.0.1";  // where rank 0 hands out what all must know
  int port = 0;
};

// nullopt: nobody started this process as a rank.
std::optional<RankPlace> rank_from_environment();

}  // namespace training
