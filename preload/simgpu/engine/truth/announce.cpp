// The symbol through which a program tells the simulator what it is doing.
#include "simgpu/engine/truth.h"
#include "simgpu/engine/visibility.h"
#include "simgpu/simgpu.h"

SIMGPU_API void simgpu_announce(const char* what, int64_t index, int begin) {
  simgpu::write_announcement(what == nullptr ? "" : what, index, begin != 0);
}
