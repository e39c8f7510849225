// Looks up a function that no library has, and calls it if it is found: twice.
#include <dlfcn.h>

#include <cstdio>

int main() {
  const auto function = reinterpret_cast<int (*)(void*)>(dlsym(RTLD_DEFAULT, "cudaEventQuery"));
  if (function == nullptr) return std::puts("none"), 0;
  std::printf("%d\n", function(nullptr));
  std::printf("%d\n", function(nullptr));
}
