// Messages to the user: one line on stderr, `tauprof: …`, once per cause. Any thread. A line is lost rather than
// written into a file that the program has opened in the place of stderr, and rather than waited for.
#pragma once

#include <stdint.h>

#include "names/log_level.h"

namespace tauprof::capture {

void set_log_level(LogLevel level);
// Remembers what stderr is. To be called when the library is loaded.
void note_stderr();

// Each cause is reported at most once per process. New causes go to the end.
enum class Cause : uint8_t {
  kConfiguration,  // no limit here: each variable is read once
  kRecorder,       // log file, memory, writer thread
  kDeviceTiming,   // CUPTI is missing or fails; fallbacks
  kGaveWay,        // another profiler uses CUPTI
  kHooks,          // a real function that was not found
  kLauncher,
  kStacks,  // stacks that cannot be taken
  kSteps,   // wanted steps that never came
  kFullDisk,
  kRoot,  // the program has another root directory
  kCount,
};

// Formats like printf. Prints nothing if the cause, other than kConfiguration, has been reported before.
__attribute__((format(printf, 3, 4))) void say(LogLevel level, Cause cause, const char* format, ...);

}  // namespace tauprof::capture
