// The exported function with which a program announces its steps and phases.
#include "simgpu/engine/truth.h"
#include "simgpu/engine/visibility.h"
#include "simgpu/simgpu.h"

SIMGPU_API void simgpu_announce(const char* what, int64_t index, int is_start) {
  simgpu::write_announcement(what == nullptr ? "" : what, index, is_start != 0);
}
