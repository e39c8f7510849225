// The data of small operations, between processes.
//
// A rank that waits for those who want its data leaves it where it is: they read it out of its memory
// (process_vm_readv), say that they have it, and only then does the operation end for it, so that the program cannot
// change it too early. Results are written once everybody has read, because sent and received data may be the same
// memory. A rank that ends early puts its data into shared memory instead, as NCCL puts it into its buffers. Data that
// cannot be read (another container, freed memory) is passed over; times do not depend on it.
#pragma once

#include <cstdint>
#include <vector>

#include "simgpu/nccl/communicator.h"
#include "simgpu/nccl/message.h"
#include "simgpu/nccl/rendezvous.h"

namespace simgpu::nccl {

// A participant's place at a rendezvous.
struct Seat {
  Rendezvous* rendezvous = nullptr;
  int self = 0;
  std::vector<int> ranks;  // of the participants
};

class DataExchange {
 public:
  DataExchange(CommunicatorRef communicator, const Message& message, std::uint64_t number);

  // Before the post is published.
  void offer(const Seat& seat, Post& post) const;
  // Once everybody that this rank needs has arrived. False: somebody has not read this rank's data yet.
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
  bool is_whole_ = false;  // everything could be read
  std::vector<char> result_;
};

}  // namespace simgpu::nccl
