// The kinds of findings, from findings.def: a new kind is a row there and a finder.
#pragma once

#include <cstdint>
#include <string_view>

namespace tauprof {

// The class of a run's main problem. kNone: of kinds that never are the verdict.
enum class VerdictClass { kNone, kHang, kStraggler, kBalanced, kGpu, kData, kComm, kPipeline, kHost, kSteps };

// The subject of a finding: time of the steps, the job but no time of it, or the recording.
enum class FindingScope { kRepair, kJob, kRecording };

// Where in the page's timeline a finding shows most: in a wait of other ranks, a collective, a copy, the longest time
// in which a device idles, or in whole steps.
enum class FindingPlace { kNowhere, kSteps, kWaits, kCommunication, kCopies, kIdle };

enum class FindingId : uint8_t {
#define FINDING(id, ...) k##id,
#include "findings/findings.def"
#undef FINDING
};

// Has no default: a row without a class does not compile.
struct FindingKind {
  std::string_view name;
  VerdictClass verdict;
  FindingScope scope;
  FindingPlace place;
  std::string_view section;
  std::string_view title;
  std::string_view advice;
  std::string_view when;

  constexpr FindingKind(std::string_view id, VerdictClass about, FindingScope what, FindingPlace where,
                        std::string_view details, std::string_view claim, std::string_view what_to_do,
                        std::string_view reported_when)
      : name(id),
        verdict(about),
        scope(what),
        place(where),
        section(details),
        title(claim),
        advice(what_to_do),
        when(reported_when) {
    // Below a repair that no verdict can name, the first line could say that there is none. Does not compile.
    if (what == FindingScope::kRepair && about == VerdictClass::kNone) throw "a repair has a class";
  }
};

inline constexpr FindingKind kFindingKinds[] = {
#define FINDING(id, name, verdict, scope, place, section, title, advice, when) \
  FindingKind(name, VerdictClass::verdict, FindingScope::scope, FindingPlace::place, section, title, advice, when),
#include "findings/findings.def"
#undef FINDING
};

constexpr const FindingKind& kind_of(FindingId id) { return kFindingKinds[static_cast<size_t>(id)]; }
constexpr std::string_view name_of(FindingId id) { return kind_of(id).name; }

std::string_view name_of(VerdictClass verdict);
std::string_view name_of(FindingPlace place);

}  // namespace tauprof
