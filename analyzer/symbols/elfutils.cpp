#include "symbols/elfutils.h"

#include <dlfcn.h>

namespace tauprof {
namespace {

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool open(Elfutils& functions) {
  void* const library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return false;
#define TAUPROF_FIND(name) &&find(library, #name, functions.name)
  return true TAUPROF_ELFUTILS(TAUPROF_FIND);
#undef TAUPROF_FIND
}

}  // namespace

const Elfutils* elfutils() {
  static Elfutils functions;
  static const bool is_open = open(functions);
  return is_open ? &functions : nullptr;
}

}  // namespace tauprof
