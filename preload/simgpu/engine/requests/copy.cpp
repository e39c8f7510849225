// Checks a copy, finds its direction and kinds of memory, moves its data, and lets the host wait.
#include "simgpu/engine/copy.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "simgpu/engine/config.h"
#include "simgpu/engine/cost_model.h"
#include "simgpu/engine/memory.h"

namespace simgpu {
namespace {

constexpr std::size_t kStagedBytes = 64 << 10;

std::size_t bytes_of(const Copy& copy) { return copy.width * copy.height * copy.depth; }

// The bytes from the first to the last one.
std::size_t reach(const Copy& copy, std::size_t pitch, std::size_t rows) {
  return ((copy.depth - 1) * rows + copy.height - 1) * pitch + copy.width;
}

// One end of a copy.
struct Side {
  MemoryKind kind = MemoryKind::Pageable;
  int device = -1;
  bool fits = true;
};

Side find_side(const void* address, std::size_t reached_bytes) {
  const auto allocation = find_allocation(address);
  if (!allocation) return {};
  const auto offset =
      static_cast<std::size_t>(static_cast<const char*>(address) - static_cast<const char*>(allocation->base));
  return {allocation->kind, allocation->device, reached_bytes <= allocation->bytes - offset};
}

bool is_host(MemoryKind kind) { return kind == MemoryKind::Pageable || kind == MemoryKind::Pinned; }

// With unified addressing the device also reaches pinned memory, but never pageable memory.
bool may_be(const Side& side, bool wanted_on_device) {
  return wanted_on_device ? side.kind != MemoryKind::Pageable : side.kind != MemoryKind::Device;
}

struct Ends {
  Side source, destination;
  CopyDirection direction = CopyDirection::HostToHost;
};

CopyDirection direction_between(bool from_device, bool to_device, const Ends& ends) {
  if (!from_device) return to_device ? CopyDirection::HostToDevice : CopyDirection::HostToHost;
  if (!to_device) return CopyDirection::DeviceToHost;
  const bool is_peer =
      ends.source.device != ends.destination.device && !is_host(ends.source.kind) && !is_host(ends.destination.kind);
  return is_peer ? CopyDirection::PeerToPeer : CopyDirection::DeviceToDevice;
}

cudaError_t find_ends(const Copy& copy, Ends* out) {
  if (copy.kind < cudaMemcpyHostToHost || copy.kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (copy.destination == nullptr || copy.source == nullptr) return cudaErrorInvalidValue;
  if (copy.width > copy.destination_pitch || copy.width > copy.source_pitch) return cudaErrorInvalidPitchValue;
  out->source = find_side(copy.source, reach(copy, copy.source_pitch, copy.source_rows));
  out->destination = find_side(copy.destination, reach(copy, copy.destination_pitch, copy.destination_rows));
  if (!out->source.fits || !out->destination.fits) return cudaErrorInvalidValue;
  bool from_device = !is_host(out->source.kind);
  bool to_device = !is_host(out->destination.kind);
  if (copy.kind != cudaMemcpyDefault) {
    from_device = copy.kind == cudaMemcpyDeviceToHost || copy.kind == cudaMemcpyDeviceToDevice;
    to_device = copy.kind == cudaMemcpyHostToDevice || copy.kind == cudaMemcpyDeviceToDevice;
    if (!may_be(out->source, from_device) || !may_be(out->destination, to_device)) return cudaErrorInvalidValue;
  }
  out->direction = direction_between(from_device, to_device, *out);
  return cudaSuccess;
}

void move(const Copy& copy) {
  const auto row_bytes = copy.width;
  if (row_bytes == copy.source_pitch && row_bytes == copy.destination_pitch && copy.depth == 1) {
    move_bytes(copy.destination, copy.source, bytes_of(copy));
    return;
  }
  for (std::size_t z = 0; z < copy.depth; ++z) {
    for (std::size_t y = 0; y < copy.height; ++y) {
      move_bytes(static_cast<char*>(copy.destination) + (z * copy.destination_rows + y) * copy.destination_pitch,
                 static_cast<const char*>(copy.source) + (z * copy.source_rows + y) * copy.source_pitch, row_bytes);
    }
  }
}

bool is_staged(const Copy& copy, const Ends& ends) {
  return ends.direction == CopyDirection::HostToDevice && ends.source.kind == MemoryKind::Pageable &&
         bytes_of(copy) <= kStagedBytes;
}

// The program may change the source once the call has returned.
void stage(Copy* copy, std::function<void()>* effect) {
  auto buffer = std::make_shared<std::vector<char>>(bytes_of(*copy));
  Copy in = *copy;
  in.destination = buffer->data();
  in.destination_pitch = copy->width;
  in.destination_rows = copy->height;
  move(in);
  Copy out = *copy;
  out.source = buffer->data();
  out.source_pitch = copy->width;
  out.source_rows = copy->height;
  *effect = [out, buffer] { move(out); };
}

OperationRequest request_for(const Copy& copy, const Ends& ends, bool is_async) {
  OperationRequest request;
  request.span.kind = SpanKind::Memcpy;
  request.span.direction = ends.direction;
  request.span.source = ends.source.kind;
  request.span.destination = ends.destination.kind;
  request.span.is_async = is_async;
  request.span.bytes = bytes_of(copy);
  if (ends.direction == CopyDirection::PeerToPeer) request.span.peer_device = ends.destination.device;
  const bool pageable = ends.source.kind == MemoryKind::Pageable || ends.destination.kind == MemoryKind::Pageable;
  request.work = copy_work(ends.direction, pageable, bytes_of(copy));
  if (bytes_of(copy) <= config().data_bytes) request.effect = [copy] { move(copy); };
  return request;
}

bool host_waits(const Copy& copy, const Ends& ends, bool is_async) {
  switch (ends.direction) {
    case CopyDirection::HostToHost:
      return true;
    case CopyDirection::HostToDevice:
      return ends.source.kind == MemoryKind::Pageable ? !is_staged(copy, ends) : !is_async;
    case CopyDirection::DeviceToHost:
      return ends.destination.kind == MemoryKind::Pageable || !is_async;
    default:
      return false;
  }
}

}  // namespace

Copy flat_copy(void* destination, const void* source, std::size_t bytes, cudaMemcpyKind kind) {
  return {.destination = destination,
          .source = source,
          .kind = kind,
          .width = bytes,
          .destination_pitch = bytes,
          .source_pitch = bytes};
}

cudaError_t open_stream(const CopyOrder& order, StreamRef* out) {
  *out = find_stream(order.stream, order.default_stream);
  if (*out == nullptr) return cudaErrorInvalidResourceHandle;
  if (order.is_async) return cudaSuccess;
  // Forbidden in a capture: the engine returns the error and invalidates the capture.
  if (is_capturing(*out)) return synchronize_stream(*out);
  return check_unsafe_call();
}

cudaError_t make_copy_request(const Copy& copy, bool is_async, OperationRequest* out) {
  Ends ends;
  const cudaError_t error = find_ends(copy, &ends);
  if (error == cudaSuccess) *out = request_for(copy, ends, is_async);
  return error;
}

cudaError_t submit_copy(const Copy& copy, const CopyOrder& order) {
  StreamRef stream;
  cudaError_t error = open_stream(order, &stream);
  if (error != cudaSuccess || bytes_of(copy) == 0) return error;
  Ends ends;
  error = find_ends(copy, &ends);
  if (error != cudaSuccess) return error;
  OperationRequest request = request_for(copy, ends, order.is_async);
  if (is_staged(copy, ends) && request.effect && !is_capturing(stream)) {
    Copy staged = copy;
    stage(&staged, &request.effect);
  }
  OperationRef operation;
  error = submit(stream, std::move(request), &operation);
  if (error != cudaSuccess || operation == nullptr || !host_waits(copy, ends, order.is_async)) return error;
  return wait_for(operation);
}

}  // namespace simgpu
