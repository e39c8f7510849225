#include "capture/stacks/python_code.h"

#include <string.h>

#include "capture/base/number_map.h"
#include "capture/base/spin_lock.h"
#include "capture/base/utf8.h"
#include "capture/base/zeroed_memory.h"
#include "capture/stacks/memory_view.h"

namespace tauprof::capture {
namespace {

constexpr uint64_t kLongestText = 1024;  // characters; longer texts are truncated
constexpr uint64_t kLargestLineTable = 1u << 18;
constexpr size_t kTextHeaderBytes = 40;
constexpr size_t kTail = 16;  // bytes of a file name that count for the identity

size_t larger(size_t a, size_t b) { return a > b ? a : b; }

// The state word of a text object.
struct TextState {
  explicit TextState(uint32_t word) : width(word >> 2 & 7), is_compact(word >> 5 & 1), is_ascii(word >> 6 & 1) {}
  bool is_valid() const { return is_compact && (width == 1 || width == 2 || width == 4); }
  unsigned width;  // bytes per character
  bool is_compact;
  bool is_ascii;
};

uint64_t first_word(const uint8_t* bytes, uint64_t size) {
  uint64_t word = 0;
  memcpy(&word, bytes, size < sizeof word ? size : sizeof word);
  return word;
}

uint32_t character_at(const uint8_t* characters, unsigned width, size_t index) {
  if (width == 1) return characters[index];
  if (width == 2) return member<uint16_t>(characters, index * 2);
  return member<uint32_t>(characters, index * 4);
}

}  // namespace

bool PythonCodes::init(const PythonLayout& layout, const PythonTypes& types) {
  layout_ = layout;
  types_ = types;
  block_bytes_ = larger(larger(layout.file, layout.function), larger(layout.line_table, layout.first_line)) + 8;
  constexpr size_t kEntryBytes = sizeof(PythonCode) + 2 * sizeof(uint32_t);
  constexpr uint32_t kFewest = 256;
  most_ = memory_budget.entries(8, kEntryBytes, kFewest, kMost);
  codes_ = static_cast<PythonCode*>(map_zeros(most_ * sizeof(PythonCode)));
  slots_ = static_cast<uint32_t*>(map_zeros(2 * most_ * sizeof(uint32_t)));
  if (codes_ == nullptr || slots_ == nullptr) return false;
  memory_budget.take_anyway(most_ * kEntryBytes);
  return true;
}

template <class Memory>
uint64_t PythonCodes::identity_of(Memory& memory, uint64_t address) const {
  const uint8_t* const block = memory.at(address, block_bytes_);
  if (block == nullptr || member<uint64_t>(block, kObjectType) != types_.code) return 0;
  const uint64_t file = member<uint64_t>(block, layout_.file);
  const uint64_t table = member<uint64_t>(block, layout_.line_table);
  uint64_t hash = mix(member<uint32_t>(block, layout_.first_line), member<uint64_t>(block, layout_.function));

  const uint8_t* const bytes = memory.at(table, kBytesContent + sizeof(uint64_t));
  if (bytes == nullptr) return 0;
  const auto table_size = member<uint64_t>(bytes, kBytesLength);
  hash = mix(hash, table_size);
  hash = mix(hash, first_word(bytes + kBytesContent, table_size));

  const uint8_t* const text = memory.at(file, kTextHeaderBytes);
  if (text == nullptr) return 0;
  const TextState state(member<uint32_t>(text, kTextState));
  const uint64_t text_size = member<uint64_t>(text, kTextLength) * state.width;
  const uint64_t end = file + (state.is_ascii ? layout_.ascii_text : layout_.wide_text) + text_size;
  hash = mix(hash, text_size);
  if (text_size < kTail) return hash | 1;
  const uint8_t* const tail = memory.at(end - kTail, kTail);
  if (tail == nullptr) return 0;
  hash = mix(hash, member<uint64_t>(tail, 0));
  return mix(hash, member<uint64_t>(tail, 8)) | 1;
}

template uint64_t PythonCodes::identity_of(PlainMemory&, uint64_t) const;
template uint64_t PythonCodes::identity_of(GuardedMemory&, uint64_t) const;

uint32_t PythonCodes::number_of(uint64_t address, uint64_t identity) {
  uint32_t slot;
  if (const uint32_t number = find(address, identity, slot)) return number;
  PythonCode code{};
  const SpinLock lock(lock_);
  if (const uint32_t number = find(address, identity, slot)) return number;
  return read(address, identity, code) ? add(code) : 0;
}

int32_t PythonCodes::line_at(uint32_t number, int32_t instruction) const {
  const PythonCode& known = code(number);
  return capture::line_at(layout_.format, known.line_table, known.line_table_size, known.first_line, instruction);
}

uint32_t PythonCodes::find(uint64_t address, uint64_t identity, uint32_t& slot) const {
  const uint32_t mask = 2 * most_ - 1;
  for (slot = static_cast<uint32_t>(mix(address, identity)) & mask;; slot = (slot + 1) & mask) {
    const uint32_t number = __atomic_load_n(&slots_[slot], __ATOMIC_ACQUIRE);
    if (number == 0) return 0;
    if (code(number).address == address && code(number).identity == identity) return number;
  }
}

uint32_t PythonCodes::add(const PythonCode& code) {
  if (count_ == most_) return 0;
  uint32_t slot;
  find(code.address, code.identity, slot);
  codes_[count_] = code;
  __atomic_store_n(&slots_[slot], ++count_, __ATOMIC_RELEASE);
  return count_;
}

// Checks the identity again at the end: if another code object has taken the address by then, the texts may be its own.
bool PythonCodes::read(uint64_t address, uint64_t identity, PythonCode& code) {
  GuardedMemory memory;
  if (identity_of(memory, address) != identity) return false;
  uint8_t block[256];
  if (block_bytes_ > sizeof block || !read_own_memory(address, block, block_bytes_)) return false;
  code.address = address;
  code.identity = identity;
  code.first_line = member<int32_t>(block, layout_.first_line);
  if (!read_text(member<uint64_t>(block, layout_.function), code.function) ||
      !read_text(member<uint64_t>(block, layout_.file), code.file) ||
      !read_line_table(member<uint64_t>(block, layout_.line_table), code))
    return false;
  return identity_of(memory, address) == identity;
}

bool PythonCodes::read_text(uint64_t address, CodeText& text) {
  uint8_t header[kTextHeaderBytes];
  if (!read_own_memory(address, header, sizeof header) || member<uint64_t>(header, kObjectType) != types_.text)
    return false;
  const TextState state(member<uint32_t>(header, kTextState));
  if (!state.is_valid()) return false;
  uint64_t length = member<uint64_t>(header, kTextLength);
  if (length > kLongestText) length = kLongestText;
  uint8_t characters[kLongestText * 4];
  const uint64_t start = address + (state.is_ascii ? layout_.ascii_text : layout_.wide_text);
  if (!read_own_memory(start, characters, length * state.width)) return false;
  char utf8[kLongestText * kMostUtf8];
  size_t size = 0;
  for (size_t i = 0; i < length; ++i) size += put_utf8(utf8 + size, character_at(characters, state.width, i));
  char* kept = static_cast<char*>(arena_.reserve(size));
  if (kept == nullptr) return false;
  memcpy(kept, utf8, size);
  text = {kept, static_cast<uint32_t>(size)};
  return true;
}

bool PythonCodes::read_line_table(uint64_t address, PythonCode& code) {
  uint8_t header[kBytesContent];
  if (!read_own_memory(address, header, sizeof header) || member<uint64_t>(header, kObjectType) != types_.bytes)
    return false;
  const auto size = member<uint64_t>(header, kBytesLength);
  if (size > kLargestLineTable) return false;
  char* kept = static_cast<char*>(arena_.reserve(size));
  if (kept == nullptr || !read_own_memory(address + kBytesContent, kept, size)) return false;
  code.line_table = reinterpret_cast<const uint8_t*>(kept);
  code.line_table_size = static_cast<uint32_t>(size);
  return true;
}

}  // namespace tauprof::capture
