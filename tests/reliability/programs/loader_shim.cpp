// A library that replaces one function of the loader or of libc, as libraries do that share GPUs among containers. The
// name is in SHIM_DLSYM, SHIM_DLVSYM, SHIM_DLOPEN, SHIM_DRIVER, SHIM_GETENV or SHIM_EXIT. With SHIM_ONCE, RTLD_NEXT has
// each answer only once.
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <initializer_list>

#define SHOWN extern "C" __attribute__((visibility("default"), noinline))

namespace {

#if defined(__x86_64__)
constexpr char kOldest[] = "GLIBC_2.2.5";
#else
constexpr char kOldest[] = "GLIBC_2.17";
#endif

[[maybe_unused]] void say(const char* text, const char* name) {
  char line[300];
  size_t size = 0;
  for (const char* part : {text, name, "\n"}) {
    const size_t part_size = strnlen(part, sizeof line - size);
    memcpy(line + size, part, part_size);
    size += part_size;
  }
  [[maybe_unused]] const ssize_t written = write(STDOUT_FILENO, line, size);
}

}  // namespace

// RTLD_NEXT is passed on from here, so it means behind this library, whoever asked.
#ifdef SHIM_DLSYM
SHOWN void* dlsym(void* handle, const char* name) {
  static auto* const real = reinterpret_cast<void* (*)(void*, const char*)>(dlvsym(RTLD_NEXT, "dlsym", kOldest));
  void* volatile found = real(handle, name);
#ifdef SHIM_ONCE
  static void* answers[512];
  static int count;
  for (int i = 0; i < count && handle == RTLD_NEXT; ++i)
    if (answers[i] == found) return nullptr;
  if (handle == RTLD_NEXT && count < 512) answers[count++] = found;
#endif
  return found;
}
#endif

#ifdef SHIM_DLVSYM
SHOWN void* dlvsym(void* handle, const char* name, const char* version) {
  static auto* const real = reinterpret_cast<void* (*)(void*, const char*, const char*)>(dlsym(RTLD_NEXT, "dlvsym"));
  void* volatile found = real(handle, name, version);
  return found;
}
#endif

#ifdef SHIM_DLOPEN
SHOWN void* dlopen(const char* path, int mode) {
  static auto* const next = reinterpret_cast<void* (*)(const char*, int)>(dlsym(RTLD_NEXT, "dlopen"));
  if (path != nullptr && strstr(path, "libm.so") != nullptr) say(SHIM_DLOPEN " opens ", path);
  void* volatile handle = next(path, mode);
  return handle;
}
#endif

// Stands in for a library, as Nsight Compute's for the driver: it gives its own handle, and takes the object in which
// it finds the address of dlopen for itself.
#ifdef SHIM_DRIVER
SHOWN int fake_driver() { return 42; }

SHOWN void* dlopen(const char* path, int mode) {
  static auto* const next = reinterpret_cast<void* (*)(const char*, int)>(dlsym(RTLD_NEXT, "dlopen"));
  Dl_info own;
  const bool is_ours = path != nullptr && strcmp(path, "libfake_driver.so") == 0;
  if (is_ours && dladdr(reinterpret_cast<void*>(&dlopen), &own) != 0) path = own.dli_fname;
  void* volatile handle = next(path, mode);
  return handle;
}
#endif

#ifdef SHIM_GETENV
SHOWN char* getenv(const char* name) noexcept {
  static auto* const next = reinterpret_cast<char* (*)(const char*)>(dlsym(RTLD_NEXT, "getenv"));
  if (strncmp(name, "HOSTILE", 7) == 0) say("asks for ", name);
  char* volatile value = next(name);
  return value;
}
#endif

#ifdef SHIM_EXIT
SHOWN [[noreturn]] void SHIM_EXIT(int status) {
  say("ends by ", "a shim");
  for (;;) syscall(SYS_exit_group, status);
}
#endif
