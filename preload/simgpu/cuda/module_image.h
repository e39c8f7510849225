// What a module's image tells of its kernels: the names of the entry points.
#pragma once

#include <optional>
#include <set>
#include <string>

namespace simgpu {

enum class ImageKind { Unknown, Elf, Ptx, FatBinary };

struct ModuleImage {
  ImageKind kind = ImageKind::Unknown;
  // nullopt: they cannot be read (fat binaries are compressed), so that every name is taken to be there.
  std::optional<std::set<std::string>> kernels;
};

// `image` as cuModuleLoadData takes it: a cubin, a fat binary (or nvcc's wrapper of one), or a text of PTX that ends
// with a NUL.
ModuleImage read_image(const void* image);

}  // namespace simgpu
