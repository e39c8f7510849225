#include "capture/loader/loaded_objects.h"

#include "capture/base/signals.h"

// The loader's own record of the list, for debuggers; it may not export it.
#pragma weak _r_debug

namespace tauprof::capture {
namespace {

const ElfW(Dyn) * dynamic_section(const dl_phdr_info& object) {
  for (int i = 0; i < object.dlpi_phnum; ++i)
    if (object.dlpi_phdr[i].p_type == PT_DYNAMIC)
      return reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + object.dlpi_phdr[i].p_vaddr);
  return nullptr;
}

// Every program tells debuggers where the list is.
const link_map* first_of(const dl_phdr_info& program) {
  const ElfW(Dyn)* entry = dynamic_section(program);
  for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_DEBUG && entry->d_un.d_ptr != 0)
      return reinterpret_cast<const r_debug*>(entry->d_un.d_ptr)->r_map;
  return &_r_debug != nullptr ? _r_debug.r_map : nullptr;
}

}  // namespace

int visit_loaded_objects(int (*visit)(dl_phdr_info* object, size_t size, void* context), void* context) {
  const BlockedSignals blocked;
  return dl_iterate_phdr(visit, context);
}

bool maps_address(const dl_phdr_info& object, uint64_t address, MappedRange& range) {
  range = {UINT64_MAX, 0};
  bool is_inside = false;
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const auto& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const uint64_t from = object.dlpi_addr + segment.p_vaddr, to = from + segment.p_memsz;
    is_inside |= address >= from && address < to;
    if (from < range.begin) range.begin = from;
    if (to > range.end) range.end = to;
  }
  return is_inside;
}

bool LoaderList::has(const link_map* object) const {
  const link_map* map = first;
  while (map != nullptr && map != object) map = map->l_next;
  return map != nullptr;
}

LoaderList loader_list(const dl_phdr_info& program) { return {first_of(program), program.dlpi_subs}; }

LoadedObject object_around(const LoaderList& list, uint64_t address) {
  LoadedObject found;
  find_loaded_object([&](const dl_phdr_info& object) {
    if (!maps_address(object, address, found.range)) return false;
    const ElfW(Dyn)* const dynamic = dynamic_section(object);
    found.map = list.first;
    while (found.map != nullptr && (found.map->l_addr != object.dlpi_addr || found.map->l_ld != dynamic))
      found.map = found.map->l_next;
    return true;
  });
  return found;
}

}  // namespace tauprof::capture
