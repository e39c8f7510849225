// Encodes characters as UTF-8.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace tauprof::capture {

inline constexpr size_t kMostUtf8 = 4;  // bytes per character

// Returns the number of bytes written.
inline size_t put_utf8(char* out, uint32_t character) {
  if (character < 0x80) return out[0] = static_cast<char>(character), 1;
  const int more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
  constexpr unsigned char kLead[] = {0, 0xC0, 0xE0, 0xF0};
  out[0] = static_cast<char>(kLead[more] | character >> (6 * more));
  for (int i = 1; i <= more; ++i) out[i] = static_cast<char>(0x80 | (character >> (6 * (more - i)) & 0x3F));
  return static_cast<size_t>(more) + 1;
}

}  // namespace tauprof::capture
