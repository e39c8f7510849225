#include <algorithm>

#include "findings/finders.h"
#include "findings/progress_statements.h"

namespace tauprof {
namespace {

// One clause for each reason, the most telling reasons first.
Statement whom_to_look_at(const JobProgress& progress) {
  Statement text;
  for (const SuspectReason reason : {SuspectReason::kDifferentCall, SuspectReason::kDeadlock, SuspectReason::kSilent,
                                     SuspectReason::kEnded, SuspectReason::kElsewhere, SuspectReason::kNoLog}) {
    std::vector<int32_t> ranks;
    for (const Suspect& suspect : progress.suspects)
      if (suspect.reason == reason) ranks.push_back(suspect.rank);
    if (!ranks.empty()) text.also(said("look at ", Ranks{ranks}, ": ", explanation_of(reason)));
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

Statement who_waits(const JobProgress& progress) {
  if (!progress.deadlocks.empty()) return described(progress.deadlocks.front());
  const auto stuck = std::find_if(progress.communicators.begin(), progress.communicators.end(),
                                  [](const CommunicatorState& state) { return state.is_stuck; });
  if (stuck != progress.communicators.end()) {
    const std::vector<int32_t> waiting = without_silent(stuck->waiting->entered, progress);
    return said(Ranks{waiting}, waiting.size() == 1 ? " has" : " have", " waited up to ",
                in_seconds(stuck->waiting->waited), " in number ", stuck->waiting->call.sequence, " of ", stuck->name,
                ", ", described(stuck->waiting->call));
  }
  if (!progress.messages.empty())
    return said(described(progress.messages.front()), " (", in_seconds(progress.messages.front().waited), ")");
  return said(Ranks{progress.inside_nccl},
              " in a call of NCCL that does not return: it makes a communicator or connects to a peer");
}

void add_hang(const JobProgress& progress, std::vector<Finding>& found) {
  if (!progress.is_stuck) return;
  Finding finding(FindingId::kHang, Severity::kCritical);
  if (!progress.hangs()) {
    finding.title = "The job waits";
    finding.advice.add(
        " It may still come, as after writing a checkpoint; if it does the same for long, the job hangs.");
  }
  for (const Suspect& suspect : progress.suspects) finding.ranks.push_back(suspect.rank);
  finding.title.also(whom_to_look_at(progress));
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
        said("Rank ", mismatch.rank, " does not call the same collectives as its peers (", mismatch.what, ")");
    finding.evidence = described(mismatch);
    finding.ranks = {mismatch.rank};
    finding.where = mismatch.source_line;
    found.push_back(std::move(finding));
  }
}

}  // namespace tauprof
