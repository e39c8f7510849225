// What a device is: model, UUID, size. Asked of the CUDA runtime that the process uses, on the writer
// thread, once a device.
#pragma once

#include "log/writer.h"

namespace tauprof::capture {

void write_device_facts(log::Writer& writer, int device);

}  // namespace tauprof::capture
