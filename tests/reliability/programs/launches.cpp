// A launcher that uses the driver itself, as profilers do, and refuses to work where a tool is to be loaded into it:
// launches COMMAND...
#include <cuda.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

bool is_to_load_a_tool() {
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::strncmp(*entry, "CUDA_INJECTION64_PATH=", 22) == 0) return true;
  return std::getenv("CUDA_INJECTION64_PATH") != nullptr || secure_getenv("CUDA_INJECTION64_PATH") != nullptr;
}

}  // namespace

int main(int count, char** arguments) {
  int devices = 0;
  if (count < 2 || is_to_load_a_tool() || cuInit(0) != CUDA_SUCCESS || cuDeviceGetCount(&devices) != CUDA_SUCCESS)
    return 1;
  if (is_to_load_a_tool()) return 1;
  std::printf("%d devices\n", devices);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    execvp(arguments[1], arguments + 1);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
