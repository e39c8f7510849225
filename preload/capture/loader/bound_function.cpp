#include "capture/loader/bound_function.h"

#include <sys/auxv.h>

#include "capture/loader/search_scope.h"

namespace tauprof::capture {
namespace {

struct BoundSearch {
  const SymbolReference& reference;
  const link_map* ours;
  bool is_behind_us = false;
  const link_map* object = nullptr;
  const ElfW(Sym) * symbol = nullptr;

  bool look_at(const link_map* map) {
    if (map == ours) is_behind_us = true;
    if (map == ours || !is_behind_us) return false;
    symbol = ObjectSymbols(map).definition(reference);
    if (symbol == nullptr) return false;
    object = map;
    return true;
  }
  static bool visit(const link_map* map, void* search) { return static_cast<BoundSearch*>(search)->look_at(map); }
};

// Calls a resolver of implementations with the arguments that the loader passes.
void* chosen_implementation(uintptr_t resolver) {
#ifdef __aarch64__
  struct {
    unsigned long size, capabilities, more_capabilities;
  } const argument{sizeof argument, getauxval(AT_HWCAP), getauxval(AT_HWCAP2)};
  constexpr unsigned long kHasArgument = 1UL << 62;
  const auto choose = reinterpret_cast<void* (*)(unsigned long, const void*)>(resolver);
  return choose(argument.capabilities | kHasArgument, &argument);
#else
  return reinterpret_cast<void* (*)()>(resolver)();
#endif
}

void* find_bound(const link_map* caller, const link_map* ours, const SymbolReference& reference) {
  BoundSearch search{reference, ours};
  visit_search_scope(caller, BoundSearch::visit, &search);
  return search.symbol != nullptr ? address_of(search.object, search.symbol) : nullptr;
}

}  // namespace

void* address_of(const link_map* object, const ElfW(Sym) * symbol) {
  const uintptr_t address = symbol->st_value + (symbol->st_shndx == SHN_ABS ? 0 : object->l_addr);
  const bool is_chosen = (symbol->st_info & 0xF) == STT_GNU_IFUNC;
  return is_chosen ? chosen_implementation(address) : reinterpret_cast<void*>(address);
}

const link_map* own_object(const LoaderList& list) {
  static const link_map* ours;  // never unloaded (-z nodelete)
  const link_map* known = __atomic_load_n(&ours, __ATOMIC_RELAXED);
  if (known != nullptr) return known;
  known = object_around(list, reinterpret_cast<uintptr_t>(&own_object)).map;
  __atomic_store_n(&ours, known, __ATOMIC_RELAXED);
  return known;
}

void* bound_function(const LoaderList& list, const link_map* caller, const char* name, const char* library) {
  const link_map* const ours = own_object(list);
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
