#include "simgpu/cupti/attachment.h"

#include <mutex>
#include <utility>

#include "simgpu/cupti/recorder.h"
#include "simgpu/cupti/session.h"
#include "simgpu/engine/device.h"

namespace simgpu::cupti {
namespace {

std::mutex attach_mutex;
bool attached = false;

Recorder& recorder() {
  static Recorder* const instance = new Recorder(Session::get());
  return *instance;
}

}  // namespace

CUptiResult claim() {
  const bool is_ours = device_count() == 0 || claim_observation(&attached);
  return is_ours ? CUPTI_SUCCESS : CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
}

CUptiResult attach() {
  if (device_count() == 0) return CUPTI_ERROR_UNKNOWN;
  if (const CUptiResult error = claim()) return error;
  const std::lock_guard lock(attach_mutex);
  if (attached) return CUPTI_SUCCESS;
  note_attached();
  Session::get().clock.sample();
  recorder().resources().note_existing();
  set_observer(&recorder());
  attached = true;
  return CUPTI_SUCCESS;
}

void detach() {
  const std::lock_guard lock(attach_mutex);
  if (!std::exchange(attached, false)) return;
  Session& session = Session::get();
  set_observer(nullptr);
  session.each_client([](Client& client) {
    client.selection.clear();
    client.worker.stop();
    client.buffers.discard();
    client.subscriber.clear();
  });
  session.allows_several = 2;
}

void dump_resources(CUpti_ActivityKind kind) { recorder().resources().dump(kind); }

}  // namespace simgpu::cupti
