// Describes a device: model, UUID, size. Asks the CUDA runtime that the process uses, or the driver where that is not a
// library; on the writer thread, once per device.
#pragma once

#include "log/writer.h"

namespace tauprof::capture {

// In the form that NVML uses: "GPU-…", or "MIG-…" for an instance of a divided GPU.
struct DeviceUuid {
  char text[64];
};

// False: neither answers; nothing is written.
bool write_device_facts(log::Writer& writer, int device, DeviceUuid& uuid);

}  // namespace tauprof::capture
