// The functions that the real library exports and that are not simulated: they report missing hardware.
#include "simgpu/nvml/state.h"

namespace {

nvmlReturn_t refuse() { return simgpu::is_nvml_initialized() ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_UNINITIALIZED; }

}  // namespace

// The functions ignore their parameters. The asm label gives the exported name to a function that the header does not
// declare.
#define SIMGPU_UNAVAILABLE(name)                                          \
  extern "C" SIMGPU_API nvmlReturn_t unavailable_##name() __asm__(#name); \
  nvmlReturn_t unavailable_##name() { return refuse(); }
#include "simgpu/nvml/unavailable.def"
