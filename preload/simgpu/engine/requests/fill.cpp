// Checks a fill, queues it, and lets the host wait where the runtime's documentation says so.
#include "simgpu/engine/fill.h"

#include "simgpu/engine/config.h"
#include "simgpu/engine/cost_model.h"
#include "simgpu/engine/memory.h"

namespace simgpu {
namespace {

std::size_t bytes_of(const Fill& fill) { return fill.element_bytes * fill.width * fill.height * fill.depth; }

cudaError_t find_target(const Fill& fill, MemoryKind* kind) {
  const auto allocation = find_allocation(fill.destination);
  if (!allocation) return cudaErrorInvalidValue;
  const std::size_t row = fill.width * fill.element_bytes;
  const std::size_t reach = ((fill.depth - 1) * fill.rows + fill.height - 1) * fill.pitch + row;
  const auto offset =
      static_cast<std::size_t>(static_cast<char*>(fill.destination) - static_cast<char*>(allocation->base));
  if (reach > allocation->bytes - offset) return cudaErrorInvalidValue;
  if (fill.height * fill.depth > 1 && row > fill.pitch) return cudaErrorInvalidValue;
  *kind = allocation->kind;
  return cudaSuccess;
}

void set(const Fill& fill) {
  for (std::size_t z = 0; z < fill.depth; ++z) {
    for (std::size_t y = 0; y < fill.height; ++y) {
      char* const row = static_cast<char*>(fill.destination) + (z * fill.rows + y) * fill.pitch;
      set_bytes(row, static_cast<int>(fill.value), fill.element_bytes, fill.width);
    }
  }
}

}  // namespace

cudaError_t make_fill_request(const Fill& fill, bool is_async, OperationRequest* out) {
  MemoryKind kind = MemoryKind::Device;
  const cudaError_t error = find_target(fill, &kind);
  if (error != cudaSuccess) return error;
  out->span.kind = SpanKind::Memset;
  out->span.destination = kind;
  out->span.is_async = is_async;
  out->span.set_value = static_cast<std::uint8_t>(fill.value);
  out->span.bytes = bytes_of(fill);
  out->work = memset_work(bytes_of(fill));
  if (bytes_of(fill) <= config().data_bytes) out->effect = [fill] { set(fill); };
  return cudaSuccess;
}

cudaError_t submit_fill(const Fill& fill, const CopyOrder& order) {
  StreamRef stream;
  cudaError_t error = open_stream(order, &stream);
  if (error != cudaSuccess || bytes_of(fill) == 0) return error;
  OperationRequest request;
  error = make_fill_request(fill, order.is_async, &request);
  if (error != cudaSuccess) return error;
  const bool host_waits = !order.is_async && request.span.destination != MemoryKind::Device;
  OperationRef operation;
  error = submit(stream, std::move(request), &operation);
  return error != cudaSuccess || operation == nullptr || !host_waits ? error : wait_for(operation);
}

}  // namespace simgpu
