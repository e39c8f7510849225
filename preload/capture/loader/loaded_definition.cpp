#include "capture/loader/loaded_definition.h"

#include "capture/loader/bound_function.h"
#include "capture/loader/search_scope.h"

namespace tauprof::capture {
namespace {

struct DefinitionSearch {
  SymbolReference reference;
  void* found = nullptr;

  explicit DefinitionSearch(const char* name) : reference(name) { reference.is_of_dlsym = true; }

  bool look_at(const link_map* map) {
    const ElfW(Sym)* const symbol = ObjectSymbols(map).definition(reference);
    if (symbol != nullptr) found = address_of(map, symbol);
    return symbol != nullptr;
  }
  // Up to `end`, which may be null.
  bool look_at_all(const link_map* first, const link_map* end) {
    for (const link_map* map = first; map != end; map = map->l_next)
      if (look_at(map)) return true;
    return false;
  }
  static bool visit(const link_map* map, void* search) { return static_cast<DefinitionSearch*>(search)->look_at(map); }
};

}  // namespace

void* next_definition(const char* name) {
  DefinitionSearch search(name);
  with_loader_list([&](const LoaderList& list) {
    const link_map* const ours = own_object(list);
    if (ours != nullptr) search.look_at_all(ours->l_next, nullptr) || search.look_at_all(list.first, ours);
  });
  return search.found;
}

void* global_definition(const char* name) {
  DefinitionSearch search(name);
  with_loader_list([&](const LoaderList& list) {
    if (list.first != nullptr) visit_search_scope(list.first, DefinitionSearch::visit, &search);
  });
  return search.found;
}

}  // namespace tauprof::capture
