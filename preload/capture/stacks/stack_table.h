// Numbers the stacks that threads take, so that a ring unit can carry the number. Lookups take no lock. The table is
// bounded: when it is full, new stacks get no number and are counted.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/base/arena.h"

namespace tauprof::capture {

// A native frame is its return address. A Python frame has the highest bit set, which no address has, then the number
// of its code object (31 bits) and its instruction (32 bits).
using StackFrame = uint64_t;
inline constexpr StackFrame kPythonFrame = uint64_t{1} << 63;

inline StackFrame python_frame(uint32_t code, int32_t instruction) {
  return kPythonFrame | static_cast<uint64_t>(code) << 32 | static_cast<uint32_t>(instruction);
}
inline uint32_t code_of(StackFrame frame) { return static_cast<uint32_t>(frame >> 32) & 0x7FFFFFFF; }
inline int32_t instruction_of(StackFrame frame) { return static_cast<int32_t>(frame); }

inline constexpr unsigned kMostFrames = 64;  // of deeper stacks, the innermost

class StackTable {
 public:
  static constexpr uint32_t kMost = 1u << 16;

  // False: out of memory.
  bool init();

  // Numbers start at 1; 0: the stack is new.
  uint32_t find(uint64_t hash) const;
  // Adds a stack, innermost frame first. 0: the table is full.
  uint32_t add(uint64_t hash, const StackFrame* frames, unsigned count);

  struct Stack {
    uint32_t count;
    StackFrame frames[];
  };
  const Stack& stack(uint32_t number) const { return *stacks_[number - 1]; }
  // The number of stacks since the last call that found no room.
  uint64_t take_refused();

 private:
  struct Slot {
    uint64_t hash;
    uint32_t number;  // 0: free
  };

  uint32_t most_;  // a power of two, up to kMost
  Slot* slots_;    // twice as many
  const Stack** stacks_;
  uint32_t count_;
  uint32_t lock_;
  Arena<16u << 20> arena_;
  uint64_t refused_, reported_refused_;
};

}  // namespace tauprof::capture
