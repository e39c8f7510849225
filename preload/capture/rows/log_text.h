// Shorthand for rows: interns C strings, writes attributes by name.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "log/writer.h"

namespace tauprof::capture {

inline int64_t intern(log::Writer& writer, const char* text) { return writer.intern(text, strlen(text)); }

inline void put_attribute(log::Writer& writer, const char* name, const char* value) {
  const int64_t name_id = intern(writer, name);
  writer.append(log::Attribute{name_id, intern(writer, value)});
}

inline void put_attribute(log::Writer& writer, const char* name, uint64_t value) {
  char digits[24];
  snprintf(digits, sizeof digits, "%llu", static_cast<unsigned long long>(value));
  put_attribute(writer, name, digits);
}

}  // namespace tauprof::capture
