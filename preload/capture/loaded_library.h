// Finds functions of libraries that the process has loaded already, never our own wrappers.
#pragma once

namespace tauprof::capture {

// The first loaded library whose file name begins with `stem` ("libcudart.so"); writes its path.
bool find_loaded_library(const char* stem, char* path, unsigned long size);

// `name` in the loaded library `stem`, or null. For real runtime functions that the recorder itself calls.
void* loaded_function(const char* stem, const char* name);

}  // namespace tauprof::capture
