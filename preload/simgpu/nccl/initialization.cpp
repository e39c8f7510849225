// A split publishes colour and key, reads those of all ranks, and then joins. A join enters the meeting place, waits
// for all ranks, and checks them.
#include "simgpu/nccl/initialization.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "simgpu/engine/device.h"
#include "simgpu/nccl/debug_log.h"
#include "simgpu/nccl/hashing.h"
#include "simgpu/nccl/profiler.h"

namespace simgpu::nccl {
namespace {

constexpr useconds_t kFirstPause = 100, kLongestPause = 5000;
constexpr Nanoseconds kLookInterval = 200'000'000;

}  // namespace

std::uint64_t child_number(const Communicator& parent, std::uint64_t order, std::uint64_t which) {
  return combined(combined(parent.number, order + 1), which);
}

Initialization::Initialization(CommunicatorRef communicator)
    : communicator_(std::move(communicator)),
      is_blocking_(communicator_->configuration.is_blocking),
      has_chosen_(true) {}

Initialization::Initialization(CommunicatorRef communicator, CommunicatorRef parent, int color, int key)
    : communicator_(std::move(communicator)),
      parent_(std::move(parent)),
      color_(color),
      key_(key),
      split_(parent_->next_split()),
      is_blocking_(parent_->configuration.is_blocking) {
  SplitChoice& own = parent_->place->member(parent_->rank).choices[split_ % kSplitsInFlight];
  own.color = color;
  own.key = key;
  own.published.store(split_ + 1);
}

void Initialization::give_handle(ncclComm_t* target) {
  target_ = target;
  handle_ = communicator_ ? register_communicator(communicator_) : nullptr;
  *target_ = handle_;
}

ncclResult_t Initialization::advance() {
  const std::lock_guard lock(mutex_);
  if (result_ != ncclInProgress) return result_;
  result_ = step();
  if (result_ != ncclInProgress) conclude();
  return result_;
}

ncclResult_t Initialization::step() {
  const auto is_aborted = [](const CommunicatorRef& one) { return one && one->phase == Communicator::Phase::Aborted; };
  if (is_aborted(parent_) || is_aborted(communicator_)) return refuse(ncclInvalidUsage, "the communicator was aborted");
  if (!has_chosen_) {
    const ncclResult_t chosen = choose();
    if (chosen != ncclSuccess) return chosen;
    has_chosen_ = true;
  }
  return communicator_ ? join() : ncclSuccess;
}

ncclResult_t Initialization::choose() {
  std::vector<std::pair<int, int>> members;  // (key, rank in the parent) of each rank with our colour
  for (int rank = 0; rank < parent_->ranks; ++rank) {
    const SplitChoice& choice = parent_->place->member(rank).choices[split_ % kSplitsInFlight];
    if (choice.published.load() != split_ + 1) return check_life(*parent_);
    if (choice.color == color_) members.emplace_back(choice.key, rank);
  }
  if (!communicator_) return ncclSuccess;
  std::sort(members.begin(), members.end());
  const auto self = std::find(members.begin(), members.end(), std::pair(key_, parent_->rank));
  communicator_->identify(child_number(*parent_, split_, static_cast<std::uint64_t>(color_) + 1),
                          static_cast<int>(self - members.begin()), static_cast<int>(members.size()));
  return ncclSuccess;
}

ncclResult_t Initialization::join() {
  Communicator& own = *communicator_;
  if (!own.place) {
    const ncclResult_t entered = MeetingPlace::enter(own.number, own.rank, own.ranks, own.device, &own.place);
    if (entered == ncclInvalidUsage) {
      return refuse(entered, "rank %d of %d is taken, or the ranks disagree about their number", own.rank, own.ranks);
    }
    if (entered != ncclSuccess) return refuse(entered, "Error: shared memory for communicator %s", own.name);
    log_info("ncclCommInitRank comm %p rank %d nranks %d cudaDev %d nvmlDev %d commId 0x%s - Init START",
             static_cast<void*>(handle_), own.rank, own.ranks, own.device, physical_device(own.device), own.name);
  }
  if (own.place->is_complete()) return check_members();
  return check_life(own);
}

// ncclInProgress as long as the others may still come.
ncclResult_t Initialization::check_life(const Communicator& communicator) {
  if (host_now() - looked_at_ < kLookInterval) return ncclInProgress;
  looked_at_ = host_now();
  const int lost = communicator.place->lost_member(communicator.rank);
  return lost < 0 ? ncclInProgress : refuse(ncclRemoteError, "rank %d is gone", lost);
}

// All ranks see the same members and get the same result.
ncclResult_t Initialization::check_members() const {
  const Communicator& own = *communicator_;
  if (own.rank == 0) own.place->close_entrance();
  for (int a = 0; a < own.ranks; ++a) {
    for (int b = a + 1; b < own.ranks; ++b) {
      const Member &first = own.place->member(a), &second = own.place->member(b);
      if (first.host != second.host || first.physical_device != second.physical_device) continue;
      return refuse(ncclInvalidUsage, "Duplicate GPU detected : rank %d and rank %d both on CUDA device %x", a, b,
                    (first.physical_device + 1) << 12);
    }
  }
  log_info("ncclCommInitRank comm %p rank %d nranks %d cudaDev %d nvmlDev %d commId 0x%s - Init COMPLETE",
           static_cast<void*>(handle_), own.rank, own.ranks, own.device, physical_device(own.device), own.name);
  return ncclSuccess;
}

void Initialization::conclude() {
  if (communicator_) {
    const bool is_up = result_ == ncclSuccess;
    auto expected = Communicator::Phase::Initializing;
    communicator_->phase.compare_exchange_strong(expected,
                                                 is_up ? Communicator::Phase::Ready : Communicator::Phase::Failed);
    communicator_->async_result = result_;
    if (is_up) profile_communicator(*communicator_);
    // A nonblocking communicator keeps its handle, so that the program can query and abort it.
    if (!is_up && is_blocking_ && find_communicator(handle_) == communicator_) {
      forget_communicator(handle_);
      *target_ = nullptr;
    }
  }
  communicator_.reset();
  parent_.reset();
}

ncclResult_t finish(const std::vector<InitializationRef>& initializations) {
  useconds_t pause = kFirstPause;
  for (;;) {
    bool is_waiting = false, goes_on = false;
    ncclResult_t failure = ncclSuccess;
    for (const InitializationRef& one : initializations) {
      const ncclResult_t result = one->advance();
      if (result == ncclInProgress) {
        goes_on = true;
        is_waiting = is_waiting || one->is_blocking();
      } else if (failure == ncclSuccess) {
        failure = result;
      }
    }
    if (!is_waiting) return failure == ncclSuccess && goes_on ? ncclInProgress : failure;
    usleep(pause);
    pause = std::min(2 * pause, kLongestPause);
  }
}

}  // namespace simgpu::nccl
