// Attaches CUPTI to the engine, and detaches it.
#pragma once

#include <cupti.h>

namespace simgpu::cupti {

// Refuses every copy of this library in a process but the first, even after cuptiFinalize, as seen on an H100 with CUDA
// 13.0 Update 1.
CUptiResult claim();
// Starts observing the engine. CUPTI_ERROR_UNKNOWN without a device, like the real library without a driver.
CUptiResult attach();
// Discards everything and delivers nothing.
void detach();

// Stages records of the devices or contexts that exist now.
void dump_resources(CUpti_ActivityKind kind);

}  // namespace simgpu::cupti
