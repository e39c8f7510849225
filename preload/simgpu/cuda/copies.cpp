// Copies and fills. copy.h and fill.h say what blocks, and for how long.
#include "simgpu/cuda/device_address.h"
#include "simgpu/cuda/driver_call.h"
#include "simgpu/engine/copy.h"
#include "simgpu/engine/fill.h"

namespace simgpu {
namespace {

CUresult copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const CopyOrder& order) {
  return driver_result(submit_copy(flat_copy(to, from, bytes, kind), order));
}

CUresult fill(CUdeviceptr to, unsigned value, std::size_t element_bytes, std::size_t count, const CopyOrder& order) {
  const std::size_t bytes = element_bytes * count;
  return driver_result(submit_fill(
      {.destination = pointer(to), .value = value, .element_bytes = element_bytes, .width = count, .pitch = bytes},
      order));
}

}  // namespace

#define SYNCHRONOUS \
  { nullptr, default_stream, false }
#define ON_STREAM \
  { hStream, default_stream, true }

DRIVER_TWINS(cuMemcpy, _ptds, (CUdeviceptr dst, CUdeviceptr src, std::size_t ByteCount), (dst, src, ByteCount)) {
  return copy(pointer(dst), pointer(src), ByteCount, cudaMemcpyDefault, SYNCHRONOUS);
}
DRIVER_TWINS(cuMemcpyAsync, _ptsz, (CUdeviceptr dst, CUdeviceptr src, std::size_t ByteCount, CUstream hStream),
             (dst, src, ByteCount, hStream)) {
  return copy(pointer(dst), pointer(src), ByteCount, cudaMemcpyDefault, ON_STREAM);
}
DRIVER_TWINS(cuMemcpyHtoD_v2, _ptds, (CUdeviceptr dstDevice, const void* srcHost, std::size_t ByteCount),
             (dstDevice, srcHost, ByteCount)) {
  return copy(pointer(dstDevice), srcHost, ByteCount, cudaMemcpyHostToDevice, SYNCHRONOUS);
}
DRIVER_TWINS(cuMemcpyHtoDAsync_v2, _ptsz,
             (CUdeviceptr dstDevice, const void* srcHost, std::size_t ByteCount, CUstream hStream),
             (dstDevice, srcHost, ByteCount, hStream)) {
  return copy(pointer(dstDevice), srcHost, ByteCount, cudaMemcpyHostToDevice, ON_STREAM);
}
DRIVER_TWINS(cuMemcpyDtoH_v2, _ptds, (void* dstHost, CUdeviceptr srcDevice, std::size_t ByteCount),
             (dstHost, srcDevice, ByteCount)) {
  return copy(dstHost, pointer(srcDevice), ByteCount, cudaMemcpyDeviceToHost, SYNCHRONOUS);
}
DRIVER_TWINS(cuMemcpyDtoHAsync_v2, _ptsz,
             (void* dstHost, CUdeviceptr srcDevice, std::size_t ByteCount, CUstream hStream),
             (dstHost, srcDevice, ByteCount, hStream)) {
  return copy(dstHost, pointer(srcDevice), ByteCount, cudaMemcpyDeviceToHost, ON_STREAM);
}
DRIVER_TWINS(cuMemcpyDtoD_v2, _ptds, (CUdeviceptr dstDevice, CUdeviceptr srcDevice, std::size_t ByteCount),
             (dstDevice, srcDevice, ByteCount)) {
  return copy(pointer(dstDevice), pointer(srcDevice), ByteCount, cudaMemcpyDeviceToDevice, SYNCHRONOUS);
}
DRIVER_TWINS(cuMemcpyDtoDAsync_v2, _ptsz,
             (CUdeviceptr dstDevice, CUdeviceptr srcDevice, std::size_t ByteCount, CUstream hStream),
             (dstDevice, srcDevice, ByteCount, hStream)) {
  return copy(pointer(dstDevice), pointer(srcDevice), ByteCount, cudaMemcpyDeviceToDevice, ON_STREAM);
}

#define FILL_CALLS(bits, version, Type, argument)                                                                      \
  DRIVER_TWINS(cuMemsetD##bits##version, _ptds, (CUdeviceptr dstDevice, Type argument, std::size_t N),                 \
               (dstDevice, argument, N)) {                                                                             \
    return fill(dstDevice, argument, (bits) / 8, N, SYNCHRONOUS);                                                      \
  }                                                                                                                    \
  DRIVER_TWINS(cuMemsetD##bits##Async, _ptsz, (CUdeviceptr dstDevice, Type argument, std::size_t N, CUstream hStream), \
               (dstDevice, argument, N, hStream)) {                                                                    \
    return fill(dstDevice, argument, (bits) / 8, N, ON_STREAM);                                                        \
  }
FILL_CALLS(8, _v2, unsigned char, uc)
FILL_CALLS(16, _v2, unsigned short, us)
FILL_CALLS(32, _v2, unsigned, ui)

}  // namespace simgpu
