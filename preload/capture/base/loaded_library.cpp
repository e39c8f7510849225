#include "capture/base/loaded_library.h"

#include <dlfcn.h>
#include <string.h>

#include "capture/base/bound_function.h"
#include "capture/base/loaded_objects.h"
#include "capture/base/zeroed_memory.h"

namespace tauprof::capture {
namespace {

const link_map* g_preferred;

}  // namespace

bool find_loaded_library(const char* stem, char* path, unsigned long size) {
  return find_loaded_object([=](const dl_phdr_info& object) {
    const char* const name = object.dlpi_name;
    if (name == nullptr) return false;
    const char* const slash = strrchr(name, '/');
    const char* const file = slash != nullptr ? slash + 1 : name;
    if (strncmp(file, stem, strlen(stem)) != 0 || strlen(name) >= size) return false;
    strcpy(path, name);
    return true;
  });
}

void prefer_libraries_of(const link_map* object) { __atomic_store_n(&g_preferred, object, __ATOMIC_RELEASE); }

void* loaded_function(const char* stem, const char* name) {
  const link_map* const preferred = __atomic_load_n(&g_preferred, __ATOMIC_ACQUIRE);
  if (preferred != nullptr)
    if (void* const found = bound_function(preferred, name, stem)) return found;
  return function_of_first_library(stem, name);
}

void* function_of_first_library(const char* stem, const char* name) {
  using Path = char[4096];
  const ScopedMemory<Path> memory;
  if (memory.get() == nullptr || !find_loaded_library(stem, *memory.get(), sizeof(Path))) return nullptr;
  // The handle is never closed: the library must stay loaded as long as the pointer is used.
  void* handle = dlopen(*memory.get(), RTLD_NOLOAD | RTLD_LAZY | RTLD_LOCAL);
  return handle != nullptr ? dlsym(handle, name) : nullptr;
}

}  // namespace tauprof::capture
