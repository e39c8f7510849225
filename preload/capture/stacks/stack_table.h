// The stacks that were met, each once, numbered on the thread that took it: a ring unit carries the
// number. Lock-free to find again; bounded: when it is full, what is new has no number and is counted.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace tauprof::capture {

// A native frame is its return address. A Python frame has the highest bit, which no address has, then the
// number of its code object (31 bits) and its instruction (32 bits).
using StackFrame = uint64_t;
inline constexpr StackFrame kPythonFrame = uint64_t{1} << 63;

inline StackFrame python_frame(uint32_t code, int32_t instruction) {
  return kPythonFrame | static_cast<uint64_t>(code) << 32 | static_cast<uint32_t>(instruction);
}
inline uint32_t code_of(StackFrame frame) { return static_cast<uint32_t>(frame >> 32) & 0x7FFFFFFF; }
inline int32_t instruction_of(StackFrame frame) { return static_cast<int32_t>(frame); }

inline constexpr unsigned kMostFrames = 64;  // the innermost of deeper stacks

class StackTable {
 public:
  static constexpr uint32_t kMost = 1u << 16;

  // False: no memory.
  bool begin();

  // From 1; 0: not met yet.
  uint32_t find(uint64_t hash) const;
  // The innermost frame first. 0: the table is full.
  uint32_t add(uint64_t hash, const StackFrame* frames, unsigned count);

  struct Stack {
    uint32_t count;
    StackFrame frames[];
  };
  const Stack& stack(uint32_t number) const { return *stacks_[number - 1]; }
  // Stacks that found no room, since the last call.
  uint64_t take_refused();

 private:
  static constexpr uint32_t kSlots = 2 * kMost;
  static constexpr size_t kArenaBytes = 1u << 20;
  static constexpr unsigned kMostArenas = 16;
  struct Slot {
    uint64_t hash;
    uint32_t number;  // 0: free
  };
  Stack* reserve(unsigned frames);

  Slot* slots_;
  const Stack** stacks_;
  uint32_t count_;
  uint32_t lock_;
  char* arena_;
  size_t arena_left_;
  unsigned arenas_;
  uint64_t refused_, told_refused_;
};

}  // namespace tauprof::capture
