// Prints what becomes of errno, and of an error of the loader's that nobody has asked for, over calls: keeps_errors
// LIBRARY. LIBRARY is a plugin, whose calls come from an object that the recorder has not seen before.
#include <dlfcn.h>

#include <cerrno>

#include "counted_calls.h"

namespace {

// An error is pending while `calls` are made.
template <class Calls>
void show(const char* what, const Calls& calls) {
  dlsym(RTLD_DEFAULT, "no_such_function");
  errno = 77;
  calls();
  const int number = errno;
  const char* const pending = dlerror();
  std::printf("%s: errno %d, %s\n", what, number, pending != nullptr ? pending : "no error");
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  void* const plugin = dlopen(arguments[1], RTLD_NOW);
  if (plugin == nullptr) return 3;
  const auto work = reinterpret_cast<int (*)()>(dlsym(plugin, "work"));
  const auto create_event = reinterpret_cast<int (*)(cudaEvent_t*)>(dlsym(plugin, "cudaEventCreate"));
  int number;
  cudaEvent_t event;
  show("first call", programs::use_device);
  show("second call", [] { programs::make_calls(1); });
  show("another function", [&] { cudaGetDeviceCount(&number); });
  show("many calls", [] { programs::make_calls(200'000); });
  show("new object", [&] { work(); });
  show("by address", [&] { create_event(&event); });
  show("end of work", [] { cudaDeviceSynchronize(); });
  return programs::print_calls();
}
