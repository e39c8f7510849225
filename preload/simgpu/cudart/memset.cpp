// cudaMemset and its relatives. "The synchronous memset functions are asynchronous with respect to the host except when
// the target is pinned host memory or a Unified Memory region, in which case they are fully synchronous."
#include "simgpu/cudart/runtime_call.h"
#include "simgpu/engine/fill.h"

namespace simgpu {
namespace {

Fill flat_fill(void* destination, int value, std::size_t bytes) {
  return {.destination = destination, .value = static_cast<unsigned char>(value), .width = bytes, .pitch = bytes};
}

Fill pitched_fill(void* destination, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  Fill fill = flat_fill(destination, value, width);
  fill.pitch = pitch;
  fill.height = fill.rows = height;
  return fill;
}

Fill volume_fill(const cudaPitchedPtr& memory, int value, const cudaExtent& extent) {
  Fill fill = pitched_fill(memory.ptr, memory.pitch, value, extent.width, extent.height);
  fill.depth = extent.depth;
  fill.rows = memory.ysize;
  return fill;
}

}  // namespace

RUNTIME_TWINS(cudaMemset, _ptds, v3020, v7000, (void* devPtr, int value, std::size_t count), (devPtr, value, count)) {
  return submit_fill(flat_fill(devPtr, value, count), {nullptr, default_stream, false});
}

RUNTIME_TWINS(cudaMemsetAsync, _ptsz, v3020, v7000, (void* devPtr, int value, std::size_t count, cudaStream_t stream),
              (devPtr, value, count, stream)) {
  return submit_fill(flat_fill(devPtr, value, count), {stream, default_stream, true});
}

RUNTIME_TWINS(cudaMemset2D, _ptds, v3020, v7000,
              (void* devPtr, std::size_t pitch, int value, std::size_t width, std::size_t height),
              (devPtr, pitch, value, width, height)) {
  return submit_fill(pitched_fill(devPtr, pitch, value, width, height), {nullptr, default_stream, false});
}

RUNTIME_TWINS(cudaMemset2DAsync, _ptsz, v3020, v7000,
              (void* devPtr, std::size_t pitch, int value, std::size_t width, std::size_t height, cudaStream_t stream),
              (devPtr, pitch, value, width, height, stream)) {
  return submit_fill(pitched_fill(devPtr, pitch, value, width, height), {stream, default_stream, true});
}

RUNTIME_TWINS(cudaMemset3D, _ptds, v3020, v7000, (cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent),
              (pitchedDevPtr, value, extent)) {
  return submit_fill(volume_fill(pitchedDevPtr, value, extent), {nullptr, default_stream, false});
}

RUNTIME_TWINS(cudaMemset3DAsync, _ptsz, v3020, v7000,
              (cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent, cudaStream_t stream),
              (pitchedDevPtr, value, extent, stream)) {
  return submit_fill(volume_fill(pitchedDevPtr, value, extent), {stream, default_stream, true});
}

}  // namespace simgpu
