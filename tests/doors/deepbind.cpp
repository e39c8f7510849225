// Runs the training program as a library that was opened with RTLD_DEEPBIND: it looks for functions in its own
// libraries first, and what is preloaded does not stand in front of them.
#include <dlfcn.h>

#include <cstdio>

int main(int count, char** arguments) {
  void* const library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  return reinterpret_cast<int (*)(int, char**)>(dlsym(library, "run_training"))(count, arguments);
}
