// All that CUPTI keeps in a process. Made at first use and never destroyed, because threads may outlive main().
#pragma once

#include <cupti.h>

#include <atomic>
#include <mutex>

#include "simgpu/cupti/activity_buffers.h"
#include "simgpu/cupti/activity_selection.h"
#include "simgpu/cupti/client_clock.h"
#include "simgpu/cupti/recorder.h"
#include "simgpu/cupti/subscriber.h"
#include "simgpu/cupti/worker.h"

namespace simgpu::cupti {

class Session {
 public:
  static Session& get();

  // Begins to observe the engine. CUPTI_ERROR_UNKNOWN without a device, as with the real library without a driver.
  CUptiResult attach();
  // Forgets everything, delivers nothing.
  void detach();

  ClientClock clock;
  ActivitySelection selection;
  ActivityBuffers buffers{clock};
  Subscriber subscriber;
  Worker worker{buffers};
  std::atomic<bool> latency_timestamps{false};
  std::atomic<CUpti_ActivityThreadIdType> thread_id_type{CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT};
  Recorder recorder{*this};

 private:
  Session();
  std::mutex mutex_;
  bool attached_ = false;
};

// Opens every exported function: refuses in a forked child, where CUPTI is of no use any more, and keeps the result for
// cuptiGetLastError.
bool is_lost_in_fork();
CUptiResult keep_error(CUptiResult result);
CUptiResult take_last_error();

template <typename Body>
CUptiResult serve(Body body) {
  return keep_error(is_lost_in_fork() ? CUPTI_ERROR_NOT_INITIALIZED : body());
}

}  // namespace simgpu::cupti
