// Finds libraries that the process has already loaded, and functions in them: the real ones, never our wrappers.
#pragma once

#include <link.h>

namespace tauprof::capture {

// The first loaded library whose file name starts with `stem` ("libcudart.so"); copies its path to `path`, which has
// `size` bytes. Libraries with longer paths are skipped.
bool find_loaded_library(const char* stem, char* path, unsigned long size);

// Of several copies of a library, loaded_function() takes the one that this object calls. It must stay loaded.
void prefer_libraries_of(const link_map* object);

// The function `name` of the loaded library `stem`, or null. For functions that the recorder itself calls.
void* loaded_function(const char* stem, const char* name);

// The same, without a preference.
void* function_of_first_library(const char* stem, const char* name);

}  // namespace tauprof::capture
