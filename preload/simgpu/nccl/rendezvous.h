// Where the ranks of one operation exchange its facts: a ring of slots in shared memory.
//
// Operation number s uses slot s mod depth. Each participant writes only its own post, so no lock is needed: it fills
// in the post and then publishes s. A post of number s may be written when all participants are done with number s −
// depth. A participant that is further ahead leaves a mark, and whoever frees the slot rings its doorbell; meanwhile
// its operation waits, but its thread does not. Readers use the times in the posts, not the time of reading, so a late
// wake-up changes nothing.
#pragma once

#include <atomic>
#include <cstdint>

#include "simgpu/engine/clock.h"

namespace simgpu::nccl {

struct Post {
  std::atomic<std::uint64_t> published;  // number + 1
  std::atomic<std::uint64_t> taken;      // number + 1, once its writer has all the data that it needs from the others
  Nanoseconds arrival;
  std::uint64_t signature;
  std::uint64_t send_buffer;
  double scale;            // see Message
  double link_factor;      // on arrival
  std::uint32_t sharing;   // the number of sends, or receives, in the same kernel
  std::uint8_t is_busy;    // a compute kernel ran on its device
  std::uint8_t is_stored;  // its data is in shared memory, because it does not wait for its readers
  std::uint8_t unused[2];
};

struct Cursor {
  std::atomic<std::uint64_t> done;  // with all smaller numbers
  std::atomic<std::uint64_t> wants_room;
};

class Rendezvous {
 public:
  static std::size_t bytes_needed(int participants, int depth);
  // `memory` must be zero at first.
  Rendezvous(void* memory, int participants, int depth);
  Rendezvous() = default;

  // False: the slot is still in use; who_wants_room() will then return this participant.
  bool may_post(int participant, std::uint64_t number);
  Post& post_of(int participant, std::uint64_t number) const;
  void publish(int participant, std::uint64_t number);
  // Null: not arrived yet.
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
