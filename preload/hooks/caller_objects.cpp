#include "hooks/caller_objects.h"

#include <dlfcn.h>
#include <string.h>

#include "capture/base/spin_lock.h"

namespace tauprof::hooks {
namespace {

CallerObject g_objects[kMostCallerObjects];
unsigned g_count;
uint32_t g_lock;

const CallerObject* find_known(uintptr_t address) {
  const unsigned count = __atomic_load_n(&g_count, __ATOMIC_ACQUIRE);
  for (unsigned i = 0; i < count; ++i)
    if (g_objects[i].range.begin <= address && address < g_objects[i].range.end) return &g_objects[i];
  return nullptr;
}

// What the dynamic section says about symbols. The loader has relocated some of the addresses in place.
struct DynamicTables {
  const ElfW(Sym) * symbols = nullptr;
  const char* strings = nullptr;
  const ElfW(Half) * versions = nullptr;
  const ElfW(Verneed) * needed = nullptr;
  const uint32_t* gnu_hash = nullptr;
  const uint32_t* sysv_hash = nullptr;
  size_t needed_count = 0;

  explicit DynamicTables(const link_map* map) {
    for (const ElfW(Dyn)* entry = map->l_ld; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
      const uintptr_t value = entry->d_un.d_ptr;
      const uintptr_t address = value < map->l_addr ? value + map->l_addr : value;
      if (entry->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(address);
      if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(address);
      if (entry->d_tag == DT_VERSYM) versions = reinterpret_cast<const ElfW(Half)*>(address);
      if (entry->d_tag == DT_VERNEED) needed = reinterpret_cast<const ElfW(Verneed)*>(address);
      if (entry->d_tag == DT_VERNEEDNUM) needed_count = value;
      if (entry->d_tag == DT_GNU_HASH) gnu_hash = reinterpret_cast<const uint32_t*>(address);
      if (entry->d_tag == DT_HASH) sysv_hash = reinterpret_cast<const uint32_t*>(address);
    }
  }

  // Undefined symbols come before those that the GNU hash table covers.
  size_t undefined_end() const { return gnu_hash != nullptr ? gnu_hash[1] : sysv_hash != nullptr ? sysv_hash[1] : 0; }

  const char* version_name(unsigned index) const {
    const char* at = reinterpret_cast<const char*>(needed);
    for (size_t i = 0; i < needed_count; ++i) {
      const auto* file = reinterpret_cast<const ElfW(Verneed)*>(at);
      const char* version_at = at + file->vn_aux;
      for (unsigned j = 0; j < file->vn_cnt; ++j) {
        const auto* version = reinterpret_cast<const ElfW(Vernaux)*>(version_at);
        if ((version->vna_other & 0x7FFF) == index) return strings + version->vna_name;
        version_at += version->vna_next;
      }
      at += file->vn_next;
    }
    return nullptr;
  }
};

}  // namespace

const CallerObject* caller_object(const void* address) {
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  if (const CallerObject* known = find_known(wanted)) return known;
  Dl_info info;
  link_map* map = nullptr;
  capture::MappedRange range;
  if (dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr ||
      !capture::find_loaded_object(
          [&](const dl_phdr_info& object) { return capture::maps_address(object, wanted, range); }))
    return nullptr;
  // The handle is never closed: an object that calls CUDA functions stays loaded.
  const bool is_program = map->l_name == nullptr || *map->l_name == '\0';
  void* handle = dlopen(is_program ? nullptr : map->l_name, RTLD_NOLOAD | RTLD_LAZY | RTLD_LOCAL);
  const capture::SpinLock lock(g_lock);
  if (const CallerObject* known = find_known(wanted)) return known;
  if (g_count == kMostCallerObjects) return nullptr;
  g_objects[g_count] = {range, handle, map};
  __atomic_store_n(&g_count, g_count + 1, __ATOMIC_RELEASE);
  return &g_objects[g_count - 1];
}

unsigned caller_index(const CallerObject* object) { return static_cast<unsigned>(object - g_objects); }

const char* referenced_version(const link_map* map, const char* name) {
  const DynamicTables tables(map);
  if (tables.symbols == nullptr || tables.strings == nullptr || tables.versions == nullptr || tables.needed == nullptr)
    return nullptr;
  for (size_t i = 1, end = tables.undefined_end(); i < end; ++i) {
    const ElfW(Sym)& symbol = tables.symbols[i];
    if (symbol.st_shndx != SHN_UNDEF || strcmp(tables.strings + symbol.st_name, name) != 0) continue;
    return tables.version_name(tables.versions[i] & 0x7FFF);
  }
  return nullptr;
}

}  // namespace tauprof::hooks
