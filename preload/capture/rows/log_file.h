// Creates the log of a process: its path, its header, its first records.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/settings/configuration.h"
#include "capture/settings/launcher.h"
#include "log/writer.h"

namespace tauprof::capture {

// Remembers which root directory the program has. To be called when the library is loaded.
void note_root();

// Creates the directory (mode 0700) with its parents, and in it HOST-PID-START.tauprof. Never overwrites a file. False:
// it failed, which has been reported on stderr.
bool open_log(log::Writer& writer, const char* directory, const Placement& placement);

// Writes the facts that are known at the start: source, version, command, launcher, rank.
void write_first_facts(log::Writer& writer, const Placement& placement);

// Writes what the user wants to be recorded, as far as the analyzer needs it.
void write_wishes(log::Writer& writer, const Configuration& configuration, bool has_stacks);

}  // namespace tauprof::capture
