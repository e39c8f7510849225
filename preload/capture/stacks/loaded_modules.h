// Finds the loaded file that contains an address, with its build id, which distinguishes two builds of the file.
#pragma once

#include <stdint.h>

#include "capture/loader/loaded_objects.h"

namespace tauprof::capture {

struct LoadedModule {
  char path[1024];
  char build_id[64];  // hexadecimal; empty: the file has none
  uint64_t base;      // subtracted from an address, gives the address within the file
  MappedRange range;
};

// False: no loaded file contains the address (generated code, or a file that was unloaded).
bool find_module(uint64_t address, LoadedModule& module);

}  // namespace tauprof::capture
