#include "read/column_decoder.h"

#include <cstring>

#include "log/format.h"

namespace tauprof {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the log is read without swapping bytes");

constexpr uint64_t kMoreBits = 0x8080808080808080;

uint64_t load8(const uint8_t* p) {
  uint64_t word;
  memcpy(&word, p, sizeof word);
  return word;
}

uint64_t unzigzag(uint64_t value) { return (value >> 1) ^ (0 - (value & 1)); }

// Concatenates the low seven bits of all bytes.
uint64_t gather_sevens(uint64_t word) {
  word = ((word & 0x7F007F007F007F00) >> 1) | (word & 0x007F007F007F007F);
  word = ((word & 0x3FFF00003FFF0000) >> 2) | (word & 0x00003FFF00003FFF);
  return ((word & 0x0FFFFFFF00000000) >> 4) | (word & 0x000000000FFFFFFF);
}

// Reads one value byte by byte. Null if it does not end before `end` or does not fit 64 bits.
const uint8_t* take_careful(const uint8_t* p, const uint8_t* end, uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64 && p < end; shift += 7) {
    const uint64_t bits = *p & 0x7F;
    if (shift == 63 && bits > 1) return nullptr;
    value |= bits << shift;
    if ((*p++ & 0x80) == 0) return p;
  }
  return nullptr;
}

// Reads one value where eight bytes can be loaded at once. Lengths of neighbours differ at random, so the length is
// computed, without a branch; only values longer than eight bytes branch.
inline const uint8_t* take_fast(const uint8_t* p, const uint8_t* end, uint64_t& value) {
  const uint64_t word = load8(p);
  const uint64_t last = ~word & kMoreBits;  // the lowest bit set ends the value
  if (last == 0) [[unlikely]]
    return take_careful(p, end, value);
  value = gather_sevens(word & (last ^ (last - 1)));
  return p + (__builtin_ctzll(last) >> 3) + 1;
}

// Calls accept(row, value) for each value. Runs of one-byte values, the most common, are taken eight at a time.
template <class Accept>
bool decode_values(const uint8_t* p, const uint8_t* end, uint32_t rows, Accept accept) {
  uint32_t row = 0;
  uint64_t value;
  while (row + 8 <= rows && end - p >= 64) {
    const uint64_t word = load8(p);
    if ((word & kMoreBits) == 0) {
      for (unsigned i = 0; i < 8; ++i) accept(row + i, word >> (8 * i) & 0xFF);
      p += 8;
    } else {
      for (unsigned i = 0; i < 4; ++i) {
        p = take_fast(p, end, value);
        if (p == nullptr) return false;
        accept(row + i, value);
      }
      row += 4;
      continue;
    }
    row += 8;
  }
  for (; row < rows; ++row) {
    p = take_careful(p, end, value);
    if (p == nullptr) return false;
    accept(row, value);
  }
  return p == end;
}

}  // namespace

bool decode_constant(Bytes bytes, int64_t& value) { return decode_plain(bytes, 1, &value); }

bool decode_plain(Bytes bytes, uint32_t rows, int64_t* values) {
  return decode_values(bytes.data, bytes.data + bytes.size, rows,
                       [values](uint32_t row, uint64_t value) { values[row] = static_cast<int64_t>(value); });
}

bool decode_delta(Bytes bytes, uint32_t rows, int64_t* values) {
  uint64_t sum = 0;
  return decode_values(bytes.data, bytes.data + bytes.size, rows, [values, &sum](uint32_t row, uint64_t value) {
    sum += unzigzag(value);
    values[row] = static_cast<int64_t>(sum);
  });
}

bool decode_texts(Bytes bytes, uint32_t rows, uint32_t* ends, Bytes& text) {
  const uint8_t* p = bytes.data;
  const uint8_t* const end = p + bytes.size;
  uint64_t total = 0;
  for (uint32_t row = 0; row < rows; ++row) {
    uint64_t size;
    p = take_careful(p, end, size);
    if (p == nullptr || size > log::kMaxTextBytes || total + size > bytes.size) return false;
    total += size;
    ends[row] = static_cast<uint32_t>(total);
  }
  text = {p, static_cast<size_t>(end - p)};
  return total == text.size;
}

}  // namespace tauprof
