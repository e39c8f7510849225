// The libraries and programs that call hooked functions, and what their references say.
#pragma once

#include <link.h>
#include <stdint.h>

namespace tauprof::hooks {

struct CallerObject {
  uintptr_t begin, end;  // of its mapping
  void* handle;          // for dlsym; null: none could be had
  link_map* map;
};

// The object around an address; null where there is none (generated code). New ones are looked up with
// the loader; known ones are a scan of a short list. Lock-free for readers.
const CallerObject* caller_object(const void* address);
// Its position in the list, below kMostCallerObjects.
unsigned caller_index(const CallerObject* object);
inline constexpr unsigned kMostCallerObjects = 256;

// The version with which the object refers to `name` ("libcudart.so.13"), or null: no version, or no
// reference (the function was found with dlsym).
const char* referenced_version(const link_map* map, const char* name);

}  // namespace tauprof::hooks
