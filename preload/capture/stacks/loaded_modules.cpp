#include "capture/stacks/loaded_modules.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

namespace tauprof::capture {
namespace {

uint64_t aligned(uint64_t size) { return (size + 3) & ~uint64_t{3}; }

// Finds the build id in a segment of notes. A note is three words (size of the name, size of the content, type), the
// name, the content.
void read_build_id(const uint8_t* at, uint64_t size, LoadedModule& module) {
  constexpr uint64_t kHeaderBytes = 12;
  constexpr uint32_t kBuildId = 3;
  for (uint64_t i = 0; i + kHeaderBytes <= size;) {
    uint32_t header[3];
    memcpy(header, at + i, sizeof header);
    const uint64_t content = i + kHeaderBytes + aligned(header[0]);
    if (content + header[1] > size) return;
    if (header[2] == kBuildId && header[0] == 4 && memcmp(at + i + kHeaderBytes, "GNU", 4) == 0) {
      for (uint32_t byte = 0; byte < header[1] && 2 * byte + 2 < sizeof module.build_id; ++byte)
        snprintf(module.build_id + size_t{2} * byte, 3, "%02x", at[content + byte]);
      return;
    }
    i = content + aligned(header[1]);
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

}  // namespace

bool find_module(uint64_t address, LoadedModule& module) {
  return find_loaded_object([&](const dl_phdr_info& object) {
    if (!maps_address(object, address, module.range)) return false;
    module.base = object.dlpi_addr;
    read_path(object.dlpi_name, module);
    module.build_id[0] = '\0';
    for (int i = 0; i < object.dlpi_phnum && module.build_id[0] == '\0'; ++i)
      if (const auto& segment = object.dlpi_phdr[i]; segment.p_type == PT_NOTE)
        read_build_id(reinterpret_cast<const uint8_t*>(object.dlpi_addr + segment.p_vaddr), segment.p_memsz, module);
    return true;
  });
}

}  // namespace tauprof::capture
