// A pair of libraries in one folder. `find_neighbour` looks for the other by its name alone, which only the RUNPATH of
// the library that calls dlopen() leads to.
#include <dlfcn.h>

#ifdef IS_NEIGHBOUR
extern "C" [[gnu::visibility("default")]] int answer() { return 42; }
#else
extern "C" [[gnu::visibility("default")]] int find_neighbour() {
  void* const library = dlopen("libneighbour.so", RTLD_NOW | RTLD_LOCAL);
  auto* const answer = library != nullptr ? reinterpret_cast<int (*)()>(dlsym(library, "answer")) : nullptr;
  return answer != nullptr ? answer() : 0;
}
#endif
