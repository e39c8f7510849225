// The table of handles, numbers of operations, and what is in flight.
#include "simgpu/nccl/communicator.h"

#include <algorithm>
#include <cstdio>

#include "simgpu/engine/call.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/handle_table.h"

namespace simgpu::nccl {
namespace {

constexpr std::uintptr_t kHandleBase = 0x6e63'636c'0000;

struct Table {
  std::mutex mutex;
  HandleTable<Communicator> communicators{kHandleBase};
};

Table& table() {
  static auto& table = *new Table;
  return table;
}

const char* name_of(std::uint64_t number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%016lx", static_cast<unsigned long>(number));
  return interned_name(text);
}

}  // namespace

std::uint64_t FinishedNumbers::add(std::uint64_t number) {
  beyond_.insert(number);
  while (!beyond_.empty() && *beyond_.begin() == next_) {
    beyond_.erase(beyond_.begin());
    ++next_;
  }
  return next_;
}

void Communicator::identify(std::uint64_t its_number, int own_rank, int its_ranks) {
  number = its_number;
  rank = own_rank;
  ranks = its_ranks;
  name = name_of(number);
  sends_.resize(ranks);
  receives_.resize(ranks);
  finished_sends_.resize(ranks);
  finished_receives_.resize(ranks);
}

std::shared_ptr<Initialization> Communicator::initialization() {
  const std::lock_guard lock(mutex_);
  return initialization_;
}

void Communicator::set_initialization(std::shared_ptr<Initialization> initialization) {
  const std::lock_guard lock(mutex_);
  initialization_.swap(initialization);
}

std::uint64_t Communicator::next_collective() {
  const std::lock_guard lock(mutex_);
  return collectives_++;
}

std::uint64_t Communicator::next_send(int peer) {
  const std::lock_guard lock(mutex_);
  return sends_[peer]++;
}

std::uint64_t Communicator::next_receive(int peer) {
  const std::lock_guard lock(mutex_);
  return receives_[peer]++;
}

std::uint64_t Communicator::finish_collective(std::uint64_t number_of_operation) {
  const std::lock_guard lock(mutex_);
  return finished_collectives_.add(number_of_operation);
}

std::uint64_t Communicator::finish_send(int peer, std::uint64_t number_of_operation) {
  const std::lock_guard lock(mutex_);
  return finished_sends_[peer].add(number_of_operation);
}

std::uint64_t Communicator::finish_receive(int peer, std::uint64_t number_of_operation) {
  const std::lock_guard lock(mutex_);
  return finished_receives_[peer].add(number_of_operation);
}

void Communicator::track(const OperationRef& operation) {
  const std::lock_guard lock(mutex_);
  while (!in_flight_.empty() && in_flight_.front().expired()) in_flight_.pop_front();
  in_flight_.push_back(operation);
}

bool Communicator::is_idle() {
  std::deque<std::weak_ptr<Operation>> operations;
  {
    const std::lock_guard lock(mutex_);
    operations = in_flight_;
  }
  return std::all_of(operations.begin(), operations.end(), [](const auto& weak) {
    const OperationRef operation = weak.lock();
    return !operation || end_of(operation);
  });
}

cudaError_t Communicator::wait_until_idle() {
  std::deque<std::weak_ptr<Operation>> operations;
  {
    const std::lock_guard lock(mutex_);
    operations = in_flight_;
  }
  for (const auto& weak : operations) {
    const OperationRef operation = weak.lock();
    const cudaError_t error = operation ? wait_for(operation) : cudaSuccess;
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

void Communicator::stop_operations() {
  stopped_at.store(host_now());
  std::deque<std::weak_ptr<Operation>> operations;
  {
    const std::lock_guard lock(mutex_);
    operations.swap(in_flight_);
  }
  for (const auto& weak : operations) {
    const OperationRef operation = weak.lock();
    if (operation && !end_of(operation)) abandon_operation(operation);
  }
}

StreamRef Communicator::exchange_last_stream(const StreamRef& stream) {
  const std::lock_guard lock(mutex_);
  StreamRef before = last_stream_.lock();
  last_stream_ = stream;
  return before;
}

ncclComm_t register_communicator(CommunicatorRef communicator) {
  const std::lock_guard lock(table().mutex);
  return table().communicators.insert<ncclComm_t>(std::move(communicator));
}

CommunicatorRef find_communicator(ncclComm_t handle) {
  const std::lock_guard lock(table().mutex);
  return table().communicators.find(handle);
}

CommunicatorRef forget_communicator(ncclComm_t handle) {
  const std::lock_guard lock(table().mutex);
  return table().communicators.remove(handle);
}

}  // namespace simgpu::nccl
