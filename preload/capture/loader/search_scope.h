// The order in which the dynamic loader searches objects for what one object refers to.
//
// An object has a list of scopes. For most it is the global scope (the program, preloaded libraries, the libraries that
// these need, and whatever was opened with RTLD_GLOBAL), then the group with which the object was opened. RTLD_DEEPBIND
// turns this around. No function tells the order, so it is read from glibc's own structures. Where they lie in a
// link_map differs between versions of glibc. They are recognised by what they hold: lists that consist of loaded
// objects alone and start with the program. Whatever does not look so is not used; then objects come in the order in
// which they were loaded, which for those loaded at the start is the same.
#pragma once

#include <link.h>

namespace tauprof::capture {

using VisitObject = bool (*)(const link_map* object, void* context);  // true: no further objects

// Visits the objects that the loader searches for `caller`, in its order; some come twice. For callers that hold the
// lock of dl_iterate_phdr, which keeps objects loaded.
void visit_search_scope(const link_map* caller, VisitObject visit, void* context);

}  // namespace tauprof::capture
