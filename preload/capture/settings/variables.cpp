#include "capture/settings/variables.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace tauprof::capture {
namespace {

const char* const* first_environment = nullptr;

}  // namespace

void keep_environment(const char* const* strings) { first_environment = strings; }

const char* environment_value(const char* variable) {
  const bool is_cleared = environ == nullptr || *environ == nullptr;
  if (!is_cleared || first_environment == nullptr) return getenv(variable);
  const size_t size = strlen(variable);
  for (const char* const* one = first_environment; *one != nullptr; ++one)
    if (strncmp(*one, variable, size) == 0 && (*one)[size] == '=') return *one + size + 1;
  return nullptr;
}

const char* value_of(const char* variable) {
  const char* value = environment_value(variable);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace tauprof::capture
