// What the profiler tells its user: one line on stderr, `tauprof: …`, once per cause. Any thread.
#pragma once

#include <stdint.h>

namespace tauprof::capture {

// TAUPROF_LOG_LEVEL: what is above the chosen level stays unsaid.
enum class LogLevel : uint8_t { kOff, kError, kWarn, kInfo, kDebug };
void set_log_level(LogLevel level);

// Each cause has one number here and is said at most once a process; more causes are added at the end.
enum class Cause : uint8_t {
  kConfiguration,  // said once per variable, so not limited by this number
  kRecorder,       // log file, memory, writer thread
  kDeviceTiming,   // CUPTI missing or failing, fall-backs
  kGaveWay,        // somebody else uses CUPTI
  kHooks,          // a real function that was not found
  kLauncher,
  kStacks,  // stacks that cannot be taken
  kSteps,   // the window's steps that did not come
  kCount,
};

// Formats as printf does. Nothing is said twice for one cause, except kConfiguration.
__attribute__((format(printf, 3, 4))) void say(LogLevel level, Cause cause, const char* format, ...);

}  // namespace tauprof::capture
