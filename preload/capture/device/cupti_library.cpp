#include "capture/device/cupti_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/zeroed_memory.h"
#include "capture/loader/loaded_library.h"
#include "capture/loader/object_symbols.h"

namespace tauprof::capture {
namespace {

constexpr size_t kMostPath = 4096;
static_assert(kMostPath >= PATH_MAX);

struct Paths {
  char cupti[kMostPath], cudart[kMostPath], resolved[kMostPath];
};

void* g_handle;  // of dlopen(); never closed
const char* g_path_in_use;

constexpr char kCudart[] = "libcudart.so";
constexpr char kCupti[] = "libcupti.so";

// "13" of ".../libcudart.so.13.0.96".
int major_of(const char* cudart) {
  const char* suffix = strstr(cudart, ".so.");
  return suffix != nullptr ? atoi(suffix + strlen(".so.")) : 0;
}

// The major CUDA version that the library or program around `address` was linked with; 0: none.
int major_needed_at(const void* address) {
  int major = 0;
  with_loader_list([&](const LoaderList& list) {
    const link_map* const map = object_around(list, reinterpret_cast<uintptr_t>(address)).map;
    const char* const needed = map != nullptr ? ObjectSymbols(map).needed_library(kCudart) : nullptr;
    if (needed != nullptr) major = major_of(needed);
  });
  return major;
}

// Finds a loaded library of this major version; 0: of any version.
bool find_loaded(const char* stem, int major, char (&path)[kMostPath]) {
  char name[32];
  snprintf(name, sizeof name, major != 0 ? "%s.%d" : "%s", stem, major);
  return find_loaded_library(name, path, sizeof path);
}

void* open_loaded(int major, Paths& paths) {
  return find_loaded(kCupti, major, paths.cupti) ? dlopen(paths.cupti, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD) : nullptr;
}

// Toolkits and newer wheels have both libraries in one folder, or CUPTI under extras. Older wheels have one folder for
// each.
void* open_beside(const char* cudart, int major, char (&path)[kMostPath]) {
  static constexpr const char* kFolders[] = {"", "../extras/CUPTI/lib64/", "../../extras/CUPTI/lib64/",
                                             "../../cuda_cupti/lib/"};
  const char* slash = strrchr(cudart, '/');
  if (slash == nullptr) return nullptr;
  for (const char* folder : kFolders) {
    const int size = snprintf(path, sizeof path, "%.*s%slibcupti.so.%d", static_cast<int>(slash + 1 - cudart), cudart,
                              folder, major);
    if (size < 0 || static_cast<size_t>(size) >= sizeof path) continue;
    if (void* handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL)) return handle;
  }
  return nullptr;
}

void* open_system(int wanted_major) {
  for (int major = 13; major >= 11; --major) {
    char name[32];
    snprintf(name, sizeof name, "libcupti.so.%d", major);
    if (wanted_major != 0 && major != wanted_major) continue;
    if (void* handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL)) return handle;
  }
  return nullptr;
}

void* open_library(const void* caller, Paths& paths) {
  int major = major_needed_at(caller);
  if (void* handle = open_loaded(major, paths)) return handle;
  if (find_loaded(kCudart, major, paths.cudart)) {
    const char* path = realpath(paths.cudart, paths.resolved) != nullptr ? paths.resolved : paths.cudart;
    major = major_of(path);
    if (void* handle = open_beside(path, major, paths.cupti)) return handle;
  }
  const char* chosen = getenv("TAUPROF_CUPTI");
  if (chosen != nullptr && *chosen != '\0')
    if (void* handle = dlopen(chosen, RTLD_LAZY | RTLD_LOCAL)) return handle;
  return open_system(major);
}

}  // namespace

void CuptiLibrary::open(const void* caller) {
  if (__atomic_load_n(&g_handle, __ATOMIC_ACQUIRE) != nullptr) return;
  const ScopedMemory<Paths> paths;
  if (paths.get() != nullptr) __atomic_store_n(&g_handle, open_library(caller, *paths.get()), __ATOMIC_RELEASE);
}

bool CuptiLibrary::load() {
  void* const handle = __atomic_load_n(&g_handle, __ATOMIC_ACQUIRE);
  return handle != nullptr && resolve(handle);
}

void* CuptiLibrary::function(const char* name) const {
  return function_in(static_cast<const link_map*>(handle_), name);  // which is what glibc's handles are
}

bool CuptiLibrary::resolve(void* handle) {
  handle_ = handle;
  missing_ = nullptr;
#define TAUPROF_CUPTI_OPTIONAL(name) name = reinterpret_cast<decltype(name)>(function(#name));
#define TAUPROF_CUPTI(name)    \
  TAUPROF_CUPTI_OPTIONAL(name) \
  if (name == nullptr) missing_ = #name;
#include "capture/device/cupti_functions.def"
  return missing_ == nullptr;
}

void CuptiLibrary::note_use() const {
  if (path_in_use() == nullptr)  // we keep it loaded
    __atomic_store_n(&g_path_in_use, static_cast<const link_map*>(handle_)->l_name, __ATOMIC_RELEASE);
}

const char* CuptiLibrary::path_in_use() { return __atomic_load_n(&g_path_in_use, __ATOMIC_ACQUIRE); }

const char* CuptiLibrary::result_text(CUptiResult result) const {
  const char* text = nullptr;
  if (cuptiGetResultString != nullptr && cuptiGetResultString(result, &text) == CUPTI_SUCCESS && text != nullptr)
    return text;
  return "an error without a name";
}

}  // namespace tauprof::capture
