// The names that the real library exports and this one does not serve: the machine lacks what they ask for.
#include "simgpu/nvml/state.h"

namespace {

nvmlReturn_t refuse() { return simgpu::is_nvml_initialized() ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_UNINITIALIZED; }

}  // namespace

// Other parameters than the header's: these leave them alone. The alias gives the exported name to a function that the
// header does not declare.
#define SIMGPU_UNAVAILABLE(name)                                          \
  extern "C" SIMGPU_API nvmlReturn_t unavailable_##name() __asm__(#name); \
  nvmlReturn_t unavailable_##name() { return refuse(); }
#include "simgpu/nvml/unavailable.def"
