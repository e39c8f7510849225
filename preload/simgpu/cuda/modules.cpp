#include "simgpu/cuda/modules.h"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <regex>
#include <string>

#include "simgpu/cuda/driver_call.h"
#include "simgpu/engine/handle_table.h"
#include "simgpu/engine/kernel.h"

// Modules and libraries that a program loads at run time, and the kernels that it gets from them.

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

constexpr std::uintptr_t kModuleBase = 0x5c0d0000000;

struct Module {
  ModuleImage image;
  std::map<std::string, Kernel*> kernels;  // those that the program asked for
};

struct Modules {
  std::mutex mutex;
  HandleTable<Module> table{kModuleBase};
};

Modules& modules() {
  static auto* const all = new Modules;
  return *all;
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

CUresult load_module(const void* image, void** out) {
  if (image == nullptr || out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  auto module = std::make_shared<Module>();
  module->image = read_image(image);
  if (module->image.kind == ImageKind::Unknown) return CUDA_ERROR_INVALID_IMAGE;
  const std::lock_guard lock(modules().mutex);
  *out = modules().table.insert<void*>(std::move(module));
  return CUDA_SUCCESS;
}

CUresult load_module_file(const char* path, void** out) {
  if (path == nullptr || out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::ifstream file(path, std::ios::binary);
  if (!file) return CUDA_ERROR_FILE_NOT_FOUND;
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  bytes.resize(bytes.size() + 8);  // the NUL after PTX, and space for a magic number if the file is empty
  return load_module(bytes.data(), out);
}

CUresult unload_module(void* module) {
  const std::lock_guard lock(modules().mutex);
  return modules().table.remove(module) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

CUresult find_module_kernel(void* handle, const char* name, void** out) {
  if (name == nullptr || out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const std::lock_guard lock(modules().mutex);
  const auto module = modules().table.find(handle);
  if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (module->image.kernels && !module->image.kernels->contains(name)) return CUDA_ERROR_NOT_FOUND;
  Kernel*& kernel = module->kernels[name];
  if (kernel == nullptr) kernel = add_kernel(name);
  *out = kernel;
  return CUDA_SUCCESS;
}

DRIVER_CALL(cuModuleLoad, (CUmodule * module, const char* fname), (module, fname)) {
  return load_module_file(fname, reinterpret_cast<void**>(module));
}

DRIVER_CALL(cuModuleLoadData, (CUmodule * module, const void* image), (module, image)) {
  return load_module(image, reinterpret_cast<void**>(module));
}

DRIVER_CALL(cuModuleLoadDataEx,
            (CUmodule * module, const void* image, [[maybe_unused]] unsigned numOptions,
             [[maybe_unused]] CUjit_option* options, [[maybe_unused]] void** optionValues),
            (module, image, numOptions, options, optionValues)) {
  return load_module(image, reinterpret_cast<void**>(module));
}

DRIVER_CALL(cuModuleLoadFatBinary, (CUmodule * module, const void* fatCubin), (module, fatCubin)) {
  return load_module(fatCubin, reinterpret_cast<void**>(module));
}

DRIVER_CALL(cuModuleUnload, (CUmodule hmod), (hmod)) { return unload_module(hmod); }

DRIVER_CALL(cuModuleGetFunction, (CUfunction * hfunc, CUmodule hmod, const char* name), (hfunc, hmod, name)) {
  return find_module_kernel(hmod, name, reinterpret_cast<void**>(hfunc));
}

DRIVER_QUERY(cuLibraryLoadData,
             (CUlibrary * library, const void* code, [[maybe_unused]] CUjit_option* jitOptions,
              [[maybe_unused]] void** jitOptionsValues, [[maybe_unused]] unsigned numJitOptions,
              [[maybe_unused]] CUlibraryOption* libraryOptions, [[maybe_unused]] void** libraryOptionValues,
              [[maybe_unused]] unsigned numLibraryOptions),
             (library, code, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues,
              numLibraryOptions)) {
  return load_module(code, reinterpret_cast<void**>(library));
}

DRIVER_QUERY(cuLibraryUnload, (CUlibrary library), (library)) { return unload_module(library); }

DRIVER_QUERY(cuLibraryGetKernel, (CUkernel * pKernel, CUlibrary library, const char* name), (pKernel, library, name)) {
  return find_module_kernel(library, name, reinterpret_cast<void**>(pKernel));
}

// Here a library is its own module.
DRIVER_QUERY(cuLibraryGetModule, (CUmodule * pMod, CUlibrary library), (pMod, library)) {
  if (pMod == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pMod = reinterpret_cast<CUmodule>(library);
  return CUDA_SUCCESS;
}

}  // namespace simgpu
