// All accesses are sequentially consistent: one rank publishes and then checks for marks, another marks and then checks
// what is published, and they must not miss each other.
#include "simgpu/nccl/rendezvous.h"

namespace simgpu::nccl {

std::size_t Rendezvous::bytes_needed(int participants, int depth) {
  return participants * (sizeof(Cursor) + depth * sizeof(Post));
}

Rendezvous::Rendezvous(void* memory, int participants, int depth)
    : cursors_(static_cast<Cursor*>(memory)),
      posts_(reinterpret_cast<Post*>(cursors_ + participants)),
      participants_(participants),
      depth_(depth) {}

bool Rendezvous::has_room(std::uint64_t number) const {
  for (int i = 0; i < participants_; ++i) {
    if (cursors_[i].done.load() + depth_ <= number) return false;
  }
  return true;
}

bool Rendezvous::may_post(int participant, std::uint64_t number) {
  if (has_room(number)) return true;
  cursors_[participant].wants_room.store(1);
  if (!has_room(number)) return false;
  cursors_[participant].wants_room.store(0);
  return true;
}

Post& Rendezvous::post_of(int participant, std::uint64_t number) const {
  return posts_[(number % depth_) * participants_ + participant];
}

void Rendezvous::publish(int participant, std::uint64_t number) {
  cursors_[participant].wants_room.store(0);
  post_of(participant, number).published.store(number + 1);
}

const Post* Rendezvous::find(int participant, std::uint64_t number) const {
  const Post& post = post_of(participant, number);
  return post.published.load() == number + 1 ? &post : nullptr;
}

bool Rendezvous::all_arrived(std::uint64_t number) const {
  for (int i = 0; i < participants_; ++i) {
    if (!find(i, number)) return false;
  }
  return true;
}

void Rendezvous::finish_below(int participant, std::uint64_t number) { cursors_[participant].done.store(number); }

bool Rendezvous::wants_room(int participant) const { return cursors_[participant].wants_room.load() != 0; }

}  // namespace simgpu::nccl
