// Asks for a variable, opens a library, uses the device, and ends itself and a child in the way that the first argument
// names: "_exit" or
// "_Exit".
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "device_work.h"

namespace {

[[noreturn]] void end(const char* how, int status) {
  std::fflush(stdout);
  if (std::strcmp(how, "_exit") == 0) _exit(status);
  std::_Exit(status);
}

void open_library() {
  void* const library = dlopen("libm.so.6", RTLD_NOW);
  auto* const root = library != nullptr ? reinterpret_cast<double (*)(double)>(dlsym(library, "sqrt")) : nullptr;
  std::printf("the root of 9 is %g\n", root != nullptr ? root(9) : 0);
  void* const driver = dlopen("libfake_driver.so", RTLD_NOW);
  std::printf("a driver: %d\n", driver != nullptr && dlsym(driver, "fake_driver") != nullptr);
  std::printf("no such library: %d\n", dlopen("no such libm.so", RTLD_NOW) == nullptr && dlerror() != nullptr);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  const char* const value = std::getenv("HOSTILE_VARIABLE");
  std::printf("a variable: %s\n", value != nullptr ? value : "none");
  open_library();
  const pid_t child = fork();
  if (child == 0) end(arguments[1], 3);
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("the child: %d\n", status);
  programs::DeviceWork work;
  work.rounds(10);
  end(arguments[1], 5);
}
