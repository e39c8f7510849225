// Attaches CUPTI to the engine, and detaches it.
#pragma once

#include <cupti.h>

namespace simgpu::cupti {

// Starts observing the engine. CUPTI_ERROR_UNKNOWN without a device, like the real library without a driver.
CUptiResult attach();
// Discards everything and delivers nothing.
void detach();

// Stages records of the devices or contexts that exist now.
void dump_resources(CUpti_ActivityKind kind);

}  // namespace simgpu::cupti
