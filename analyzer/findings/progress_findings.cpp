#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "findings/finders.h"
#include "findings/progress_texts.h"
#include "findings/rank_words.h"

namespace tauprof {
namespace {

std::string seconds(Nanoseconds time) { return fmt::format("{:.1f} s", static_cast<double>(time) / 1e9); }

// One clause for each reason, the most telling reasons first.
std::string whom_to_look_at(const JobProgress& progress) {
  std::string text;
  for (const SuspectReason reason : {SuspectReason::kDifferentCall, SuspectReason::kDeadlock, SuspectReason::kSilent,
                                     SuspectReason::kEnded, SuspectReason::kElsewhere, SuspectReason::kNoLog}) {
    std::vector<int32_t> ranks;
    for (const Suspect& suspect : progress.suspects)
      if (suspect.reason == reason) ranks.push_back(suspect.rank);
    if (!ranks.empty()) text += fmt::format("; look at {}: {}", ranks_in_words(ranks), explanation_of(reason));
  }
  return text;
}

// The host of a silent rank may have called what the others wait in. If all are silent, all of them.
std::vector<int32_t> without_silent(const std::vector<int32_t>& ranks, const JobProgress& progress) {
  std::vector<int32_t> waiting = ranks;
  for (const RankState& state : progress.ranks)
    if (state.is_silent) std::erase(waiting, state.rank);
  return waiting.empty() ? ranks : waiting;
}

std::string who_waits(const JobProgress& progress) {
  if (!progress.deadlocks.empty()) return circle_text(progress.deadlocks.front());
  const auto stuck = std::find_if(progress.communicators.begin(), progress.communicators.end(),
                                  [](const CommunicatorState& state) { return state.is_stuck; });
  if (stuck != progress.communicators.end()) {
    const std::vector<int32_t> waiting = without_silent(stuck->waiting->entered, progress);
    return fmt::format("{} {} waited up to {} in number {} of {}, {}", ranks_in_words(waiting),
                       waiting.size() == 1 ? "has" : "have", seconds(stuck->waiting->waited),
                       stuck->waiting->call.sequence, stuck->name, call_text(stuck->waiting->call));
  }
  if (!progress.messages.empty())
    return fmt::format("{} ({})", message_text(progress.messages.front()), seconds(progress.messages.front().waited));
  return fmt::format("{} in a call of NCCL that does not return: {}", ranks_in_words(progress.inside_nccl),
                     "it makes a communicator or connects to a peer");
}

void add_hang(const JobProgress& progress, std::vector<Finding>& found) {
  if (!progress.is_stuck) return;
  Finding finding(FindingId::kHang, Severity::kCritical);
  if (!progress.hangs()) {
    finding.title = "The job waits";
    finding.advice += " It may still come, as after writing a checkpoint; if it does the same for long, the job hangs.";
  }
  for (const Suspect& suspect : progress.suspects) finding.ranks.push_back(suspect.rank);
  finding.title = finding.title + whom_to_look_at(progress);
  finding.evidence = who_waits(progress);
  for (const RankState& state : progress.ranks)
    if (finding.where.empty() &&
        std::find(finding.ranks.begin(), finding.ranks.end(), state.rank) != finding.ranks.end())
      finding.where = state.progress.source_line;
  found.push_back(std::move(finding));
}

}  // namespace

void add_progress_findings(const RunFacts&, const RunMetrics& metrics, std::vector<Finding>& found) {
  add_hang(metrics.progress, found);
  for (const CollectiveMismatch& mismatch : metrics.communication.mismatches) {
    Finding finding(FindingId::kMismatch, Severity::kWarning);
    finding.title =
        fmt::format("Rank {} does not call the same collectives as its peers ({})", mismatch.rank, mismatch.what);
    finding.evidence = mismatch_text(mismatch);
    finding.ranks = {mismatch.rank};
    finding.where = mismatch.source_line;
    found.push_back(std::move(finding));
  }
}

}  // namespace tauprof
