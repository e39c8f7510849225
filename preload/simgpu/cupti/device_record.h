// The activity record of a device.
#pragma once

#include "simgpu/cupti/record_layout.h"

namespace simgpu::cupti {

// Its name is allocated with malloc: the client frees it.
DeviceRecord device_record(int device);

}  // namespace simgpu::cupti
