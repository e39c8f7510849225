// A plugin that makes calls: build PLUGIN_BUILD of it. It says when it comes and goes. Its calls fail where they reach
// another runtime than the one with IDLE_DEVICE.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

namespace {

const bool is_silent = std::getenv("PLUGIN_SILENT") != nullptr;
int works;

struct Life {
  Life() {
    if (!is_silent) std::printf("build %d constructed\n", PLUGIN_BUILD);
  }
  ~Life() {
    if (!is_silent) std::printf("build %d destroyed\n", PLUGIN_BUILD);
  }
} life;

}  // namespace

extern "C" __attribute__((visibility("default"))) int work() {
  int device = -1;
  cudaGetDevice(&device);
  const int failed = cudaMemsetAsync(nullptr, 0, 64, nullptr) + cudaEventQuery(nullptr);
  return failed != 0 || device != IDLE_DEVICE ? -1 : PLUGIN_BUILD * 100 + ++works;
}
