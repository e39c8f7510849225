// The libraries and programs that call hooked functions, and the versions that they refer to.
#pragma once

#include <link.h>
#include <stdint.h>

#include "capture/base/loaded_objects.h"

namespace tauprof::hooks {

struct CallerObject {
  capture::MappedRange range;
  void* handle;  // for dlsym; null: there is none
  link_map* map;
};

// The object that contains an address, or null (generated code). Known objects are found in a short list without a
// lock; new ones are looked up with the loader.
const CallerObject* caller_object(const void* address);
// Its position in the list, below kMostCallerObjects.
unsigned caller_index(const CallerObject* object);
inline constexpr unsigned kMostCallerObjects = 256;

// The version with which the object refers to `name` ("libcudart.so.13"). Null: the reference has no version, or there
// is no reference (the object found the function with dlsym).
const char* referenced_version(const link_map* map, const char* name);

}  // namespace tauprof::hooks
