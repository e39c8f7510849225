// Modules, which are also libraries: one handle serves as both.
#pragma once

#include <cuda.h>

namespace simgpu {

CUresult load_module(const void* image, void** out);
CUresult load_module_file(const char* path, void** out);
CUresult unload_module(void* module);
CUresult find_module_kernel(void* module, const char* name, void** out);

}  // namespace simgpu
