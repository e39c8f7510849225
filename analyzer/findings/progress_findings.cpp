#include "findings/progress_findings.h"

#include <fmt/format.h>

namespace tauprof {
namespace {

std::string listed(const std::vector<int32_t>& ranks) {
  constexpr size_t kMostNamed = 8;
  std::string text;
  for (size_t i = 0; i < ranks.size() && i < kMostNamed; ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", ranks[i]);
  return ranks.size() > kMostNamed ? text + fmt::format(" and {} more", ranks.size() - kMostNamed) : text;
}

void add_hang(const RunProgress& progress, std::vector<Finding>& found) {
  if (!progress.is_stuck) return;
  Finding finding{"hang", Severity::kCritical, "The job hangs"};
  for (const Suspect& suspect : progress.suspects) finding.ranks.push_back(suspect.rank);
  if (!finding.ranks.empty())
    finding.title +=
        fmt::format("; look at rank {}: {}", listed(finding.ranks), explanation_of(progress.suspects.front().reason));
  const CommunicatorState& state = progress.communicators.front();
  finding.evidence =
      fmt::format("{} ranks have waited up to {:.1f} s in collective {} of {}", state.waiting->entered.size(),
                  static_cast<double>(state.waiting->waited) / 1e9, state.waiting->call.sequence, state.name);
  finding.advice = "See the section on progress: what each rank was last doing.";
  found.push_back(std::move(finding));
}

}  // namespace

std::string_view explanation_of(SuspectReason reason) {
  switch (reason) {
    case SuspectReason::kSilent:
      return "no sign of life; its process was killed or stopped, or its host is gone";
    case SuspectReason::kEnded:
      return "its process has ended";
    case SuspectReason::kDifferentCall:
      return "it called another collective than its peers, or with other arguments";
    case SuspectReason::kNoLog:
      return "it has no log";
    default:
      return "it has not come to the collective that the others wait in";
  }
}

void add_progress_findings(const RunMetrics& metrics, std::vector<Finding>& found) {
  add_hang(metrics.progress, found);
  for (const CollectiveMismatch& mismatch : metrics.mismatches) {
    Finding finding{"mismatch", Severity::kWarning,
                    fmt::format("Rank {} does not call the same collectives as its peers", mismatch.rank)};
    finding.evidence = fmt::format("{} collectives of {}, from number {} on: {}", mismatch.count, mismatch.communicator,
                                   mismatch.first, mismatch.what);
    finding.ranks = {mismatch.rank};
    finding.advice = "Compare the code paths of this rank and its peers; results may be wrong, and the job may hang.";
    found.push_back(std::move(finding));
  }
}

}  // namespace tauprof
