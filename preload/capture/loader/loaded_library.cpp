#include "capture/loader/loaded_library.h"

#include <string.h>

#include "capture/loader/bound_function.h"

namespace tauprof::capture {
namespace {

const link_map* g_preferred;

bool is_named(const char* path, const char* stem) {
  if (path == nullptr) return false;
  const char* const slash = strrchr(path, '/');
  return strncmp(slash != nullptr ? slash + 1 : path, stem, strlen(stem)) == 0;
}

}  // namespace

bool find_loaded_library(const char* stem, char* path, unsigned long size) {
  return find_loaded_object([=](const dl_phdr_info& object) {
    if (!is_named(object.dlpi_name, stem) || strlen(object.dlpi_name) >= size) return false;
    strcpy(path, object.dlpi_name);
    return true;
  });
}

void prefer_libraries_of(const link_map* object) { __atomic_store_n(&g_preferred, object, __ATOMIC_RELEASE); }

void* function_in(const link_map* object, const char* name) {
  SymbolReference reference(name);
  reference.is_of_dlsym = true;
  const ElfW(Sym)* const symbol = ObjectSymbols(object).definition(reference);
  return symbol != nullptr ? address_of(object, symbol) : nullptr;
}

void* function_of_first_library(const LoaderList& list, const char* stem, const char* name) {
  void* found = nullptr;
  for (const link_map* map = list.first; map != nullptr && found == nullptr; map = map->l_next)
    if (is_named(map->l_name, stem)) found = function_in(map, name);
  return found;
}

void* function_of_first_library(const char* stem, const char* name) {
  void* found = nullptr;
  with_loader_list([&](const LoaderList& list) { found = function_of_first_library(list, stem, name); });
  return found;
}

void* loaded_function(const char* stem, const char* name) {
  void* found = nullptr;
  with_loader_list([&](const LoaderList& list) {
    const link_map* const preferred = __atomic_load_n(&g_preferred, __ATOMIC_ACQUIRE);
    if (preferred != nullptr && list.has(preferred)) found = bound_function(list, preferred, name, stem);
    if (found == nullptr) found = function_of_first_library(list, stem, name);
  });
  return found;
}

}  // namespace tauprof::capture
