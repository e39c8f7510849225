// The device record of a kernel, copy, memset or synchronization event.
#pragma once

#include "import/event_fields.h"
#include "log/format.h"

namespace tauprof::kineto {

log::DeviceActivity device_work_of(const Event& event, int64_t name);

// "Memcpy HtoD (Pageable -> Device)" → kHostToDevice.
log::CopyKind copy_kind_of(std::string_view name);
// … → kPageable.
log::HostMemory host_memory_of(std::string_view name);

}  // namespace tauprof::kineto
