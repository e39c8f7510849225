// Describes a device: model, UUID, size. Asks the CUDA runtime that the process uses, on the writer thread, once per
// device.
#pragma once

#include "log/writer.h"

namespace tauprof::capture {

// In the form that NVML uses: "GPU-…", or "MIG-…" for an instance of a divided GPU.
struct DeviceUuid {
  char text[64];
};

// False: the runtime does not answer; nothing is written.
bool write_device_facts(log::Writer& writer, int device, DeviceUuid& uuid);

}  // namespace tauprof::capture
