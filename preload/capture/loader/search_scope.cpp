#include "capture/loader/search_scope.h"

#include <stddef.h>
#include <stdint.h>

#include "capture/base/own_memory.h"

namespace tauprof::capture {
namespace {

constexpr size_t kMostMapBytes = 4096;  // glibc's link_map has 1,100 to 1,200
constexpr unsigned kMostScopes = 4096;

// glibc's r_scope_elem.
struct Scope {
  uint64_t objects;
  uint32_t count;
};

// Where glibc's link_map has these members; 0: not known.
size_t g_own_scope_at;  // the objects that this one was opened with; of the program: the global scope
size_t g_scopes_at;     // pointer to the list of scopes

template <class T>
bool read_at(uint64_t address, T& value) {
  return read_own_memory(address, &value, sizeof value);
}

// All objects in the order in which they were loaded.
class LoadedObjects {
 public:
  explicit LoadedObjects(const link_map* any) : first_(any) {
    while (first_->l_prev != nullptr) first_ = first_->l_prev;
    next_ = first_;
    for (const link_map* map = first_; map != nullptr; map = map->l_next) ++count_;
  }
  const link_map* first() const { return first_; }
  size_t count() const { return count_; }
  // Lists mostly have the order in which objects were loaded, so it looks behind the one found last.
  bool has(uint64_t address) {
    const link_map* map = next_;
    for (size_t i = 0; i < count_; ++i) {
      const link_map* const after = map->l_next != nullptr ? map->l_next : first_;
      if (reinterpret_cast<uint64_t>(map) == address) {
        next_ = after;
        return true;
      }
      map = after;
    }
    return false;
  }

 private:
  const link_map* first_;
  const link_map* next_;
  size_t count_ = 0;
};

// Another thread may be changing the list. Returns false at the first entry that is no loaded object, and when `visit`
// wants no more.
template <class Visit>
bool visit_objects(const Scope& scope, LoadedObjects& loaded, Visit visit) {
  constexpr uint32_t kSome = 32;
  uint64_t some[kSome];
  for (uint32_t i = 0; i < scope.count; ++i) {
    const uint32_t left = scope.count - i;
    if (i % kSome == 0 &&
        !read_own_memory(scope.objects + i * sizeof *some, some, sizeof *some * (left < kSome ? left : kSome)))
      return false;
    const uint64_t object = some[i % kSome];
    if (!loaded.has(object) || !visit(reinterpret_cast<const link_map*>(object))) return false;
  }
  return true;
}

// Visits the scopes in a list of addresses that ends with 0. Returns false at the first that is none, and when `visit`
// wants no more. An object that looks in itself first has a scope for that, too, behind the other.
template <class Visit>
bool visit_scopes(uint64_t list, LoadedObjects& loaded, Visit visit) {
  for (unsigned i = 0; i < kMostScopes; ++i) {
    uint64_t address;
    Scope scope;
    if (!read_at(list + i * sizeof address, address)) return false;
    if (address == 0) return i > 0;
    const uint64_t object = address - g_own_scope_at;
    if (!loaded.has(object) && !loaded.has(object - sizeof(Scope))) return false;
    if (!read_at(address, scope) || scope.count > loaded.count() || !visit(address, scope)) return false;
  }
  return false;
}

bool find_own_scope(LoadedObjects& loaded) {
  const auto program = reinterpret_cast<uint64_t>(loaded.first());
  for (size_t at = sizeof(link_map); at < kMostMapBytes; at += sizeof(uint64_t)) {
    Scope scope;
    uint64_t first;
    if (!read_at(program + at, scope)) return false;
    if (scope.count < 2 || scope.count > loaded.count() || !read_at(scope.objects, first) || first != program) continue;
    if (!visit_objects(scope, loaded, [](const link_map*) { return true; })) continue;
    __atomic_store_n(&g_own_scope_at, at, __ATOMIC_RELAXED);
    return true;
  }
  return false;
}

bool find_scopes(const link_map* object, LoadedObjects& loaded) {
  const uint64_t global_scope = reinterpret_cast<uint64_t>(loaded.first()) + g_own_scope_at;
  for (size_t at = sizeof(link_map); at < kMostMapBytes; at += sizeof(uint64_t)) {
    uint64_t list;
    bool has_global_scope = false;
    if (!read_at(reinterpret_cast<uint64_t>(object) + at, list)) return false;
    if (!visit_scopes(list, loaded, [&](uint64_t scope, const Scope&) {
          has_global_scope |= scope == global_scope;
          return true;
        }))
      continue;
    if (!has_global_scope) continue;
    __atomic_store_n(&g_scopes_at, at, __ATOMIC_RELAXED);
    return true;
  }
  return false;
}

bool know_layout(const link_map* object, LoadedObjects& loaded) {
  if (__atomic_load_n(&g_scopes_at, __ATOMIC_RELAXED) != 0) return true;
  return find_own_scope(loaded) && find_scopes(object, loaded);
}

}  // namespace

void visit_search_scope(const link_map* caller, VisitObject visit, void* context) {
  LoadedObjects loaded(caller);
  uint64_t list;
  bool is_done = false;
  const auto visit_one = [&](const link_map* object) { return !(is_done = visit(object, context)); };
  const auto visit_scope = [&](uint64_t, const Scope& scope) {
    visit_objects(scope, loaded, visit_one);
    return !is_done;
  };
  if (know_layout(caller, loaded) && read_at(reinterpret_cast<uint64_t>(caller) + g_scopes_at, list) &&
      visit_scopes(list, loaded, visit_scope))
    return;
  for (const link_map* map = loaded.first(); map != nullptr && !is_done; map = map->l_next) visit_one(map);
}

}  // namespace tauprof::capture
