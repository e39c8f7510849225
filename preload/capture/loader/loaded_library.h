// Finds libraries that the process has already loaded, and functions in them: the real ones, never our wrappers. Keeps
// no library loaded (library_calls.h says what that means for those who call the functions), and waits for nobody.
#pragma once

#include <link.h>

#include "capture/loader/loaded_objects.h"

namespace tauprof::capture {

// The first loaded library whose file name starts with `stem` ("libcudart.so"); copies its path to `path`, which has
// `size` bytes. Libraries with longer paths are skipped.
bool find_loaded_library(const char* stem, char* path, unsigned long size);

// Of several copies of a library, loaded_function() takes the one that this object calls, while it is loaded.
void prefer_libraries_of(const link_map* object);

// The function `name` of the loaded library `stem`, or null. For functions that the recorder itself calls.
void* loaded_function(const char* stem, const char* name);

// The function of the first library of that name that has it. Inside of with_loader_list().
void* function_of_first_library(const LoaderList& list, const char* stem, const char* name);
void* function_of_first_library(const char* stem, const char* name);  // anywhere

// A function that the object itself defines, or null. Inside of with_loader_list(), or where the caller keeps the
// object loaded.
void* function_in(const link_map* object, const char* name);

}  // namespace tauprof::capture
