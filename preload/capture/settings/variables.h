// Readers of environment variables. Each leaves its target alone where the variable is unset or empty. A bad value is
// reported on stderr together with what is accepted, and leaves the default in place.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "capture/base/messages.h"

namespace tauprof::capture {

// Called by the library's constructor, with what the process started with.
void keep_environment(const char* const* strings);

// As getenv. Of a program that has cleared its environment since, as some do before they run others, the value that it
// started with.
const char* environment_value(const char* variable);

// The value of a variable, or null where it is unset or empty.
const char* value_of(const char* variable);

// Reports a bad value.
void refuse(const char* variable, const char* value, const char* accepted);

template <size_t kSize>
void read_text(const char* variable, const char* accepted, char (&text)[kSize]) {
  const char* value = value_of(variable);
  if (value == nullptr) return;
  if (strlen(value) >= kSize) return refuse(variable, "(too long)", accepted);
  strcpy(text, value);
}

struct Choice {
  const char* name;
  uint32_t value;
};

template <size_t kCount>
const Choice* find_choice(const Choice (&choices)[kCount], const char* name, size_t size) {
  for (const Choice& choice : choices)
    if (strlen(choice.name) == size && memcmp(choice.name, name, size) == 0) return &choice;
  return nullptr;
}

template <class Value, size_t kCount>
void read_choice(const char* variable, const char* accepted, const Choice (&choices)[kCount], Value& chosen) {
  const char* value = value_of(variable);
  if (value == nullptr) return;
  if (const Choice* choice = find_choice(choices, value, strlen(value)))
    chosen = static_cast<Value>(choice->value);
  else
    refuse(variable, value, accepted);
}

void read_seconds(const char* variable, uint64_t& nanoseconds);
void read_microseconds(const char* variable, uint64_t& nanoseconds);
void read_steps(const char* variable, uint64_t& steps);
void read_megabytes(const char* variable, uint64_t& bytes);

}  // namespace tauprof::capture
