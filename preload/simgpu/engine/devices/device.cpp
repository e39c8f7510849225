#include "simgpu/engine/device.h"

#include <poll.h>
#include <sys/prctl.h>

#include <atomic>
#include <mutex>
#include <system_error>

#include "simgpu/engine/background_thread.h"
#include "simgpu/engine/call.h"
#include "simgpu/engine/config.h"
#include "simgpu/engine/truth.h"

namespace simgpu {
namespace {

// The driver's waits for events of the device, which never come here.
void wait_for_ever() {
  prctl(PR_SET_NAME, "cuda-EvtHandlr");
  for (;;) poll(nullptr, 0, -1);
}

// The driver's own threads. They do nothing, but a process has them from its first context until its end: one whose
// `main` leaves by pthread_exit stays, and who counts or lists the threads of the process finds them.
//
// Call once in a process, when its first context is made. A forked child has none.
void start_driver_threads() {
  try {
    for (int i = 0; i < config().driver_threads; ++i) start_background_thread(wait_for_ever);
  } catch (const std::system_error&) {
    // The process may have no more threads. Nothing depends on these.
  }
}

constexpr int kMaxDevices = 64;  // as many as the option `devices` allows

constinit thread_local int thread_device __attribute__((tls_model("initial-exec"))) = 0;

constinit std::atomic<int> errors[kMaxDevices]{};
constinit std::atomic<std::uint32_t> contexts[kMaxDevices]{};

std::uint32_t make_context(int device) {
  static std::mutex lock;
  static std::uint32_t made = 0;
  const std::lock_guard guard(lock);
  if (const std::uint32_t context = existing_context(device)) return context;
  open_truth();
  if (made == 0) start_driver_threads();
  contexts[device].store(++made);
  return made;
}

}  // namespace

int current_device() { return thread_device; }

cudaError_t set_current_device(int device) {
  if (is_forked_child()) return cudaErrorInitializationError;
  if (device_count() == 0) return cudaErrorNoDevice;
  if (!is_device(device)) return cudaErrorInvalidDevice;
  thread_device = device;
  context_of(device);
  return device_error(device);
}

std::uint32_t existing_context(int device) {
  return device >= 0 && device < kMaxDevices ? contexts[device].load(std::memory_order_acquire) : 0;
}

std::uint32_t context_of(int device) {
  const std::uint32_t context = existing_context(device);
  if (context != 0 || !is_device(device) || is_forked_child()) return context;
  return make_context(device);
}

cudaError_t device_error(int device) {
  if (is_forked_child()) return cudaErrorInitializationError;
  if (device_count() == 0) return cudaErrorNoDevice;
  if (!is_device(device)) return cudaErrorInvalidDevice;
  return static_cast<cudaError_t>(errors[device].load(std::memory_order_relaxed));
}

void set_device_error(int device, cudaError_t error) {
  int none = cudaSuccess;
  if (is_device(device)) errors[device].compare_exchange_strong(none, error);
}

}  // namespace simgpu
