// The order of starts and ends. How kernels share a device is in sm_sharing.cpp.
#include "simgpu/engine/timeline/timeline.h"

#include <algorithm>

#include "simgpu/engine/call.h"
#include "simgpu/engine/calls/observation.h"
#include "simgpu/engine/config.h"
#include "simgpu/engine/devices/device_activity.h"
#include "simgpu/engine/injection_window.h"
#include "simgpu/engine/timeline/kernel_fault.h"
#include "simgpu/engine/truth.h"

namespace simgpu {
namespace {

int copy_engine(Resource resource) {
  switch (resource) {
    case Resource::CopyIn:
      return 0;
    case Resource::CopyOut:
      return 1;
    case Resource::CopyPeer:
      return 2;
    default:
      return -1;
  }
}

bool is_visible(const Operation& operation) { return operation.request.span.kind != SpanKind::None; }

bool occupies_device(const Operation& operation) {
  return is_visible(operation) && operation.request.span.kind != SpanKind::Graph;  // its nodes occupy it
}

bool is_awaited_outside(const Operation& operation) { return operation.external || operation.is_host_function; }

template <typename Container>
void erase_one(Container& container, const OperationRef& operation) {
  const auto found = std::find(container.begin(), container.end(), operation);
  if (found != container.end()) container.erase(found);
}

// Moves a start to the end of the device's injected stall.
Nanoseconds after_stalls(const Operation& operation, Nanoseconds at) {
  if (!is_visible(operation)) return at;
  for (const Window& stall : config().injection(operation.device).device_stalls) {
    const auto until = open_until(stall, at);
    if (!until) continue;
    write_injection("stall_device", operation.device, *until - stall.length, *until);
    at = *until;
  }
  return at;
}

}  // namespace

Timeline& Timeline::get() {
  static auto& timeline = *new Timeline;
  return timeline;
}

Timeline::DeviceState& Timeline::state_of(int device) {
  if (devices_.size() <= static_cast<std::size_t>(device)) devices_.resize(device + 1);
  return devices_[device];
}

void Timeline::submit(const OperationRef& operation, const std::vector<OperationRef>& predecessors) {
  state_of(operation->device);
  for (const auto& predecessor : predecessors) {
    if (!predecessor || predecessor->is_done()) continue;
    predecessor->followers.push_back(operation);
    ++operation->awaited;
  }
  if (is_awaited_outside(*operation)) awaited_outside_.push_back(operation);
  if (operation->awaited == 0) queue(operation);
}

void Timeline::queue(const OperationRef& operation) {
  operation->state = Operation::State::Queued;
  queued_.push(operation);
}

void Timeline::advance(Nanoseconds now) {
  for (;;) {
    ask_peers();
    const OperationRef ending = earliest_end();
    const Nanoseconds end_at = ending ? ending->predicted_end() : INT64_MAX;
    const Nanoseconds start_at = queued_.empty() ? INT64_MAX : queued_.top()->ready;
    if (std::min(end_at, start_at) > now) return;
    // Ends first: they free resources.
    if (end_at <= start_at) {
      ending->end = end_at;
      end(ending);
    } else {
      const OperationRef starting = queued_.top();
      queued_.pop();
      try_start(starting);
    }
  }
}

void Timeline::ask_peers() {
  for (const auto& operation : running_) {
    if (operation->end_known) continue;
    const auto end_at = operation->external->end();
    if (!end_at) continue;
    operation->end_known = true;
    operation->remaining = 0;
    operation->rate = 1;
    operation->updated = std::max(*end_at, operation->start);
    progress_.notify_all();  // sleeping threads now know for how long
  }
}

OperationRef Timeline::earliest_end() const {
  OperationRef earliest;
  Nanoseconds earliest_at = INT64_MAX;
  for (const auto& operation : running_) {
    if (operation->end_known && operation->predicted_end() < earliest_at) {
      earliest = operation;
      earliest_at = operation->predicted_end();
    }
  }
  return earliest;
}

Nanoseconds Timeline::next_event() const {
  const OperationRef ending = earliest_end();
  const Nanoseconds end_at = ending ? ending->predicted_end() : INT64_MAX;
  return queued_.empty() ? end_at : std::min(end_at, queued_.top()->ready);
}

void Timeline::try_start(const OperationRef& operation) {
  const Nanoseconds at = after_stalls(*operation, operation->ready);
  if (at > operation->ready) {
    operation->ready = at;
    return queue(operation);
  }
  DeviceState& device = state_of(operation->device);
  switch (operation->request.work.resource) {
    case Resource::Compute:
      device.waiting_kernels.push_back(operation);
      return start_waiting_kernels(device, at);
    case Resource::CopyIn:
    case Resource::CopyOut:
    case Resource::CopyPeer:
      if (begin_copy(device, operation)) start(operation, at);
      return;
    default:
      return start(operation, at);
  }
}

// False: the copy engine is busy, and the copy is queued.
bool Timeline::begin_copy(DeviceState& device, const OperationRef& operation) {
  const int engine = copy_engine(operation->request.work.resource);
  if (device.copying[engine]) {
    device.waiting_copies[engine].push_back(operation);
    return false;
  }
  device.copying[engine] = operation;
  return true;
}

void Timeline::start(const OperationRef& operation, Nanoseconds at) {
  operation->state = Operation::State::Running;
  operation->start = operation->updated = at;
  if (is_awaited_outside(*operation)) forget_awaited(operation);
  if (operation->is_host_function) {
    due_host_functions_.push_back(operation);
    host_function_due_.notify_one();
    return;
  }
  running_.push_back(operation);
  if (operation->external) {
    operation->end_known = false;
    operation->rate = 0;
    operation->external->started(at, operation->id);
  } else {
    operation->remaining = static_cast<double>(effective_duration(*operation, at));
  }
  DeviceState& device = state_of(operation->device);
  if (operation->request.work.resource == Resource::Transfer) {
    device.transfers.push_back(operation);
    share_kernels(device, at);
  }
}

void Timeline::end(const OperationRef& operation) {
  erase_one(running_, operation);
  operation->state = Operation::State::Done;
  release(operation);
  if (operation->external) operation->external->finished(operation->end);
  if (operation->request.effect) operation->request.effect();
  report(*operation);
  raise_injected_fault(*operation);
  for (const auto& follower : operation->followers) {
    const Nanoseconds gap = occupies_device(*follower) ? follower->pause : 0;
    follower->ready = std::max(follower->ready, operation->end + gap);
    if (--follower->awaited == 0) queue(follower);
  }
  operation->followers.clear();
  operation->graph_nodes.clear();
  operation->stream.reset();
  operation->external.reset();
  operation->request.effect = nullptr;
  operation->request.external = nullptr;
  progress_.notify_all();
}

// Passes its share of the device on to the operations that wait for it.
void Timeline::release(const OperationRef& operation) {
  DeviceState& device = state_of(operation->device);
  const Resource resource = operation->request.work.resource;
  if (resource == Resource::Compute || resource == Resource::Transfer) {
    erase_one(resource == Resource::Compute ? device.kernels : device.transfers, operation);
    return start_waiting_kernels(device, operation->end);
  }
  const int engine = copy_engine(resource);
  if (engine < 0 || device.copying[engine] != operation) return;
  device.copying[engine].reset();
  auto& waiting = device.waiting_copies[engine];
  if (waiting.empty()) return;
  const OperationRef next = waiting.front();
  waiting.pop_front();
  device.copying[engine] = next;
  start(next, std::max(next->ready, operation->end));
}

void Timeline::report(const Operation& operation) const {
  if (!is_visible(operation)) return;
  Span span{operation.id, operation.request.span, operation.submitted, operation.start, operation.end, 0, 0};
  for (const auto& node : operation.graph_nodes) {
    if (node->start > 0 && is_visible(*node)) span.start = std::min(span.start, node->start);
  }
  span.device_start = device_time(operation.device, span.start);
  span.device_end = device_time(operation.device, span.end);
  write_truth(span);
  if (is_observed()) notify_finished(span);
  const bool is_copy = span.what.kind == SpanKind::Memcpy;
  if (span.what.kind != SpanKind::Graph) note_busy(operation.device, is_copy, span.start, span.end);
}

void Timeline::finish_host_function(const OperationRef& operation, Nanoseconds at) {
  operation->end = std::max(at, operation->start);
  end(operation);
}

void Timeline::forget_awaited(const OperationRef& operation) { erase_one(awaited_outside_, operation); }

void Timeline::abandon(const OperationRef& operation, Nanoseconds now) {
  if (operation->is_done()) return;
  if (operation->external) operation->external->finished(std::nullopt);
  forget_awaited(operation);
  operation->external.reset();
  operation->request.effect = nullptr;
  if (operation->state == Operation::State::Running && !operation->is_host_function) {
    operation->end = std::max(now, operation->start);
    return end(operation);
  }
  // It stays in the order, but does nothing.
  operation->request.span.kind = SpanKind::None;
  if (operation->request.work.resource == Resource::Transfer) operation->request.work = {};
}

void Timeline::abandon_device(int device, Nanoseconds now) {
  std::vector<OperationRef> found(running_);
  for (auto rest = queued_; !rest.empty(); rest.pop()) found.push_back(rest.top());
  DeviceState& state = state_of(device);
  found.insert(found.end(), state.waiting_kernels.begin(), state.waiting_kernels.end());
  for (const auto& waiting : state.waiting_copies) found.insert(found.end(), waiting.begin(), waiting.end());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto followers = found[i]->followers;
    found.insert(found.end(), followers.begin(), followers.end());
    std::sort(found.begin() + i + 1, found.end());
    found.erase(std::unique(found.begin() + i + 1, found.end()), found.end());
  }
  for (const auto& operation : found) {
    if (operation->device != device || operation->is_done()) continue;
    operation->request.span.kind = SpanKind::None;
    operation->request.work.duration = 0;
    operation->remaining = 0;
    abandon(operation, now);
  }
  advance(now);
}

bool Timeline::any_kernel_running(int device) const {
  return static_cast<std::size_t>(device) < devices_.size() && !devices_[device].kernels.empty();
}

bool Timeline::awaits_peers() const {
  return std::any_of(running_.begin(), running_.end(), [](const auto& operation) { return !operation->end_known; });
}

bool any_kernel_running(int device) { return Timeline::get().any_kernel_running(device); }

}  // namespace simgpu
