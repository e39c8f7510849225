// Finds what the dynamic loader would have bound to a caller's reference if this library were not loaded: the first
// definition behind this library in the order in which the loader searches. Other preloaded libraries may stand before
// and behind it, with or without symbol versions.
//
// dlsym(RTLD_NEXT, …) and dlvsym(RTLD_NEXT, …) cannot do this: the one takes the default version, the other skips
// definitions without a version, neither searches the group of libraries with which the caller was opened, both wait
// while a constructor runs on another thread, and a preloaded library may answer in their place.
#pragma once

#include <link.h>

#include "capture/loader/loaded_objects.h"
#include "capture/loader/object_symbols.h"

namespace tauprof::capture {

// This library. Inside of with_loader_list(); null: the list was not found.
const link_map* own_object(const LoaderList& list);

// `caller` null: an object in the global scope. An object that does not refer to the function (it looked it up with
// dlsym) gets the default version, or, if `library` is not null, the version that the object needs of a library whose
// name starts so ("libcudart.so"). Null: there is no such function. Inside of with_loader_list().
void* bound_function(const LoaderList& list, const link_map* caller, const char* name, const char* library);

// The address of what an object's symbol defines. Calls the function that chooses the implementation, if there is one.
void* address_of(const link_map* object, const ElfW(Sym) * symbol);

}  // namespace tauprof::capture
