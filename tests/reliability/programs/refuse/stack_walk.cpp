#include "stack_walk.h"

#include <elf.h>
#include <unistd.h>

#include <vector>

namespace refuse {
namespace {

// The tables' rule for one register: it is kept, lies at an offset from the frame's address, or is lost.
struct Rule {
  enum Kind { kSame, kAtOffset, kLost } kind = kSame;
  int64_t offset = 0;
};

struct Rules {
  int address_register = -1;  // the frame's address is this register plus address_offset; -1: cannot be told
  int64_t address_offset = 0;
  Rule registers[Frame::kRegisters];
};

// Reads the parts of the tables one after another.
class Reader {
 public:
  Reader(const Memory& memory, uint64_t address) : memory_(memory), address_(address) {}

  template <class Value>
  Value take() {
    const auto value = memory_.value<Value>(address_);
    address_ += sizeof(Value);
    if (!value) failed_ = true;
    return value.value_or(Value{});
  }
  uint64_t take_unsigned() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const uint8_t byte = take<uint8_t>();
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      if (!(byte & 0x80) || failed_) return value;
    }
  }
  int64_t take_signed() {
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
      byte = take<uint8_t>();
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      shift += 7;
    } while (byte & 0x80 && !failed_);
    if (byte & 0x40 && shift < 64) value |= ~uint64_t{0} << shift;
    return static_cast<int64_t>(value);
  }
  void skip(uint64_t bytes) { address_ += bytes; }
  uint64_t address() const { return address_; }
  bool failed() const { return failed_; }

 private:
  const Memory& memory_;
  uint64_t address_;
  bool failed_ = false;
};

// The description of one function (FDE), with what it shares with others (CIE).
struct Description {
  uint64_t first, size;  // of the function
  uint64_t code_align;
  int64_t data_align;
  uint64_t shared_start, shared_end, own_start, own_end;  // instructions
};

std::optional<uint64_t> unwind_table(const Memory& memory, uint64_t object) {
  const auto header = memory.value<Elf64_Ehdr>(object);
  if (!header) return std::nullopt;
  std::optional<uint64_t> table, lowest;
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    const auto part = memory.value<Elf64_Phdr>(object + header->e_phoff + i * sizeof(Elf64_Phdr));
    if (!part) return std::nullopt;
    if (part->p_type == PT_LOAD && !lowest) lowest = part->p_vaddr - part->p_offset;
    if (part->p_type == PT_GNU_EH_FRAME) table = part->p_vaddr;
  }
  if (!table || !lowest) return std::nullopt;
  return object - *lowest + *table;
}

// The sorted table of .eh_frame_hdr: pairs of distances, of the function and of its description.
std::optional<uint64_t> find_description(const Memory& memory, uint64_t table, uint64_t instruction) {
  constexpr uint32_t kUsualEncodings = 0x3b031b01;  // version 1; signed distances of 4 bytes
  if (memory.value<uint32_t>(table) != kUsualEncodings) return std::nullopt;
  const auto count = memory.value<uint32_t>(table + 8);
  if (!count) return std::nullopt;
  const uint64_t pairs = table + 12;
  uint32_t low = 0, high = *count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const auto distance = memory.value<int32_t>(pairs + uint64_t{middle} * 8);
    if (!distance) return std::nullopt;
    if (table + static_cast<int64_t>(*distance) <= instruction)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0) return std::nullopt;
  const auto distance = memory.value<int32_t>(pairs + uint64_t{low - 1} * 8 + 4);
  if (!distance) return std::nullopt;
  return table + static_cast<int64_t>(*distance);
}

bool read_shared(const Memory& memory, uint64_t at, Description& description) {
  Reader reader(memory, at);
  const uint32_t length = reader.take<uint32_t>();
  description.shared_end = reader.address() + length;
  reader.skip(sizeof(uint32_t));  // its own id
  const uint8_t version = reader.take<uint8_t>();
  std::vector<char> augmentation;
  while (const char letter = reader.take<char>()) {
    augmentation.push_back(letter);
    if (augmentation.size() > 8) return false;
  }
  description.code_align = reader.take_unsigned();
  description.data_align = reader.take_signed();
  const uint64_t return_register = version == 1 ? reader.take<uint8_t>() : reader.take_unsigned();
  if (augmentation.empty() || augmentation[0] != 'z' || return_register != Frame::kInstruction) return false;
  const uint64_t size = reader.take_unsigned();
  constexpr uint8_t kRelative4 = 0x1b;
  for (size_t i = 1; i < augmentation.size(); ++i) {
    if (augmentation[i] == 'S') return false;  // a signal's frame: the stack below it is somebody else's
    if (augmentation[i] == 'R') {
      if (memory.value<uint8_t>(reader.address()) != kRelative4) return false;
      break;
    }
    return false;  // 'P', 'L': C++ and its tables; libc has none where system calls are made
  }
  reader.skip(size);
  description.shared_start = reader.address();
  return !reader.failed();
}

std::optional<Description> read_description(const Memory& memory, uint64_t at) {
  Description description{};
  Reader reader(memory, at);
  const uint32_t length = reader.take<uint32_t>();
  description.own_end = reader.address() + length;
  const uint64_t shared_field = reader.address();
  const uint32_t shared_distance = reader.take<uint32_t>();
  if (reader.failed() || !read_shared(memory, shared_field - shared_distance, description)) return std::nullopt;
  const uint64_t first_field = reader.address();
  description.first = first_field + static_cast<int64_t>(reader.take<int32_t>());
  description.size = reader.take<uint32_t>();
  const uint64_t size = reader.take_unsigned();
  reader.skip(size);
  description.own_start = reader.address();
  if (reader.failed()) return std::nullopt;
  return description;
}

// That of the function that the instruction lies in.
std::optional<Description> description_of(const Memory& memory, uint64_t object, uint64_t instruction) {
  const auto table = unwind_table(memory, object);
  const auto found = table ? find_description(memory, *table, instruction) : std::nullopt;
  const auto description = found ? read_description(memory, *found) : std::nullopt;
  return description && instruction - description->first < description->size ? description : std::nullopt;
}

// Carries out instructions of the tables up to the one for `instruction`. False: one is unknown.
class Interpreter {
 public:
  Interpreter(const Memory& memory, const Description& description, uint64_t instruction)
      : memory_(memory), description_(description), instruction_(instruction), location_(description.first) {}

  bool run(Rules& rules) {
    if (!run_part(description_.shared_start, description_.shared_end, rules)) return false;
    at_start_ = rules;
    return run_part(description_.own_start, description_.own_end, rules);
  }

 private:
  bool run_part(uint64_t start, uint64_t end, Rules& rules) {
    Reader reader(memory_, start);
    while (reader.address() < end && location_ <= instruction_) {
      const uint8_t code = reader.take<uint8_t>();
      if (reader.failed() || !run_one(code, reader, rules)) return false;
    }
    return true;
  }

  bool run_one(uint8_t code, Reader& reader, Rules& rules) {
    const uint8_t operand = code & 0x3f;
    switch (code >> 6) {
      case 1:
        return advance(operand);
      case 2:
        return save(operand, static_cast<int64_t>(reader.take_unsigned()) * description_.data_align, rules);
      case 3:
        return restore(operand, rules);
    }
    switch (code) {
      case 0x00:
        return true;
      case 0x02:
        return advance(reader.take<uint8_t>());
      case 0x03:
        return advance(reader.take<uint16_t>());
      case 0x04:
        return advance(reader.take<uint32_t>());
      case 0x05: {
        const uint64_t number = reader.take_unsigned();
        return save(number, static_cast<int64_t>(reader.take_unsigned()) * description_.data_align, rules);
      }
      case 0x06:
        return restore(reader.take_unsigned(), rules);
      case 0x07:
        return set(reader.take_unsigned(), {Rule::kLost}, rules);
      case 0x08:
        return set(reader.take_unsigned(), {Rule::kSame}, rules);
      case 0x09:
        reader.take_unsigned();
        reader.take_unsigned();
        return false;
      case 0x0a:
        stack_.push_back(rules);
        return true;
      case 0x0b:
        return pop(rules);
      case 0x0c:
        rules.address_register = static_cast<int>(reader.take_unsigned());
        rules.address_offset = static_cast<int64_t>(reader.take_unsigned());
        return true;
      case 0x0d:
        rules.address_register = static_cast<int>(reader.take_unsigned());
        return true;
      case 0x0e:
        rules.address_offset = static_cast<int64_t>(reader.take_unsigned());
        return true;
      case 0x0f:
        rules.address_register = -1;
        reader.skip(reader.take_unsigned());
        return true;
      case 0x10:
      case 0x16: {
        const uint64_t number = reader.take_unsigned();
        reader.skip(reader.take_unsigned());
        return set(number, {Rule::kLost}, rules);
      }
      case 0x11: {
        const uint64_t number = reader.take_unsigned();
        return save(number, reader.take_signed() * description_.data_align, rules);
      }
      case 0x12:
        rules.address_register = static_cast<int>(reader.take_unsigned());
        rules.address_offset = reader.take_signed() * description_.data_align;
        return true;
      case 0x13:
        rules.address_offset = reader.take_signed() * description_.data_align;
        return true;
      case 0x2e:
        reader.take_unsigned();
        return true;
      default:
        return false;
    }
  }

  bool advance(uint64_t steps) {
    location_ += steps * description_.code_align;
    return true;
  }
  bool set(uint64_t number, Rule rule, Rules& rules) {
    if (number < Frame::kRegisters) rules.registers[number] = rule;
    return true;
  }
  bool save(uint64_t number, int64_t offset, Rules& rules) { return set(number, {Rule::kAtOffset, offset}, rules); }
  bool restore(uint64_t number, Rules& rules) {
    return number >= Frame::kRegisters || set(number, at_start_.registers[number], rules);
  }
  bool pop(Rules& rules) {
    if (stack_.empty()) return false;
    rules = stack_.back();
    stack_.pop_back();
    return true;
  }

  const Memory& memory_;
  const Description& description_;
  const uint64_t instruction_;
  uint64_t location_;
  Rules at_start_;
  std::vector<Rules> stack_;
};

Step apply(const Memory& memory, const Rules& rules, Frame& frame) {
  if (rules.registers[Frame::kInstruction].kind == Rule::kLost) return Step::kOutermost;
  if (rules.address_register < 0 || rules.address_register >= Frame::kRegisters) return Step::kUnknown;
  const auto base = frame.registers[rules.address_register];
  if (!base || rules.registers[Frame::kInstruction].kind != Rule::kAtOffset) return Step::kUnknown;
  const uint64_t address = *base + static_cast<uint64_t>(rules.address_offset);
  for (int i = 0; i < Frame::kRegisters; ++i) {
    const Rule& rule = rules.registers[i];
    if (rule.kind == Rule::kAtOffset)
      frame.registers[i] = memory.value<uint64_t>(address + static_cast<uint64_t>(rule.offset));
    else if (rule.kind == Rule::kLost)
      frame.registers[i].reset();
  }
  frame.registers[Frame::kStackPointer] = address;
  if (!frame.registers[Frame::kInstruction]) return Step::kUnknown;
  return frame.instruction() == 0 ? Step::kOutermost : Step::kCaller;
}

}  // namespace

bool Memory::read(uint64_t address, void* to, size_t size) const {
  return pread(file_, to, size, static_cast<off_t>(address)) == static_cast<ssize_t>(size);
}

Step step_to_caller(const Memory& memory, uint64_t object, bool is_innermost, Frame& frame) {
  // A call may be the last instruction of its function, and return to the next one.
  uint64_t instruction = frame.instruction() - (is_innermost ? 0 : 1);
  auto description = description_of(memory, object, instruction);
  if (!description && is_innermost) {
    // glibc's descriptions of clone() end before the system call, which may return on another stack.
    constexpr uint64_t kSystemCallBytes = 2;
    instruction -= kSystemCallBytes + 1;
    description = description_of(memory, object, instruction);
  }
  if (!description) return Step::kUnknown;
  Rules rules;
  Interpreter interpreter(memory, *description, instruction);
  return interpreter.run(rules) ? apply(memory, rules, frame) : Step::kUnknown;
}

}  // namespace refuse
