// Streams: submission in CUDA's order, and waiting.
#include "simgpu/engine/stream.h"

#include <algorithm>
#include <iterator>

#include "simgpu/engine/call.h"
#include "simgpu/engine/calls/collection_cost.h"
#include "simgpu/engine/calls/observation.h"
#include "simgpu/engine/config.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/streams/capture.h"
#include "simgpu/engine/streams/stream_state.h"
#include "simgpu/engine/timeline/engine_lock.h"
#include "simgpu/engine/timeline/engine_thread.h"
#include "simgpu/engine/timeline/host_wait.h"
#include "simgpu/engine/timeline/timeline.h"

namespace simgpu {
namespace {

constexpr std::uint32_t kLegacyStreamId = 7;  // as CUPTI shows it on real devices
constexpr std::size_t kQueueLimit = 1024;
constexpr std::uint32_t kNone = 0xffffffff;

StreamRef make_stream(StreamRegistry& registry, int device, unsigned flags, int priority, std::uint32_t id) {
  auto stream = std::make_shared<Stream>();
  stream->device = device;
  stream->flags = flags;
  stream->priority = priority;
  stream->id = id;
  auto& all = registry.all;
  all.erase(std::remove_if(all.begin(), all.end(), [](const auto& one) { return one.expired(); }), all.end());
  all.push_back(stream);
  return stream;
}

StreamRef legacy_stream(StreamRegistry& registry, int device) {
  if (registry.legacy.size() <= static_cast<std::size_t>(device)) registry.legacy.resize(device + 1);
  StreamRef& stream = registry.legacy[device];
  if (!stream) {
    stream = make_stream(registry, device, cudaStreamDefault, 0, kLegacyStreamId);
    stream->is_legacy = true;
  }
  return stream;
}

StreamRef per_thread_stream(StreamRegistry& registry, int device) {
  static thread_local std::vector<StreamRef> streams;
  if (streams.size() <= static_cast<std::size_t>(device)) streams.resize(device + 1);
  StreamRef& stream = streams[device];
  if (!stream) stream = make_stream(registry, device, cudaStreamDefault, 0, ++registry.last_stream_id);
  return stream;
}

// The operations that the stream's next one must follow: its own last one, and those that the rule of the legacy
// default stream adds.
std::vector<OperationRef> predecessors(StreamRegistry& registry, const Stream& stream) {
  std::vector<OperationRef> result{stream.last};
  if (stream.is_legacy) {
    for (const auto& other : registry.on_device(stream.device)) {
      if (other.get() != &stream && other->is_blocking()) result.push_back(other->last);
    }
  } else if (stream.is_blocking() && static_cast<std::size_t>(stream.device) < registry.legacy.size()) {
    const StreamRef& legacy = registry.legacy[stream.device];
    if (legacy) result.push_back(legacy->last);
  }
  return result;
}

// The operations that a thread waits for when it synchronizes with the stream. The legacy default stream always waits
// for the blocking streams first. A stream does not wait for legacy work that came after its own last operation.
std::vector<OperationRef> unfinished(StreamRegistry& registry, const Stream& stream) {
  return stream.is_legacy ? predecessors(registry, stream) : std::vector<OperationRef>{stream.last};
}

// A full queue blocks the caller until an operation has ended.
void make_room(EngineLock& lock, Stream& stream) {
  stream.trim();
  while (stream.pending.size() >= kQueueLimit) {
    const OperationRef head = stream.pending.front();
    wait_until_over(lock, head);
    stream.trim();
  }
}

cudaError_t synchronise(EngineLock& lock, SyncKind kind, int device, std::uint32_t stream_id,
                        const std::vector<OperationRef>& operations) {
  SyncSpan sync{kind, context_of(device), stream_id, 0, current_correlation(), host_now(), 0};
  for (const auto& operation : operations) {
    if (operation) wait_until_over(lock, operation);
  }
  lock.unlock();
  sync.end = host_now();
  if (is_observed()) notify_synchronized(sync);
  return device_error(device);
}

}  // namespace

StreamRegistry& StreamRegistry::get() {
  static auto& registry = *new StreamRegistry;
  return registry;
}

std::vector<StreamRef> StreamRegistry::on_device(int device) {
  std::vector<StreamRef> result;
  for (const auto& one : all) {
    if (auto stream = one.lock(); stream && stream->device == device) result.push_back(std::move(stream));
  }
  return result;
}

cudaError_t usable(int device) { return is_forked_child() ? cudaErrorInitializationError : device_error(device); }

StreamRef find_stream(cudaStream_t handle, DefaultStream meaning) {
  if (is_forked_child()) return nullptr;
  const std::lock_guard<std::mutex> lock(engine_lock());
  StreamRegistry& registry = StreamRegistry::get();
  if (handle == nullptr) handle = meaning == DefaultStream::Legacy ? cudaStreamLegacy : cudaStreamPerThread;
  if (handle == cudaStreamLegacy) return legacy_stream(registry, current_device());
  if (handle == cudaStreamPerThread) return per_thread_stream(registry, current_device());
  return registry.streams.find(handle);
}

cudaError_t create_stream(int device, unsigned flags, int priority, cudaStream_t* out) {
  if (!out || (flags & ~cudaStreamNonBlocking)) return cudaErrorInvalidValue;
  if (const cudaError_t error = usable(device)) return error;
  const std::lock_guard<std::mutex> lock(engine_lock());
  StreamRegistry& registry = StreamRegistry::get();
  priority = std::clamp(priority, kGreatestPriority, kLeastPriority);
  *out =
      registry.streams.insert<cudaStream_t>(make_stream(registry, device, flags, priority, ++registry.last_stream_id));
  return cudaSuccess;
}

cudaError_t destroy_stream(cudaStream_t handle) {
  if (is_forked_child()) return cudaErrorInitializationError;
  const std::lock_guard<std::mutex> lock(engine_lock());
  const StreamRef stream = StreamRegistry::get().streams.remove(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (stream->capture) stream->capture->invalid = true;
  return cudaSuccess;
}

StreamTraits stream_traits(const Stream& stream) { return {stream.device, stream.flags, stream.priority, stream.id}; }

OperationRef make_operation(int device, OperationRequest request) {
  auto operation = std::make_shared<Operation>();
  operation->request = std::move(request);
  operation->id = ++StreamRegistry::get().last_operation_id;
  operation->device = device;
  operation->submitted = host_now();
  operation->ready = operation->submitted + config().launch_latency;
  operation->pause = config().dependency_gap;
  operation->is_host_function = operation->request.host_function != nullptr;
  if (operation->request.external) operation->external = operation->request.external();
  SpanDescription& span = operation->request.span;
  span.device = device;
  span.context = context_of(device);
  if (!span.correlation) span.correlation = current_correlation();
  if (!span.call.nth) span.call = current_call_site();
  return operation;
}

// Adds to `before` what the operations ahead in the device's only queue wait for.
static void wait_in_line(const Stream& stream, std::vector<OperationRef>& before) {
  auto& heads = StreamRegistry::get().heads;
  const auto device = static_cast<std::size_t>(stream.device);
  if (heads.size() <= device) heads.resize(device + 1);
  std::vector<OperationRef>& ahead = heads[device];
  std::erase_if(ahead, [&](const OperationRef& one) {
    const bool has_newer = std::any_of(before.begin(), before.end(), [&](const OperationRef& other) {
      return other && other != one && one->stream && other->stream == one->stream;
    });
    return one->is_done() || has_newer;
  });
  std::copy_if(before.begin(), before.end(), std::back_inserter(ahead), [&](const OperationRef& one) {
    return one && !one->is_done() && std::find(ahead.begin(), ahead.end(), one) == ahead.end();
  });
  before = ahead;
}

OperationRef enqueue(const StreamRef& stream, OperationRequest request, const std::vector<OperationRef>& after) {
  const OperationRef operation = make_operation(stream->device, std::move(request));
  SpanDescription& span = operation->request.span;
  if (!span.stream) span.stream = stream->id;
  operation->priority = stream->priority;
  operation->stream = stream;
  operation->pause += collection_pause();
  if (!operation->external && span.kind != SpanKind::None) {
    stream->mark += effective_duration(*operation, simulation_start() - 1);  // before any injection's window
  }
  operation->mark = stream->mark;
  auto before = predecessors(StreamRegistry::get(), *stream);
  before.insert(before.end(), after.begin(), after.end());
  if (config().has_one_connection) wait_in_line(*stream, before);
  stream->last = operation;
  stream->pending.push_back(operation);
  Timeline& timeline = Timeline::get();
  timeline.submit(operation, before);
  if (span.kind != SpanKind::None && is_observed()) notify_submitted(operation->id, span);
  if (operation->is_host_function) start_callback_thread();
  if (operation->external || operation->is_host_function) wake_engine_thread();
  timeline.advance(operation->submitted);
  return operation;
}

cudaError_t submit(const StreamRef& stream, OperationRequest request, OperationRef* out) {
  if (out) out->reset();
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t error = usable(stream->device)) return error;
  EngineLock lock(engine_lock());
  if (stream->capture) {
    cudaGraphNodeType type = cudaGraphNodeTypeKernel;
    if (request.host_function) type = cudaGraphNodeTypeHost;
    if (request.span.kind == SpanKind::Memcpy) type = cudaGraphNodeTypeMemcpy;
    if (request.span.kind == SpanKind::Memset) type = cudaGraphNodeTypeMemset;
    return capture_node(stream, type, std::move(request));
  }
  if (const cudaError_t error = check_implicit_wait(stream)) return error;
  make_room(lock, *stream);
  OperationRef operation = enqueue(stream, std::move(request), {});
  if (out) *out = std::move(operation);
  return cudaSuccess;
}

cudaError_t synchronize_stream(const StreamRef& stream) {
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t error = usable(stream->device)) return error;
  EngineLock lock(engine_lock());
  if (stream->capture) return refuse_captured(stream);
  if (const cudaError_t error = check_implicit_wait(stream)) return error;
  return synchronise(lock, SyncKind::StreamSynchronize, stream->device, stream->id,
                     unfinished(StreamRegistry::get(), *stream));
}

cudaError_t query_stream(const StreamRef& stream) {
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t error = usable(stream->device)) return error;
  const std::lock_guard<std::mutex> lock(engine_lock());
  if (stream->capture) return refuse_captured(stream);
  if (const cudaError_t error = check_implicit_wait(stream)) return error;
  Timeline::get().advance(host_now());
  if (const cudaError_t error = device_error(stream->device)) return error;
  for (const auto& operation : unfinished(StreamRegistry::get(), *stream)) {
    if (operation && !operation->is_done()) return cudaErrorNotReady;
  }
  return cudaSuccess;
}

cudaError_t synchronize_device(int device) {
  if (const cudaError_t error = usable(device)) return error;
  if (const cudaError_t error = check_unsafe_call()) return error;
  EngineLock lock(engine_lock());
  std::vector<OperationRef> operations;
  for (const auto& stream : StreamRegistry::get().on_device(device)) operations.push_back(stream->last);
  return synchronise(lock, SyncKind::ContextSynchronize, device, kNone, operations);
}

cudaError_t wait_for(const OperationRef& operation) {
  if (!operation) return cudaSuccess;
  if (const cudaError_t error = usable(operation->device)) return error;
  EngineLock lock(engine_lock());
  wait_until_over(lock, operation);
  lock.unlock();
  return device_error(operation->device);
}

std::optional<Nanoseconds> end_of(const OperationRef& operation) {
  const std::lock_guard<std::mutex> lock(engine_lock());
  Timeline::get().advance(host_now());
  return operation->is_done() ? std::optional(operation->end) : std::nullopt;
}

void abandon_operation(const OperationRef& operation) {
  if (!operation || is_forked_child()) return;
  const std::lock_guard<std::mutex> lock(engine_lock());
  Timeline::get().abandon(operation, host_now());
  Timeline::get().advance(host_now());
}

void abandon_device(int device) {
  if (is_forked_child()) return;
  const std::lock_guard<std::mutex> lock(engine_lock());
  Timeline::get().abandon_device(device, host_now());
  StreamRegistry& registry = StreamRegistry::get();
  const auto drop = [device](auto& table) {
    std::vector<std::uintptr_t> dropped;
    for (const auto& [handle, object] : table.all()) {
      if (object->device == device) dropped.push_back(handle);
    }
    for (const std::uintptr_t handle : dropped) table.remove(reinterpret_cast<const void*>(handle));
  };
  drop(registry.streams);
  drop(registry.events);
}

}  // namespace simgpu
