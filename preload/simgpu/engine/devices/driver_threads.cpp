#include "simgpu/engine/devices/driver_threads.h"

#include <poll.h>
#include <sys/prctl.h>

#include <system_error>

#include "simgpu/engine/background_thread.h"
#include "simgpu/engine/config.h"

namespace simgpu {
namespace {

// The driver's waits for events of the device, which never come here.
void wait_for_ever() {
  prctl(PR_SET_NAME, "cuda-EvtHandlr");
  for (;;) poll(nullptr, 0, -1);
}

}  // namespace

void start_driver_threads() {
  try {
    for (int i = 0; i < config().driver_threads; ++i) start_background_thread(wait_for_ever);
  } catch (const std::system_error&) {
    // The process may have no more threads. Nothing depends on these.
  }
}

}  // namespace simgpu
