// How much the recorder says about itself: messages above the chosen level are not printed.
#pragma once

#include <stdint.h>

namespace tauprof::capture {

enum class LogLevel : uint8_t { kOff, kError, kWarn, kInfo, kDebug };

}  // namespace tauprof::capture
