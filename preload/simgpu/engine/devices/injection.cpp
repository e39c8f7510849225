// The driver's way to let tools in: "CUDA_INJECTION64_PATH" names a library that cuInit loads, whose function
// InitializeInjection it calls.
#include <dlfcn.h>

#include <atomic>
#include <cstdlib>

#include "simgpu/engine/call.h"
#include "simgpu/engine/device.h"

namespace simgpu {
namespace {

constinit std::atomic<bool> initialized{false};

void load_injection() {
  const char* const path = std::getenv("CUDA_INJECTION64_PATH");
  void* const library = path != nullptr && *path != '\0' ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : nullptr;
  if (library == nullptr) return;
  if (auto* const entry = reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"))) entry();
}

}  // namespace

// The tool calls back into the stack, which finds the driver initialised.
void initialize_driver() {
  if (initialized.load(std::memory_order_relaxed) || initialized.exchange(true)) return;
  if (!is_forked_child()) load_injection();
}

bool is_driver_initialized() { return initialized.load(std::memory_order_relaxed); }

}  // namespace simgpu
