// The state of CUPTI in a process: what its client wants, and where its records go. Created at first use and never
// destroyed, because threads may outlive main().
#pragma once

#include <cupti.h>

#include <atomic>

#include "simgpu/cupti/activity_buffers.h"
#include "simgpu/cupti/activity_selection.h"
#include "simgpu/cupti/client_clock.h"
#include "simgpu/cupti/subscriber.h"
#include "simgpu/cupti/worker.h"

namespace simgpu::cupti {

struct Session {
  static Session& get();

  ClientClock clock;
  ActivitySelection selection;
  ActivityBuffers buffers{clock};
  Subscriber subscriber;
  Worker worker{buffers};
  std::atomic<bool> latency_timestamps{false};
  std::atomic<CUpti_ActivityThreadIdType> thread_id_type{CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT};
};

// Once a process has attached, its forked children cannot use CUPTI.
void note_attached();
bool is_lost_in_fork();

CUptiResult keep_error(CUptiResult result);
CUptiResult take_last_error();

// Runs the body of an exported function, except in a forked child, and keeps the result for cuptiGetLastError.
template <typename Body>
CUptiResult serve(Body body) {
  return keep_error(is_lost_in_fork() ? CUPTI_ERROR_NOT_INITIALIZED : body());
}

}  // namespace simgpu::cupti
