#include "capture/loaded_library.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

namespace tauprof::capture {
namespace {

struct Search {
  const char* stem;
  char* path;
  size_t size;
};

int compare(dl_phdr_info* info, size_t, void* context) {
  auto& search = *static_cast<Search*>(context);
  if (info->dlpi_name == nullptr) return 0;
  const char* slash = strrchr(info->dlpi_name, '/');
  const char* file = slash != nullptr ? slash + 1 : info->dlpi_name;
  if (strncmp(file, search.stem, strlen(search.stem)) != 0 || strlen(info->dlpi_name) >= search.size) return 0;
  strcpy(search.path, info->dlpi_name);
  return 1;
}

}  // namespace

bool find_loaded_library(const char* stem, char* path, unsigned long size) {
  Search search{stem, path, size};
  return dl_iterate_phdr(compare, &search) != 0;
}

void* loaded_function(const char* stem, const char* name) {
  char path[4096];
  if (!find_loaded_library(stem, path, sizeof path)) return nullptr;
  // The handle is kept: the library must stay as long as the pointer is used.
  void* handle = dlopen(path, RTLD_NOLOAD | RTLD_LAZY | RTLD_LOCAL);
  return handle != nullptr ? dlsym(handle, name) : nullptr;
}

}  // namespace tauprof::capture
