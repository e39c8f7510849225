// What one line of a rule file says (phase_rules.h explains the lines).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/phase.h"

namespace tauprof {

enum class RuleClass : uint8_t { kKernel, kGemm, kCopy, kFill, kCollective, kMessage, kSync, kWait, kOther };
enum class RuleCopy : uint8_t { kNone, kToDevice, kToHost, kWithin };
enum class RuleRole : uint8_t { kAny, kMain, kOther };
enum class RuleThreads : uint8_t { kAny, kOne, kSeveral };
enum class RuleTarget : uint8_t { kPhase, kRange, kPrevious, kNext };

// The part of its step in which a call lies; the field `place` of rules.
enum class StepPart : uint8_t {
  kElsewhere,
  kBehind,  // after the last backward pass of other threads
  kExtra,   // in extra work after the step (an evaluation)
};

inline constexpr uint32_t kAfterNothing = 1u << kPhaseCount;  // beside phase_bit: nothing was launched in the step yet

// A call fits if all fields hold. A field that is empty, or a set without bits, always holds.
struct CallRule {
  std::string thread, function, frame;            // patterns
  std::vector<std::string> kernel, before, seen;  // patterns, one of which must fit
  uint32_t classes = 0;                           // 1 << RuleClass
  uint32_t copies = 0;                            // 1 << RuleCopy
  uint32_t parts = 0;                             // 1 << StepPart
  uint32_t after = 0;                             // phase_bit, kAfterNothing: of the launch before
  RuleRole role = RuleRole::kAny;
  RuleThreads threads = RuleThreads::kAny;
  bool is_optimizer = false;  // kernel=@optimizer
  RuleTarget target = RuleTarget::kPhase;
  Phase phase = Phase::kOther;
  std::optional<Phase> then;  // the phase that later launches see before them
};

struct RangeRule {
  std::string pattern;
  std::optional<Phase> phase;  // nullopt (@none): it speaks of several
  bool is_file = false;
};

// In the order in which they apply.
struct RuleLists {
  std::vector<RangeRule> ranges;
  std::vector<CallRule> calls;
};

}  // namespace tauprof
