// The exit statuses of tauprof (docs/user-guide.md lists them).
#pragma once

namespace tauprof {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;  // the report cannot be written, or an internal error
inline constexpr int kWrongUsage = 2;
inline constexpr int kNothingUsable = 3;  // no log or trace that can be read, or no report that was asked for
inline constexpr int kDamageFound = 4;
inline constexpr int kLimitExceeded = 5;       // diff --fail-above, or a check of health failed
inline constexpr int kParametersUnused = 6;    // run --audit-params --check
inline constexpr int kCommandCannotRun = 126;  // this and the next as in shells and env
inline constexpr int kCommandNotFound = 127;

}  // namespace tauprof
