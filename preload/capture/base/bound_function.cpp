#include "capture/base/bound_function.h"

#include <dlfcn.h>

#include "capture/base/loaded_objects.h"
#include "capture/base/object_symbols.h"
#include "capture/base/search_scope.h"

namespace tauprof::capture {
namespace {

struct BoundSearch {
  const SymbolReference& reference;
  const link_map* ours;
  bool is_behind_us = false;
  const link_map* object = nullptr;
  const ElfW(Sym) * symbol = nullptr;
  const char* version = nullptr;

  bool look_at(const link_map* map) {
    if (map == ours) is_behind_us = true;
    if (map == ours || !is_behind_us) return false;
    const ObjectSymbols symbols(map);
    symbol = symbols.definition(reference);
    if (symbol == nullptr) return false;
    object = map;
    version = symbols.version_of(symbol);
    return true;
  }
  static bool visit(const link_map* map, void* search) { return static_cast<BoundSearch*>(search)->look_at(map); }
};

// The loader calls the function that chooses the implementation.
void* chosen_implementation(const BoundSearch& found) {
  const bool is_program = found.object->l_name == nullptr || *found.object->l_name == '\0';
  void* const handle = dlopen(is_program ? nullptr : found.object->l_name, RTLD_NOLOAD | RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) return nullptr;
  const char* const name = found.reference.name;
  return found.version != nullptr ? dlvsym(handle, name, found.version) : dlsym(handle, name);
}

void* address_of(const BoundSearch& found) {
  if (found.symbol == nullptr) return nullptr;
  if ((found.symbol->st_info & 0xF) == STT_GNU_IFUNC) return chosen_implementation(found);
  const uintptr_t base = found.symbol->st_shndx == SHN_ABS ? 0 : found.object->l_addr;
  return reinterpret_cast<void*>(base + found.symbol->st_value);
}

void* find_bound(const link_map* caller, const link_map* ours, const SymbolReference& reference) {
  BoundSearch search{reference, ours};
  find_loaded_object([&](const dl_phdr_info&) {  // only for the lock
    visit_search_scope(caller, BoundSearch::visit, &search);
    return true;
  });
  return address_of(search);
}

}  // namespace

const link_map* object_around(const void* address) {
  Dl_info info;
  link_map* map = nullptr;
  return dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) != 0 ? map : nullptr;
}

void* bound_function(const link_map* caller, const char* name, const char* library) {
  static const link_map* ours;
  if (ours == nullptr) ours = object_around(reinterpret_cast<const void*>(&bound_function));
  if (ours == nullptr) return nullptr;
  if (caller == nullptr) caller = ours;
  SymbolReference reference(name);
  const ObjectSymbols symbols(caller);
  reference.is_of_dlsym = !symbols.read_reference(reference);
  if (reference.is_of_dlsym && library != nullptr) reference.version = symbols.needed_version(library);
  void* found = find_bound(caller, ours, reference);
  if (found != nullptr || reference.version == nullptr || reference.is_of_dlsym) return found;
  SymbolReference any(name);
  any.is_of_dlsym = true;
  return find_bound(caller, ours, any);
}

}  // namespace tauprof::capture
