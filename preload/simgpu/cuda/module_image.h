// Reads the names of the kernels (entry points) from a module's image.
#pragma once

#include <optional>
#include <set>
#include <string>

namespace simgpu {

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
