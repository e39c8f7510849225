// Devices that are no ranks of their own.
//
// A device is a rank if a communicator numbers it. The devices of a process that share no communicator (DataParallel
// without NCCL, device_map="auto") are driven by one host and wait for nobody: they are one rank. Its device work is
// that of all of them, its streams are theirs, and it is idle when none of them works.
#pragma once

#include "model/process_trace.h"

namespace tauprof {

// Once device ranks are assigned and spans are joined: leaves one device, the busiest, with the work of all. Does
// nothing where a communicator numbers one of them.
void unite_devices(ProcessTrace& trace);

}  // namespace tauprof
