// Where a process's log lies and what its header says.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/settings/launcher.h"
#include "log/writer.h"

namespace tauprof::capture {

// Makes the directory (0700, parents too) and creates HOST-PID-START.tauprof in it, never over another
// file. False: said on stderr.
bool open_log(log::Writer& writer, const char* directory, const Placement& placement);

// The facts that are known at the start: source, command, launcher, versions.
void write_first_facts(log::Writer& writer, const Placement& placement);

}  // namespace tauprof::capture
