// How a communicator comes into being: rank by rank, without a thread of its own.
//
// advance() does what can be done and says whether that was all. A blocking call asks until it is; the calls of a group
// are asked in turn, so that one thread can bring up several ranks; of a nonblocking communicator,
// ncclCommGetAsyncError asks.
#pragma once

#include <nccl.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "simgpu/nccl/communicator.h"

namespace simgpu::nccl {

// Two ranks that agree about these make the same communicator. `order` is the number of the split or shrink.
std::uint64_t child_number(const Communicator& parent, std::uint64_t order, std::uint64_t which);

class Initialization {
 public:
  // Joins the ranks of `communicator`, which knows its number and ranks.
  explicit Initialization(CommunicatorRef communicator);
  // First finds out with all ranks of `parent` who belongs together. `communicator` is null without a colour.
  Initialization(CommunicatorRef communicator, CommunicatorRef parent, int color, int key);

  // ncclInProgress: ask again.
  ncclResult_t advance();
  // The handle of `communicator`, and where the program has it: both go when the initialization fails.
  void give_handle(ncclComm_t* target);
  bool is_blocking() const { return is_blocking_; }

 private:
  ncclResult_t step();
  ncclResult_t choose();
  ncclResult_t join();
  ncclResult_t check_life(const Communicator& communicator);
  ncclResult_t check_members() const;
  void conclude();

  std::mutex mutex_;
  CommunicatorRef communicator_;
  CommunicatorRef parent_;
  int color_ = 0, key_ = 0;
  std::uint64_t split_ = 0;
  bool is_blocking_;
  bool has_chosen_ = false;
  ncclComm_t* target_ = nullptr;
  ncclComm_t handle_ = nullptr;
  ncclResult_t result_ = ncclInProgress;
  Nanoseconds looked_at_ = 0;  // when it was last checked that the others live
};

using InitializationRef = std::shared_ptr<Initialization>;

// Asks until all blocking ones are done; the first error is the result. Nonblocking ones are left to go on:
// ncclInProgress.
ncclResult_t finish(const std::vector<InitializationRef>& initializations);

}  // namespace simgpu::nccl
