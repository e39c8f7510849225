#include "log/column_encoder.h"

#include <string.h>

namespace tauprof::log {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the log has the byte order of memory");

constexpr size_t kLongestLeb128 = 10;

uint64_t zigzag(uint64_t difference) { return (difference << 1) ^ (0 - (difference >> 63)); }

// Puts seven bits into each byte, low bits first, for values below 2^56.
uint64_t spread_sevens(uint64_t value) {
  value = ((value & 0x00FFFFFFF0000000) << 4) | (value & 0x000000000FFFFFFF);
  value = ((value & 0x0FFFC0000FFFC000) << 2) | (value & 0x00003FFF00003FFF);
  return ((value & 0x3F803F803F803F80) << 1) | (value & 0x007F007F007F007F);
}

// The lengths of neighbours differ at random, so the length is computed without a branch. May write up to
// kLongestLeb128 bytes, whatever the value needs.
inline uint8_t* put_leb128(uint8_t* out, uint64_t value) {
  if (value < (uint64_t{1} << 56)) [[likely]] {
    const unsigned bits = 64 - static_cast<unsigned>(__builtin_clzll(value | 1));
    const unsigned size = (bits + 6) / 7;
    const uint64_t more = 0x8080808080808080 & ((uint64_t{1} << (8 * (size - 1))) - 1);
    const uint64_t bytes = spread_sevens(value) | more;
    memcpy(out, &bytes, sizeof bytes);
    return out + size;
  }
  for (; value >= 0x80; value >>= 7) *out++ = static_cast<uint8_t>(value | 0x80);
  *out++ = static_cast<uint8_t>(value);
  return out;
}

bool all_equal(const int64_t* values, uint32_t rows) {
  constexpr uint32_t kStride = 64;  // most columns that differ do so within the first stride
  const int64_t first = values[0];
  uint32_t row = 0;
  for (; row + kStride <= rows; row += kStride) {
    int64_t difference = 0;
    for (uint32_t i = 0; i < kStride; ++i) difference |= values[row + i] ^ first;
    if (difference != 0) return false;
  }
  for (; row < rows; ++row)
    if (values[row] != first) return false;
  return true;
}

// Most columns hold small numbers. A group of values takes the fastest path that fits all of them.
constexpr uint32_t kGroup = 8;

inline uint8_t* put_group(uint8_t* out, const uint64_t (&values)[kGroup]) {
  uint64_t all = 0;
  for (const uint64_t value : values) all |= value;
  if (all < 1u << 7) {
    for (const uint64_t value : values) *out++ = static_cast<uint8_t>(value);
  } else if (all < 1u << 14) {
    for (const uint64_t value : values) {
      const unsigned is_long = value >= 1u << 7;
      const auto bytes = static_cast<uint16_t>((value & 0x7F) | is_long << 7 | (value >> 7) << 8);
      memcpy(out, &bytes, sizeof bytes);
      out += 1 + is_long;
    }
  } else {
    for (const uint64_t value : values) out = put_leb128(out, value);
  }
  return out;
}

// Calls `number_of(row)` once per row, in order.
template <class NumberOf>
uint8_t* put_numbers(uint8_t* out, uint32_t rows, NumberOf number_of) {
  uint32_t row = 0;
  for (; row + kGroup <= rows; row += kGroup) {
    uint64_t group[kGroup];
    for (uint32_t i = 0; i < kGroup; ++i) group[i] = number_of(row + i);
    out = put_group(out, group);
  }
  for (; row < rows; ++row) out = put_leb128(out, number_of(row));
  return out;
}

uint8_t* put_plain(uint8_t* out, const int64_t* values, uint32_t rows) {
  return put_numbers(out, rows, [values](uint32_t row) { return static_cast<uint64_t>(values[row]); });
}

uint8_t* put_delta(uint8_t* out, const int64_t* values, uint32_t rows) {
  uint64_t previous = 0;
  return put_numbers(out, rows, [values, previous](uint32_t row) mutable {
    const auto value = static_cast<uint64_t>(values[row]);
    const uint64_t difference = value - previous;
    previous = value;
    return zigzag(difference);
  });
}

// Reserves a column header and `most` bytes of content. Null: memory is short.
uint8_t* start_column(ByteArray& payload, size_t most) {
  if (!payload.reserve_more(sizeof(ColumnHeader) + most)) return nullptr;
  return payload.data() + payload.size() + sizeof(ColumnHeader);
}

void finish_column(ByteArray& payload, uint16_t number, Encoding encoding, const uint8_t* end, uint16_t& columns) {
  uint8_t* const start = payload.data() + payload.size();
  const auto size = static_cast<uint32_t>(end - start - sizeof(ColumnHeader));
  const ColumnHeader header{number, static_cast<uint8_t>(encoding), 0, size};
  memcpy(start, &header, sizeof header);
  payload.set_size(static_cast<size_t>(end - payload.data()));
  ++columns;
}

}  // namespace

bool encode_column(uint16_t number, Encoding hint, const int64_t* values, uint32_t rows, ByteArray& payload,
                   uint16_t& columns) {
  const bool is_constant = all_equal(values, rows);
  if (is_constant && values[0] == 0) return true;
  const Encoding encoding = is_constant ? Encoding::kConstant : hint;
  const uint32_t stored = is_constant ? 1 : rows;
  uint8_t* const out = start_column(payload, stored * kLongestLeb128);
  if (out == nullptr) return false;
  uint8_t* const end = encoding == Encoding::kDelta ? put_delta(out, values, stored) : put_plain(out, values, stored);
  finish_column(payload, number, encoding, end, columns);
  return true;
}

bool encode_texts(const Text* texts, uint32_t rows, ByteArray& payload, uint16_t& columns) {
  size_t bytes = rows * kLongestLeb128;
  for (uint32_t row = 0; row < rows; ++row) bytes += texts[row].size;
  uint8_t* out = start_column(payload, bytes);
  if (out == nullptr) return false;
  for (uint32_t row = 0; row < rows; ++row) out = put_leb128(out, texts[row].size);
  for (uint32_t row = 0; row < rows; ++row) {
    memcpy(out, texts[row].bytes, texts[row].size);
    out += texts[row].size;
  }
  finish_column(payload, kTextColumn, Encoding::kText, out, columns);
  return true;
}

}  // namespace tauprof::log
