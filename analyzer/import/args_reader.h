// Reads the `args` of an event.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <cstring>
#include <string_view>

#include "import/event_fields.h"

namespace tauprof::kineto {

// A token as simdjson returns it, without trailing space.
inline std::string_view trimmed(std::string_view token) {
  while (!token.empty() && static_cast<unsigned char>(token.back()) <= ' ') token.remove_suffix(1);
  return token;
}

inline bool is_string(std::string_view trimmed_token) {
  return trimmed_token.size() >= 2 && trimmed_token.front() == '"' && trimmed_token.back() == '"';
}

// The text between the quotes; empty if the token is no string.
inline std::string_view string_in(std::string_view token) {
  token = trimmed(token);
  return is_string(token) ? token.substr(1, token.size() - 2) : std::string_view{};
}

// Whether `key`, which points at the first character of a key, is the expected one. Compares whole words where it can,
// as the bytes after a key may always be read.
template <size_t kSize>
bool is_key(const char* key, const char (&expected)[kSize]) {
  constexpr size_t kLength = kSize - 1;
  const auto same_word = [&](size_t at) {
    uint64_t ours, theirs;
    memcpy(&ours, key + at, 8);
    memcpy(&theirs, expected + at, 8);
    return ours == theirs;
  };
  if (key[kLength] != '"') return false;
  if constexpr (kLength < 8) {
    return memcmp(key, expected, kLength) == 0;
  } else {
    for (size_t at = 0; at + 8 < kLength; at += 8)
      if (!same_word(at)) return false;
    return same_word(kLength - 8);
  }
}

// False: the JSON is damaged.
bool read_args(simdjson::ondemand::object object, EventArgs& args);
// The same of operators whose other arguments go into no record.
bool read_autograd_args(simdjson::ondemand::object object, EventArgs& args);

}  // namespace tauprof::kineto
