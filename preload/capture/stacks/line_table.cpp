#include "capture/stacks/line_table.h"

namespace tauprof::capture {
namespace {

int32_t line_of_increments(const uint8_t* table, size_t size, int32_t line, int32_t offset) {
  int32_t at = 0;
  for (size_t i = 0; i + 1 < size; i += 2) {
    at += table[i];
    if (at > offset) break;
    line += static_cast<int8_t>(table[i + 1]);
  }
  return line;
}

int32_t line_of_ranges(const uint8_t* table, size_t size, int32_t line, int32_t offset) {
  constexpr int8_t kNoLine = -128;
  int32_t end = 0;
  for (size_t i = 0; i + 1 < size; i += 2) {
    end += table[i];
    const auto lines = static_cast<int8_t>(table[i + 1]);
    if (lines != kNoLine) line += lines;
    if (offset < end) return lines == kNoLine ? 0 : line;
  }
  return 0;
}

// Six bits per byte, low bits first; bit 6 says that more bytes follow. Bit 0 of the number is the sign.
int32_t signed_number(const uint8_t* table, size_t size, size_t at) {
  uint32_t value = 0;
  for (unsigned shift = 0; at < size && shift < 30; ++at, shift += 6) {
    value |= static_cast<uint32_t>(table[at] & 63) << shift;
    if ((table[at] & 64) == 0) break;
  }
  const auto magnitude = static_cast<int32_t>(value >> 1);
  return value & 1 ? -magnitude : magnitude;
}

int32_t line_of_locations(const uint8_t* table, size_t size, int32_t line, int32_t offset) {
  constexpr uint8_t kFirstByte = 0x80;
  enum : unsigned { kOneLine0 = 10, kOneLine2 = 12, kNoColumns = 13, kLong = 14, kNoLocation = 15 };
  int32_t end = 0;
  for (size_t at = 0; at < size;) {
    const unsigned form = table[at] >> 3 & 15;
    end += ((table[at] & 7) + 1) * 2;
    if (form == kNoColumns || form == kLong)
      line += signed_number(table, size, at + 1);
    else if (form >= kOneLine0 && form <= kOneLine2)
      line += static_cast<int32_t>(form - kOneLine0);
    if (offset < end) return form == kNoLocation ? 0 : line;
    for (++at; at < size && (table[at] & kFirstByte) == 0;) ++at;
  }
  return 0;
}

}  // namespace

int32_t line_at(LineTableFormat format, const uint8_t* table, size_t size, int32_t first_line, int32_t offset) {
  if (offset < 0) return first_line;
  switch (format) {
    case LineTableFormat::kIncrements:
      return line_of_increments(table, size, first_line, offset);
    case LineTableFormat::kRanges:
      return line_of_ranges(table, size, first_line, offset);
    case LineTableFormat::kLocations:
      return line_of_locations(table, size, first_line, offset);
  }
  return 0;
}

}  // namespace tauprof::capture
