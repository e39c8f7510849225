// The rules that say which phase a call or a range belongs to, as data: the shipped ones (rules/*.rules), and a user's.
//
// A line is a comment (#), or one of
//   range PATTERN PHASE             a range whose name fits speaks of the phase
//   file  NAME    PHASE             so does a Python function in this file (without .py)
//   frame PATTERN PHASE [own]       so does a function on a call's stack, as FILE:FUNCTION (stack_phases.h)
//   call  FIELD=VALUE… PHASE        a call for which all fields hold; VALUE may be a list, separated by commas
// docs/phases.md lists the fields. The first line that fits decides; a user's lines stand before the shipped ones.
// The innermost range of a call's own thread that speaks of a phase goes before all lines about calls.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/phase.h"
#include "model/status.h"

namespace tauprof {

enum class RuleClass : uint8_t { kKernel, kGemm, kCopy, kFill, kCollective, kMessage, kSync, kWait, kOther };
enum class RuleCopy : uint8_t { kNone, kToDevice, kToHost, kWithin };
enum class RulePlace : uint8_t { kStep, kInside, kTurn, kClip, kUpdate, kBehind, kResult, kSave, kExtra };
enum class RuleRole : uint8_t { kAny, kMain, kOther };
enum class RuleThreads : uint8_t { kAny, kOne, kSeveral };
enum class RuleTarget : uint8_t { kPhase, kRange, kPrevious, kNext };

inline constexpr uint32_t kAfterNothing = 1u << kPhaseCount;  // beside phase_bit: nothing was launched in the step yet
inline constexpr uint32_t kCalledBack = 1u << kPhaseCount;    // beside phase_bit: by a function whose own work is known

// 0 in a set of bits, and an empty pattern: does not matter.
struct CallRule {
  std::string thread, function, kernel, before, seen, frame;
  uint32_t classes = 0;  // 1 << RuleClass
  uint32_t copies = 0;   // 1 << RuleCopy
  uint32_t places = 0;   // 1 << RulePlace
  uint32_t after = 0;    // phase_bit, kAfterNothing: of the launch before, on its thread and in its step
  uint32_t stacks = 0;   // phase_bit, kCalledBack: of what its stack speaks
  RuleRole role = RuleRole::kAny;
  RuleThreads threads = RuleThreads::kAny;
  bool is_optimizer = false;  // kernel=@optimizer
  RuleTarget target = RuleTarget::kPhase;
  Phase phase = Phase::kOther;
  std::optional<Phase> then;  // what the launches behind it count as having before them
};

struct RangeRule {
  std::string pattern;
  Phase phase = Phase::kOther;
  bool is_file = false;
};

struct FrameRule {
  std::string pattern;
  Phase phase = Phase::kOther;
  bool is_own = false;  // but not of what a user's function does that it calls back
};

class PhaseRules {
 public:
  // The shipped rules; they cannot be wrong.
  static const PhaseRules& shipped();
  // `text` before the shipped rules. An error names `source` and the line.
  static Status read(std::string_view text, const std::string& source, PhaseRules& rules);

  // Of a Python frame ("path/file.py(12): function") only the function counts, and its file.
  std::optional<Phase> phase_of_range(std::string_view name) const;
  // `place`: FILE:FUNCTION. nullptr: it speaks of none.
  const FrameRule* rule_of_frame(std::string_view place) const;
  const std::vector<CallRule>& calls() const { return calls_; }

 private:
  friend class RuleReader;
  std::vector<RangeRule> ranges_;
  std::vector<FrameRule> frames_;
  std::vector<CallRule> calls_;
};

}  // namespace tauprof
