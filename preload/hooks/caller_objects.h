// The libraries and programs that call hooked functions.
#pragma once

#include <link.h>
#include <stdint.h>

#include "capture/base/loaded_objects.h"

namespace tauprof::hooks {

struct CallerObject {
  capture::MappedRange range;
  const link_map* map;
};

// The object that contains an address, or null (generated code). Known objects are found in a short list without a
// lock; new ones are looked up with the loader.
const CallerObject* caller_object(const void* address);
// Its position in the list, below kMostCallerObjects.
unsigned caller_index(const CallerObject* object);
inline constexpr unsigned kMostCallerObjects = 256;

}  // namespace tauprof::hooks
