// Walks the stack of a thread of another process that is inside a system call, by the unwind tables that the objects
// in its memory carry (.eh_frame). Nothing is attached to the thread: its memory is read, and of its registers only
// the stack pointer and the instruction pointer are known.
#pragma once

#include <cstdint>
#include <optional>

namespace refuse {

// The memory of a process, read through a descriptor of its /proc/ID/mem.
class Memory {
 public:
  explicit Memory(int file) : file_(file) {}

  bool read(uint64_t address, void* to, size_t size) const;
  template <class Value>
  std::optional<Value> value(uint64_t address) const {
    Value value;
    if (!read(address, &value, sizeof value)) return std::nullopt;
    return value;
  }

 private:
  const int file_;
};

// A frame: the registers that a call preserves, as far as they are known, by their number in DWARF.
struct Frame {
  static constexpr int kStackPointer = 7, kInstruction = 16, kRegisters = 17;

  std::optional<uint64_t> registers[kRegisters];

  uint64_t stack_pointer() const { return *registers[kStackPointer]; }
  uint64_t instruction() const { return *registers[kInstruction]; }
};

enum class Step { kCaller, kOutermost, kUnknown };

// Replaces the frame by its caller's. `object` is where the ELF file that holds the instruction starts in memory;
// `is_innermost`: the instruction is where the thread is, not where a call returns to. kOutermost: the frame has no
// caller. kUnknown: the tables say nothing of it, or ask for a register that is not known.
Step step_to_caller(const Memory& memory, uint64_t object, bool is_innermost, Frame& frame);

}  // namespace refuse
