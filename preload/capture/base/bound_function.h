// Finds what the dynamic loader would have bound to a caller's reference if this library were not loaded: the first
// definition behind this library in the order in which the loader searches. Other preloaded libraries may stand before
// and behind it, with or without symbol versions.
//
// dlsym(RTLD_NEXT, …) and dlvsym(RTLD_NEXT, …) cannot do this: the one takes the default version, the other skips
// definitions without a version, and neither searches the group of libraries with which the caller was opened.
#pragma once

#include <link.h>

namespace tauprof::capture {

// The object that contains an address, or null (generated code).
const link_map* object_around(const void* address);

// `caller` null: an object in the global scope. An object that does not refer to the function (it looked it up with
// dlsym) gets the default version, or, if `library` is not null, the version that the object needs of a library whose
// name starts so ("libcudart.so"). Null: there is no such function.
void* bound_function(const link_map* caller, const char* name, const char* library);

}  // namespace tauprof::capture
