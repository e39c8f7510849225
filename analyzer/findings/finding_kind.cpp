#include "findings/finding_kind.h"

namespace tauprof {

std::string_view name_of(VerdictClass verdict) {
  constexpr std::string_view kNames[] = {"none", "hang", "straggler", "balanced", "gpu",
                                         "data", "comm", "pipeline",  "host",     "steps"};
  return kNames[static_cast<size_t>(verdict)];
}

std::string_view name_of(FindingPlace place) {
  constexpr std::string_view kNames[] = {"nowhere", "steps", "waits", "communication", "copies", "idle"};
  return kNames[static_cast<size_t>(place)];
}

}  // namespace tauprof
