// Which loaded file an address lies in, with what tells two builds of the file apart.
#pragma once

#include <stdint.h>

namespace tauprof::capture {

struct LoadedModule {
  char path[1024];
  char build_id[64];  // in hexadecimal digits; empty: the file has none
  uint64_t base;      // what an address is less, to be one of the file's own
  uint64_t begin, end;
};

// False: the address lies in no loaded file (generated code, or one that was unloaded).
bool find_module(uint64_t address, LoadedModule& module);

}  // namespace tauprof::capture
