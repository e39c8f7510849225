// A communicator on one rank.
//
// Handles are numbers; operations in flight and captured graphs keep the object alive after its handle is gone.
#pragma once

#include <nccl.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "simgpu/engine/stream.h"
#include "simgpu/nccl/configuration.h"
#include "simgpu/nccl/meeting_place.h"

namespace simgpu::nccl {

class Initialization;

// Numbers that are finished out of order. `add` returns the first number that is not finished.
class FinishedNumbers {
 public:
  std::uint64_t add(std::uint64_t number);

 private:
  std::uint64_t next_ = 0;
  std::set<std::uint64_t> beyond_;
};

class Communicator {
 public:
  enum class Phase : std::uint8_t { Initializing, Ready, Finalizing, Finalized, Revoked, Aborted, Failed };

  Communicator(int communicator_device, const Configuration& wanted)
      : device(communicator_device), configuration(wanted) {}
  // Call before it joins the others.
  void identify(std::uint64_t its_number, int own_rank, int its_ranks);

  const int device;
  const Configuration configuration;
  std::uint64_t number = 0;  // the same on all ranks
  int rank = 0;
  int ranks = 0;
  const char* name = "";  // the number as text
  std::shared_ptr<MeetingPlace> place;
  void* profiler_context = nullptr;  // a plugin's

  std::atomic<Phase> phase{Phase::Initializing};
  std::atomic<ncclResult_t> async_result{ncclSuccess};
  std::atomic<Nanoseconds> stopped_at{0};  // by abort or revoke; 0: not stopped

  // Numbers of operations, in program order.
  std::uint64_t next_collective();
  std::uint64_t next_send(int peer);
  std::uint64_t next_receive(int peer);
  // The initialization under way of this communicator, or of one that is split from it; null: none.
  std::shared_ptr<Initialization> initialization();
  void set_initialization(std::shared_ptr<Initialization> initialization);

  std::uint64_t next_split() { return splits_++; }
  std::uint64_t next_shrink() { return shrinks_++; }
  std::uint64_t next_grow() { return grows_++; }
  std::uint64_t grows() const { return grows_; }
  std::uint64_t finish_collective(std::uint64_t number_of_operation);
  std::uint64_t finish_send(int peer, std::uint64_t number_of_operation);
  std::uint64_t finish_receive(int peer, std::uint64_t number_of_operation);

  void track(const OperationRef& operation);
  bool is_idle();
  cudaError_t wait_until_idle();
  // For abort and revoke: abandons the operations in flight.
  void stop_operations();

  // Returns the previous operation's stream; null: none, or it is gone.
  StreamRef exchange_last_stream(const StreamRef& stream);

 private:
  std::mutex mutex_;
  std::uint64_t collectives_ = 0;
  std::atomic<std::uint64_t> splits_{0}, shrinks_{0}, grows_{0};
  std::vector<std::uint64_t> sends_, receives_;
  FinishedNumbers finished_collectives_;
  std::vector<FinishedNumbers> finished_sends_, finished_receives_;
  std::deque<std::weak_ptr<Operation>> in_flight_;
  std::weak_ptr<Stream> last_stream_;
  std::shared_ptr<Initialization> initialization_;
};

using CommunicatorRef = std::shared_ptr<Communicator>;

ncclComm_t register_communicator(CommunicatorRef communicator);
CommunicatorRef find_communicator(ncclComm_t handle);
CommunicatorRef forget_communicator(ncclComm_t handle);

}  // namespace simgpu::nccl
