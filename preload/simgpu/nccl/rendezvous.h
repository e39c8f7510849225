// Where the ranks that take part in one operation find each other's facts: a ring of slots in shared memory.
//
// Operation number s uses slot s mod depth. Each participant writes only its own post, so nothing needs a lock: it
// fills the post in and then publishes s. Nobody may write a post of number s before all participants are done with
// number s − depth; who is so far ahead waits (its operation goes on waiting, its thread does not) and leaves a mark,
// and whoever makes room rings its bell. Times are written, never taken when read: a late wake-up changes none.
#pragma once

#include <atomic>
#include <cstdint>

#include "simgpu/engine/clock.h"

namespace simgpu::nccl {

struct Post {
  std::atomic<std::uint64_t> published;  // number + 1
  std::atomic<std::uint64_t> taken;      // number + 1, once its writer has all data that it needs of the others
  Nanoseconds arrival;
  std::uint64_t signature;
  std::uint64_t send_buffer;
  double scale;            // see Message
  double link_factor;      // as it arrives
  std::uint32_t sharing;   // sends, or receives, of the same kernel
  std::uint8_t is_busy;    // a compute kernel ran on its device
  std::uint8_t is_stored;  // its data is in shared memory, because it does not wait for those who want it
  std::uint8_t unused[2];
};

struct Cursor {
  std::atomic<std::uint64_t> done;  // with all numbers below
  std::atomic<std::uint64_t> wants_room;
};

class Rendezvous {
 public:
  static std::size_t bytes_needed(int participants, int depth);
  // `memory` is zero at first.
  Rendezvous(void* memory, int participants, int depth);
  Rendezvous() = default;

  // False: the slot is still needed; this participant will be found by who_wants_room().
  bool may_post(int participant, std::uint64_t number);
  Post& post_of(int participant, std::uint64_t number) const;
  void publish(int participant, std::uint64_t number);
  // Null: it has not arrived.
  const Post* find(int participant, std::uint64_t number) const;
  bool all_arrived(std::uint64_t number) const;
  void finish_below(int participant, std::uint64_t number);
  bool wants_room(int participant) const;
  int participants() const { return participants_; }

 private:
  bool has_room(std::uint64_t number) const;

  Cursor* cursors_ = nullptr;
  Post* posts_ = nullptr;
  int participants_ = 0;
  int depth_ = 0;
};

}  // namespace simgpu::nccl
