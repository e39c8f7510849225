#include "capture/loader/code_text.h"

#include <string.h>

namespace tauprof::capture {
namespace {

template <class T>
T read_at(uint64_t address) {
  T value;
  memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value;
}

// True if one segment, which can be read, has the whole range.
bool is_readable(const dl_phdr_info& object, uint64_t begin, uint64_t size) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const auto& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_R) == 0) continue;
    const uint64_t from = object.dlpi_addr + segment.p_vaddr, to = from + segment.p_memsz;
    if (from <= begin && begin < to && size <= to - begin) return true;
  }
  return false;
}

struct Function {
  uint64_t begin, end;
};

// The table that linkers write for unwinding (.eh_frame_hdr) has the starts of all functions in ascending order, as
// distances from the table itself, each with a word more.
bool find_function(uint64_t table, uint64_t size, uint64_t address, Function& function) {
  constexpr uint8_t kFourBytes = 0x03, kSignedFromTable = 0x3B, kFormat = 0x07;
  constexpr uint64_t kHeaderBytes = 12, kEntryBytes = 8;
  if (size < kHeaderBytes) return false;
  const auto header = read_at<uint32_t>(table);  // version, and the formats of three parts
  if ((header & 0xFF) != 1 || (header >> 8 & kFormat) != kFourBytes || (header >> 16 & 0xFF) != kFourBytes ||
      header >> 24 != kSignedFromTable)
    return false;
  const uint64_t count = read_at<uint32_t>(table + 8);
  if (count > (size - kHeaderBytes) / kEntryBytes) return false;
  const auto start = [&](uint64_t i) {
    return table + static_cast<uint64_t>(int64_t{read_at<int32_t>(table + kHeaderBytes + i * kEntryBytes)});
  };
  uint64_t first = 0, last = count;  // the first start behind the address
  while (first < last) {
    const uint64_t middle = first + (last - first) / 2;
    if (start(middle) <= address)
      first = middle + 1;
    else
      last = middle;
  }
  if (first == 0) return false;
  function = {start(first - 1), first < count ? start(first) : UINT64_MAX};
  return true;
}

// Without a table, all code around the address.
bool find_function(const dl_phdr_info& object, uint64_t address, Function& function) {
  const ElfW(Phdr)* code = nullptr, *table = nullptr;
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const auto& segment = object.dlpi_phdr[i];
    if (segment.p_type == PT_GNU_EH_FRAME) table = &segment;
    if (segment.p_type == PT_LOAD && address - object.dlpi_addr - segment.p_vaddr < segment.p_filesz) code = &segment;
  }
  if (code == nullptr || (code->p_flags & PF_R) == 0) return false;
  const Function all = {object.dlpi_addr + code->p_vaddr, object.dlpi_addr + code->p_vaddr + code->p_filesz};
  function = all;
  if (table == nullptr) return true;
  const uint64_t at = object.dlpi_addr + table->p_vaddr;
  if (!is_readable(object, at, table->p_memsz) || !find_function(at, table->p_memsz, address, function)) return true;
  if (function.begin < all.begin) function.begin = all.begin;
  if (function.end > all.end) function.end = all.end;
  return true;
}

// Calls `is_wanted(address)` for whatever may be an address that the code takes, until that returns true.
#if defined(__aarch64__)
// adr, or adrp and an add to the same register, at most some instructions later.
template <class IsWanted>
bool find_address_taken(const Function& function, IsWanted is_wanted) {
  constexpr uint64_t kMostBetween = 16 * 4;
  for (uint64_t at = function.begin; at + 4 <= function.end; at += 4) {
    const auto code = read_at<uint32_t>(at);
    if ((code & 0x1F000000) != 0x10000000) continue;
    const uint64_t distance =
        static_cast<uint64_t>(int64_t{static_cast<int32_t>(code << 8)} >> 13 << 2) | (code >> 29 & 3);
    if ((code >> 31) == 0) {
      if (is_wanted(at + distance)) return true;
      continue;
    }
    const uint64_t page = (at & ~uint64_t{0xFFF}) + (distance << 12);
    for (uint64_t next = at + 4; next + 4 <= function.end && next <= at + kMostBetween; next += 4) {
      const auto add = read_at<uint32_t>(next);
      const bool is_of_page = (add & 0xFFC00000) == 0x91000000 && (add >> 5 & 31) == (code & 31);
      if (is_of_page && is_wanted(page + (add >> 10 & 0xFFF))) return true;
    }
  }
  return false;
}
#else
// Any four bytes may be a distance from the byte behind them, or, in programs that lie at a fixed address, an address.
template <class IsWanted>
bool find_address_taken(const Function& function, IsWanted is_wanted) {
  for (uint64_t at = function.begin; at + 4 <= function.end; ++at) {
    const auto word = read_at<uint32_t>(at);
    const auto distance = static_cast<uint64_t>(int64_t{static_cast<int32_t>(word)});
    if (is_wanted(at + 4 + distance) || is_wanted(word)) return true;
  }
  return false;
}
#endif

}  // namespace

bool function_refers_to(const dl_phdr_info& object, uint64_t address, const char* text) {
  Function function;
  if (!find_function(object, address, function)) return false;
  const size_t size = strlen(text) + 1;
  return find_address_taken(function, [&](uint64_t taken) {
    return is_readable(object, taken, size) && memcmp(reinterpret_cast<const void*>(taken), text, size) == 0;
  });
}

}  // namespace tauprof::capture
