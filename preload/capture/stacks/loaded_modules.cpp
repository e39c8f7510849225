#include "capture/stacks/loaded_modules.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

namespace tauprof::capture {
namespace {

struct Search {
  uint64_t address;
  LoadedModule& module;
};

uint64_t aligned(uint64_t size) { return (size + 3) & ~uint64_t{3}; }

// A segment of notes: each is three words (sizes of name and content, type), the name, the content.
void read_build_id(const uint8_t* at, uint64_t size, LoadedModule& module) {
  constexpr uint64_t kHead = 12;
  constexpr uint32_t kBuildId = 3;
  for (uint64_t i = 0; i + kHead <= size;) {
    uint32_t head[3];
    memcpy(head, at + i, sizeof head);
    const uint64_t content = i + kHead + aligned(head[0]);
    if (content + head[1] > size) return;
    if (head[2] == kBuildId && head[0] == 4 && memcmp(at + i + kHead, "GNU", 4) == 0) {
      for (uint32_t byte = 0; byte < head[1] && 2 * byte + 2 < sizeof module.build_id; ++byte)
        snprintf(module.build_id + size_t{2} * byte, 3, "%02x", at[content + byte]);
      return;
    }
    i = content + aligned(head[1]);
  }
}

void read_path(const char* name, LoadedModule& module) {
  if (name != nullptr && *name != '\0') {
    snprintf(module.path, sizeof module.path, "%s", name);
    return;
  }
  const ssize_t size = readlink("/proc/self/exe", module.path, sizeof module.path - 1);
  module.path[size > 0 ? size : 0] = '\0';
}

int look_at(dl_phdr_info* info, size_t, void* context) {
  auto& [address, module] = *static_cast<Search*>(context);
  uint64_t begin = UINT64_MAX, end = 0;
  bool is_inside = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const uint64_t from = info->dlpi_addr + segment.p_vaddr, to = from + segment.p_memsz;
    is_inside |= address >= from && address < to;
    if (from < begin) begin = from;
    if (to > end) end = to;
  }
  if (!is_inside) return 0;
  module.base = info->dlpi_addr;
  module.begin = begin;
  module.end = end;
  read_path(info->dlpi_name, module);
  module.build_id[0] = '\0';
  for (int i = 0; i < info->dlpi_phnum && module.build_id[0] == '\0'; ++i)
    if (const auto& segment = info->dlpi_phdr[i]; segment.p_type == PT_NOTE)
      read_build_id(reinterpret_cast<const uint8_t*>(info->dlpi_addr + segment.p_vaddr), segment.p_memsz, module);
  return 1;
}

}  // namespace

bool find_module(uint64_t address, LoadedModule& module) {
  Search search{address, module};
  return dl_iterate_phdr(look_at, &search) != 0;
}

}  // namespace tauprof::capture
