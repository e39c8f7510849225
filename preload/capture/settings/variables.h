// The environment, also of a program that has cleared it.
#pragma once

namespace tauprof::capture {

// Called by the library's constructor, with what the process started with.
void keep_environment(const char* const* strings);

// As getenv. Of a program that has cleared its environment since, as some do before they run others, the value that it
// started with.
const char* environment_value(const char* variable);

// The value of a variable, or null where it is unset or empty.
const char* value_of(const char* variable);

}  // namespace tauprof::capture
