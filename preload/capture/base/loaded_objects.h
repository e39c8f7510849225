// A walk over the objects that the loader has mapped: the program and its libraries.
#pragma once

#include <link.h>
#include <stddef.h>
#include <stdint.h>

namespace tauprof::capture {

// Calls `is_wanted(object)` for one object after the other until it returns true; returns whether it did. Holds the
// loader's lock meanwhile.
template <class IsWanted>
bool find_loaded_object(IsWanted is_wanted) {
  const auto visit = [](dl_phdr_info* object, size_t, void* context) -> int {
    return (*static_cast<IsWanted*>(context))(*object);
  };
  return dl_iterate_phdr(visit, &is_wanted) != 0;
}

// Where an object lies in memory: from the start of its lowest segment to the end of its highest.
struct MappedRange {
  uint64_t begin, end;
};

// Fills in the range; true if one of the object's segments contains `address`.
inline bool maps_address(const dl_phdr_info& object, uint64_t address, MappedRange& range) {
  range = {UINT64_MAX, 0};
  bool is_inside = false;
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const auto& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const uint64_t from = object.dlpi_addr + segment.p_vaddr, to = from + segment.p_memsz;
    is_inside |= address >= from && address < to;
    if (from < range.begin) range.begin = from;
    if (to > range.end) range.end = to;
  }
  return is_inside;
}

}  // namespace tauprof::capture
