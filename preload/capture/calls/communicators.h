// The NCCL communicators of the process: their identities and the sequence numbers of their collectives.
//
// A communicator has the same identity on all members, and no message is needed for that. It is derived from the unique
// id, which all members have; for a communicator from ncclCommSplit, from the parent's identity, the number of splits
// of the parent so far (every member calls each of them) and the color. ncclCommGrow gives those that join an id and no
// parent, and its old members no id, but one: that one tells both identities, and the analyzer unites them, and those
// that follow from them.
//
// Sequence numbers count a communicator's collectives from 1, recording or not. A send or receive carries the number of
// the next collective and does not count, with one exception: a group in which a rank sends to every other rank and
// receives from every other is an all-to-all. It counts as one collective, on all members.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "log/writer.h"

namespace tauprof::capture {

struct Communicator {
  uint32_t number;  // from 1
  uint32_t parent;
  uint64_t identity;
  uint64_t part;             // which part of the parent: the same on all members; 0: it has no parent
  uint64_t joined_identity;  // on members that joined, if this one handed out the id; 0: not known
  int32_t size;              // 0: not known yet
  int32_t rank;
  int32_t device;
  uint64_t sequence;  // of the last collective
  uint32_t splits, shrinks, grows;
  uint64_t open_group;  // the group that these messages belong to:
  int32_t group_sends, group_receives;

  uint64_t next_sequence() const { return __atomic_load_n(&sequence, __ATOMIC_RELAXED) + 1; }
  uint64_t advance(uint64_t count = 1) { return __atomic_add_fetch(&sequence, count, __ATOMIC_RELAXED); }
};

class Communicators {
 public:
  static constexpr uint32_t kMost = 4096;

  // Null: not known. It was created before recording started, or there are too many.
  Communicator* find(const void* handle) const;

  struct Facts {
    uint64_t identity;
    int32_t size, rank, device;
    uint32_t parent;
    uint64_t part = 0;
    uint64_t joined_identity = 0;
  };
  Communicator* add(const void* handle, const Facts& facts);
  void set_size(Communicator& communicator, int32_t size, int32_t rank);
  // The handle may be reused soon.
  void forget(const void* handle);

  // Hooks see that `count` communicators are being created, or that it has failed. NCCL may tell its profiler of each,
  // later and on another thread, which takes one of them: true, if hooks see the communicator.
  void expect(int count) { __atomic_add_fetch(&expected_, count, __ATOMIC_RELAXED); }
  bool take_expected();

  // The largest so far, or null. Gives the rank and world size where no launcher does.
  const Communicator* largest() const;

  // The calls between one ncclGroupStart and its end share the number of a group.
  uint64_t new_group() { return __atomic_add_fetch(&groups_, 1, __ATOMIC_RELAXED); }
  // The sequence number of a collective or message that is launched now. `group` 0: in no group.
  uint64_t count(Communicator& communicator, log::Operation operation, uint64_t group);
  // Counts the group's messages as a collective where they are an all-to-all.
  void end_group(uint64_t group);

  // Writes the rows of new and changed communicators. For the writer thread.
  void write_rows(log::Writer& writer);

 private:
  static constexpr uint32_t kSlots = 2 * kMost;
  static constexpr uintptr_t kForgotten = 1;
  struct Slot {
    uintptr_t handle;
    uint32_t index;
  };
  static uint32_t first_slot(uintptr_t handle) { return static_cast<uint32_t>((handle >> 4) * 0x9E3779B1u) % kSlots; }
  static void add_message(Communicator& communicator, uint64_t group, bool is_send);
  void changed() { __atomic_add_fetch(&version_, 1, __ATOMIC_RELEASE); }

  Slot slots_[kSlots];
  Communicator all_[kMost];
  uint64_t groups_;
  uint32_t count_;
  uint32_t lock_;
  int32_t expected_;
  uint32_t version_;
  uint32_t written_version_;
};

extern Communicators communicators;

// A 64-bit hash of some bytes, never 0.
uint64_t identity_of(const void* bytes, size_t size, uint64_t seed);

}  // namespace tauprof::capture
