#include "simgpu/cuda/module_image.h"

#include <elf.h>

#include <cstring>
#include <regex>

namespace simgpu {
namespace {

constexpr std::uint32_t kFatBinary = 0xba55ed50;
constexpr std::uint32_t kFatBinaryWrapper = 0x466243b1;
constexpr unsigned char kEntryPoint = 0x10;  // a flag of st_other, nvcc's own

// By their names, from the symbol table.
std::set<std::string> kernels_of_cubin(const char* image) {
  std::set<std::string> kernels;
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(image);
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(image + header->e_shoff);
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum) continue;
    const char* const names = image + sections[sections[i].sh_link].sh_offset;
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(image + sections[i].sh_offset);
    for (std::size_t s = 0; s < sections[i].sh_size / sizeof(Elf64_Sym); ++s) {
      const bool is_kernel = ELF64_ST_TYPE(symbols[s].st_info) == STT_FUNC && (symbols[s].st_other & kEntryPoint) != 0;
      if (is_kernel) kernels.insert(names + symbols[s].st_name);
    }
  }
  return kernels;
}

std::set<std::string> kernels_of_ptx(const char* text) {
  static const std::regex entry(R"(\.entry\s+([A-Za-z0-9_$]+))");
  std::set<std::string> kernels;
  for (std::cregex_iterator found(text, text + std::strlen(text), entry), end; found != end; ++found) {
    kernels.insert((*found)[1]);
  }
  return kernels;
}

}  // namespace

ModuleImage read_image(const void* image) {
  std::uint32_t magic = 0;
  std::memcpy(&magic, image, sizeof magic);
  if (std::memcmp(image, ELFMAG, SELFMAG) == 0) {
    return {ImageKind::Elf, kernels_of_cubin(static_cast<const char*>(image))};
  }
  if (magic == kFatBinary || magic == kFatBinaryWrapper) return {ImageKind::FatBinary, std::nullopt};
  const char first = *static_cast<const char*>(image);
  const bool is_text = first == '/' || first == '.' || first == '\n' || first == ' ';
  if (is_text) return {ImageKind::Ptx, kernels_of_ptx(static_cast<const char*>(image))};
  return {};
}

}  // namespace simgpu
