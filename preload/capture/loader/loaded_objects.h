// A walk over the objects that the loader has mapped: the program and its libraries.
//
// A program's thread may be waiting in a constructor for the very call that a hook is looking up, and the loader's main
// lock is held while constructors run: dlopen(), dlsym() and dladdr() would wait for ever. So everything here goes by
// dl_iterate_phdr(), whose lock is held only while the loader changes its list, and reads the list itself.
#pragma once

#include <link.h>
#include <stddef.h>
#include <stdint.h>

namespace tauprof::capture {

// dl_iterate_phdr() without signals: a handler that leaves by longjmp would leave the list locked.
int visit_loaded_objects(int (*visit)(dl_phdr_info* object, size_t size, void* context), void* context);

// Calls `is_wanted(object)` for one object after the other until it returns true; returns whether it did. No object
// comes or goes meanwhile.
template <class IsWanted>
bool find_loaded_object(IsWanted is_wanted) {
  const auto visit = [](dl_phdr_info* object, size_t, void* context) -> int {
    return (*static_cast<IsWanted*>(context))(*object);
  };
  return visit_loaded_objects(visit, &is_wanted) != 0;
}

// Where an object lies in memory: from the start of its lowest segment to the end of its highest.
struct MappedRange {
  uint64_t begin, end;
  bool has(uint64_t address) const { return begin <= address && address < end; }
};

// Fills in the range; true if one of the object's segments contains `address`.
bool maps_address(const dl_phdr_info& object, uint64_t address, MappedRange& range);

// The loader's list of objects at one moment.
struct LoaderList {
  const link_map* first;  // the program; null: the list was not found
  uint64_t unloads;       // how many objects have gone so far

  bool has(const link_map* object) const;
};

// The loader's list, of which the object is the first entry of dl_iterate_phdr().
LoaderList loader_list(const dl_phdr_info& program);

// Calls `use(list)`. The list and its objects stay as they are meanwhile; may be nested.
template <class Use>
void with_loader_list(Use use) {
  find_loaded_object([&](const dl_phdr_info& program) {
    use(loader_list(program));
    return true;
  });
}

struct LoadedObject {
  const link_map* map = nullptr;  // null: there is none
  MappedRange range = {};
};

// The object that contains an address, or none (generated code). Inside of with_loader_list().
LoadedObject object_around(const LoaderList& list, uint64_t address);

}  // namespace tauprof::capture
