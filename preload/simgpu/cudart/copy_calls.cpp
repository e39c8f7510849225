// cudaMemcpy and its relatives for flat and pitched memory.
#include "simgpu/cudart/runtime_call.h"
#include "simgpu/cudart/volume_copy.h"
#include "simgpu/engine/copy.h"

namespace simgpu {
namespace {

Copy pitched_copy(void* destination, std::size_t destination_pitch, const void* source, std::size_t source_pitch,
                  std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  Copy copy = flat_copy(destination, source, width, kind);
  copy.height = height;
  copy.destination_pitch = destination_pitch;
  copy.source_pitch = source_pitch;
  copy.destination_rows = copy.source_rows = height;
  return copy;
}

cudaError_t submit_volume(const cudaMemcpy3DParms* parameters, const CopyOrder& order) {
  Copy copy;
  const cudaError_t error = volume_copy(parameters, &copy);
  return error != cudaSuccess ? error : submit_copy(copy, order);
}

const void* at(const cudaPitchedPtr& memory, const cudaPos& position) {
  return static_cast<const char*>(memory.ptr) + (position.z * memory.ysize + position.y) * memory.pitch + position.x;
}

// A single row or slice does not need a pitch.
void set_layout(std::size_t* pitch, std::size_t* rows, const cudaPitchedPtr& memory, const cudaExtent& extent) {
  *pitch = extent.height * extent.depth == 1 ? extent.width : memory.pitch;
  *rows = extent.depth == 1 ? extent.height : memory.ysize;
}

}  // namespace

cudaError_t volume_copy(const cudaMemcpy3DParms* parameters, Copy* out) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  if (parameters->srcArray != nullptr || parameters->dstArray != nullptr) return cudaErrorNotSupported;
  if (parameters->srcPtr.ptr == nullptr || parameters->dstPtr.ptr == nullptr) return cudaErrorInvalidValue;
  const cudaExtent& extent = parameters->extent;
  out->kind = parameters->kind;
  out->width = extent.width;
  out->height = extent.height;
  out->depth = extent.depth;
  out->source = at(parameters->srcPtr, parameters->srcPos);
  out->destination = const_cast<void*>(at(parameters->dstPtr, parameters->dstPos));
  set_layout(&out->source_pitch, &out->source_rows, parameters->srcPtr, extent);
  set_layout(&out->destination_pitch, &out->destination_rows, parameters->dstPtr, extent);
  return cudaSuccess;
}

RUNTIME_TWINS(cudaMemcpy, _ptds, v3020, v7000, (void* dst, const void* src, std::size_t count, cudaMemcpyKind kind),
              (dst, src, count, kind)) {
  return submit_copy(flat_copy(dst, src, count, kind), {nullptr, default_stream, false});
}

RUNTIME_TWINS(cudaMemcpyAsync, _ptsz, v3020, v7000,
              (void* dst, const void* src, std::size_t count, cudaMemcpyKind kind, cudaStream_t stream),
              (dst, src, count, kind, stream)) {
  return submit_copy(flat_copy(dst, src, count, kind), {stream, default_stream, true});
}

RUNTIME_TWINS(cudaMemcpy2D, _ptds, v3020, v7000,
              (void* dst, std::size_t dpitch, const void* src, std::size_t spitch, std::size_t width,
               std::size_t height, cudaMemcpyKind kind),
              (dst, dpitch, src, spitch, width, height, kind)) {
  return submit_copy(pitched_copy(dst, dpitch, src, spitch, width, height, kind), {nullptr, default_stream, false});
}

RUNTIME_TWINS(cudaMemcpy2DAsync, _ptsz, v3020, v7000,
              (void* dst, std::size_t dpitch, const void* src, std::size_t spitch, std::size_t width,
               std::size_t height, cudaMemcpyKind kind, cudaStream_t stream),
              (dst, dpitch, src, spitch, width, height, kind, stream)) {
  return submit_copy(pitched_copy(dst, dpitch, src, spitch, width, height, kind), {stream, default_stream, true});
}

RUNTIME_TWINS(cudaMemcpy3D, _ptds, v3020, v7000, (const cudaMemcpy3DParms* p), (p)) {
  return submit_volume(p, {nullptr, default_stream, false});
}

RUNTIME_TWINS(cudaMemcpy3DAsync, _ptsz, v3020, v7000, (const cudaMemcpy3DParms* p, cudaStream_t stream), (p, stream)) {
  return submit_volume(p, {stream, default_stream, true});
}

}  // namespace simgpu
