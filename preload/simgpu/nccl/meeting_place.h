// The shared memory in which the ranks of one communicator meet.
//
// A POSIX shared memory file named by the communicator's number. The first rank creates it, each rank takes its seat in
// it, and it is unlinked when all have arrived; later programs remove what killed ones left behind. It holds the
// members, the colours of splits, one rendezvous for collectives and one per ordered pair of ranks (the sender is
// participant 0, the receiver 1), and space for the data of small messages whose senders do not wait.
#pragma once

#include <nccl.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "simgpu/nccl/process_identity.h"
#include "simgpu/nccl/rendezvous.h"
#include "simgpu/nccl/transfer_time.h"

namespace simgpu::nccl {

constexpr int kSplitsInFlight = 64;

enum class MemberState : std::uint32_t { Absent, Joining, Joined, Left, Aborted };

struct SplitChoice {
  std::atomic<std::uint64_t> published;  // number of the split + 1
  int color;
  int key;
};

struct Member {
  std::atomic<MemberState> state;
  ProcessIdentity process;
  std::uint64_t host;
  int physical_device;
  double link_factor;
  char doorbell[64];
  SplitChoice choices[kSplitsInFlight];
};

class MeetingPlace {
 public:
  // Takes the seat of `rank` without waiting for the others. ncclInvalidUsage: the seat is taken, or the others expect
  // another number of ranks. ncclSystemError: no shared memory.
  static ncclResult_t enter(std::uint64_t communicator, int rank, int ranks, int device,
                            std::shared_ptr<MeetingPlace>* out);
  ~MeetingPlace();
  MeetingPlace(const MeetingPlace&) = delete;
  MeetingPlace& operator=(const MeetingPlace&) = delete;

  bool is_complete() const;
  // Call once, when all ranks have arrived.
  void close_entrance();

  int ranks() const { return ranks_; }
  Member& member(int rank) const { return members_[rank]; }
  const TransferSettings& settings() const;
  Rendezvous& collectives() { return collectives_; }
  Rendezvous& pair(int sender, int receiver) { return pairs_[sender * ranks_ + receiver]; }

  // Space for kBufferedBytes of one participant's data; null if shared memory is full.
  void* stored_collective(int rank, std::uint64_t number);
  void* stored_send(int sender, int receiver, std::uint64_t number);

  void ring(int rank) const;
  void ring_all() const;
  // Removes the files of dead programs.
  static void sweep();
  // The first member that has aborted, or whose process died without leaving; −1: none.
  int lost_member(int self) const;

 private:
  struct Header;
  MeetingPlace(int file, void* memory, std::size_t bytes, std::string name, int ranks);
  static ncclResult_t open(std::uint64_t communicator, int ranks, std::shared_ptr<MeetingPlace>* out);
  static bool is_left_behind(int file);
  void prepare();
  void lay_out();
  void* stored(std::size_t index);

  int file_;
  char* memory_;
  std::size_t bytes_;
  std::string name_;
  int ranks_;
  Header* header_;
  Member* members_;
  Rendezvous collectives_;
  std::vector<Rendezvous> pairs_;
  std::size_t storage_offset_ = 0;
};

}  // namespace simgpu::nccl
