// Most errors have the same number in both interfaces. These are the ones that the driver does not distinguish.
#include "simgpu/cuda/driver_result.h"

namespace simgpu {

CUresult driver_result(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidHostPointer:
    case cudaErrorInvalidDevicePointer:
      return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidDeviceFunction:
      return CUDA_ERROR_INVALID_HANDLE;
    default:
      return static_cast<CUresult>(error);
  }
}

}  // namespace simgpu
