// Messages to the user: one line on stderr, `tauprof: …`, once per cause. Any thread.
#pragma once

#include <stdint.h>

namespace tauprof::capture {

// TAUPROF_LOG_LEVEL. Messages above the chosen level are not printed.
enum class LogLevel : uint8_t { kOff, kError, kWarn, kInfo, kDebug };
void set_log_level(LogLevel level);

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
  kCount,
};

// Formats like printf. Prints nothing if the cause, other than kConfiguration, has been reported before.
__attribute__((format(printf, 3, 4))) void say(LogLevel level, Cause cause, const char* format, ...);

}  // namespace tauprof::capture
