// Opens a library and asks what its initialiser did: opens_library used|unused LIBRARY. `used`: the device was used
// before, so that the recorder runs already.
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

#include "counted_calls.h"

int main(int count, char** arguments) {
  if (count < 3) return 2;
  if (std::strcmp(arguments[1], "used") == 0) {
    programs::use_device();
    programs::make_calls(100);
  }
  void* const library = dlopen(arguments[2], RTLD_NOW);
  if (library == nullptr) {
    std::printf("%s\n", dlerror());
    return 3;
  }
  std::printf("%d calls failed\n", reinterpret_cast<int (*)()>(dlsym(library, "failed_calls"))());
  programs::make_calls(100);
  cudaDeviceSynchronize();
  return programs::print_calls();
}
