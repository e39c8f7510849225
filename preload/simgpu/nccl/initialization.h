// The initialization of a communicator on one rank, without a thread of its own.
//
// advance() does what is possible now and says whether it is finished. A blocking call repeats it until then. A group
// advances its calls alternately, so that one thread can initialize several ranks. ncclCommGetAsyncError advances a
// nonblocking communicator.
#pragma once

#include <nccl.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "simgpu/nccl/communicator.h"

namespace simgpu::nccl {

// Ranks with equal values make the same communicator. `order` is the number of the split or shrink.
std::uint64_t child_number(const Communicator& parent, std::uint64_t order, std::uint64_t which);

class Initialization {
 public:
  // Joins the ranks of `communicator`, whose number and ranks are known.
  explicit Initialization(CommunicatorRef communicator);
  // First agrees with all ranks of `parent` on who belongs together. `communicator` is null without a colour.
  Initialization(CommunicatorRef communicator, CommunicatorRef parent, int color, int key);

  // ncclInProgress: call again.
  ncclResult_t advance();
  // The handle of `communicator`, and where the program keeps it: both are reset if the initialization fails.
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
  Nanoseconds looked_at_ = 0;  // when the others were last checked to be alive
};

using InitializationRef = std::shared_ptr<Initialization>;

// Advances all blocking initializations until they are finished and returns the first error. Returns ncclInProgress if
// nonblocking ones remain.
ncclResult_t finish(const std::vector<InitializationRef>& initializations);

}  // namespace simgpu::nccl
