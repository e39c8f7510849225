// Which ranks form which communicators. Tensor-parallel ranks are innermost, then data-parallel ones,
// then pipeline stages: rank = (stage · data + d) · tensor + t.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "job_spec.h"

namespace tauprof::generator {

// With a communicator for each pair of stages, kPipelineParallel is the one with the stage before.
enum CommunicatorRole : int {
  kDataParallel = 0,
  kTensorParallel = 1,
  kPipelineParallel = 2,
  kNextStage = 3,
  kCommunicatorRoles = 4
};

struct Communicator {
  std::string identity;
  std::vector<int> members;  // global ranks, ascending
  int index_of(int rank) const;
  int64_t hash() const;  // of the identity: equal on all members, different for other communicators
};

class Communicators {
 public:
  explicit Communicators(const JobSpec& spec);
  const Communicator& of(int rank, int role) const { return all_[index(rank, role)]; }
  int index(int rank, int role) const { return by_rank_[rank * kCommunicatorRoles + role]; }
  const Communicator& at(int index) const { return all_[index]; }
  int stage(int rank) const { return rank / ranks_per_stage_; }

 private:
  std::vector<Communicator> all_;
  std::vector<int> by_rank_;
  int ranks_per_stage_;
};

}  // namespace tauprof::generator
