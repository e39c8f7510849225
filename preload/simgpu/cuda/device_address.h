// Device addresses: a number in the driver's API, a pointer in the engine.
#pragma once

#include <cuda.h>

namespace simgpu {

inline void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }
inline CUdeviceptr address_of(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

}  // namespace simgpu
