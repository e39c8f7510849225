// The kind of an event, by its name and arguments first and its category second: the same event has other categories in
// other versions of PyTorch and on other vendors' devices.
//
// - A step of the profiler's schedule is an annotation. PyTorch 1.8 calls it an operator. On a stream, it is the copy
//   that the profiler makes for the rows of the device.
// - Device work that is named "Memcpy ..." or "Memset ..." is that.
// - A synchronisation that names neither stream nor device is the call that waits, as Intel's profiler writes it.
// - What has a category that nobody knows, but a correlation id, is device work if it ran on a stream of a device, and
//   else a call.
#pragma once

#include "import/event_fields.h"

namespace tauprof::kineto {

Category kind_of(const Event& event);

}  // namespace tauprof::kineto
