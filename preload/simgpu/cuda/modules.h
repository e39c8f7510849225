// Modules, and the kernels that their images name.
#pragma once

#include <cuda.h>

#include <optional>
#include <set>
#include <string>

namespace simgpu {

// Modules, which are also libraries: one handle serves as both.
CUresult load_module(const void* image, void** out);
CUresult load_module_file(const char* path, void** out);
CUresult unload_module(void* module);
CUresult find_module_kernel(void* module, const char* name, void** out);

// Reads the names of the kernels (entry points) from a module's image.

enum class ImageKind { Unknown, Elf, Ptx, FatBinary };

struct ModuleImage {
  ImageKind kind = ImageKind::Unknown;
  // nullopt: the names cannot be read (fat binaries are compressed), and every name counts as present.
  std::optional<std::set<std::string>> kernels;
};

// `image` as for cuModuleLoadData: a cubin, a fat binary (or nvcc's wrapper around one), or PTX as text with a final
// NUL.
ModuleImage read_image(const void* image);

}  // namespace simgpu
