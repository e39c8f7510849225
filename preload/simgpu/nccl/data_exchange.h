// The data of small operations, between processes.
//
// A rank that waits for the readers of its data leaves the data in place. They read it from its memory
// (process_vm_readv) and acknowledge; only then does the operation end on this rank, so that the program cannot change
// the data too early. Results are written after all have read, because sent and received data may be the same memory. A
// rank that ends early copies its data to shared memory instead, as NCCL copies it to its buffers. Data that cannot be
// read (another container, freed memory) is skipped; times do not depend on it.
#pragma once

#include <cstdint>
#include <vector>

#include "simgpu/nccl/communicator.h"
#include "simgpu/nccl/message.h"
#include "simgpu/nccl/rendezvous.h"

namespace simgpu::nccl {

// A participant's seat at a rendezvous.
struct Seat {
  Rendezvous* rendezvous = nullptr;
  int self = 0;
  std::vector<int> ranks;  // of the participants
};

class DataExchange {
 public:
  DataExchange(CommunicatorRef communicator, const Message& message, std::uint64_t number);

  // Call before the post is published.
  void offer(const Seat& seat, Post& post) const;
  // Call when all ranks that this one needs have arrived. False: a rank has not read this rank's data yet.
  bool advance(const Seat& seat);

 private:
  bool moves() const;
  bool gives_to(const Seat& seat, int participant) const;
  bool takes_from(const Seat& seat, int participant) const;
  void take(const Seat& seat);
  bool is_given(const Seat& seat) const;
  void tell_taken(const Seat& seat) const;
  bool read_block(const Seat& seat, int participant, std::uint64_t offset, std::vector<char>* out) const;
  void* storage(const Seat& seat, int participant) const;
  void place_result() const;

  CommunicatorRef communicator_;
  Message message_;
  std::uint64_t number_;
  bool is_taken_ = false;
  bool is_whole_ = false;  // all data could be read
  std::vector<char> result_;
};

}  // namespace simgpu::nccl
