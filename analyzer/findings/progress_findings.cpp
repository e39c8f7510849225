#include "findings/progress_findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/operation_names.h"

namespace tauprof {
namespace {

std::string seconds(Nanoseconds time) { return fmt::format("{:.1f} s", static_cast<double>(time) / 1e9); }

std::string listed(const std::vector<int32_t>& ranks) {
  constexpr size_t kMostNamed = 8;
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (size_t i = 0; i < ranks.size() && i < kMostNamed; ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", ranks[i]);
  return ranks.size() > kMostNamed ? text + fmt::format(" and {} more", ranks.size() - kMostNamed) : text;
}

// One sentence for those of one reason; the first reasons say the most.
std::string whom_to_look_at(const RunProgress& progress) {
  std::string text;
  for (const SuspectReason reason : {SuspectReason::kDifferentCall, SuspectReason::kDeadlock, SuspectReason::kSilent,
                                     SuspectReason::kEnded, SuspectReason::kElsewhere, SuspectReason::kNoLog}) {
    std::vector<int32_t> ranks;
    for (const Suspect& suspect : progress.suspects)
      if (suspect.reason == reason) ranks.push_back(suspect.rank);
    if (!ranks.empty()) text += fmt::format("; look at {}: {}", listed(ranks), explanation_of(reason));
  }
  return text;
}

std::string who_waits(const RunProgress& progress) {
  if (!progress.deadlocks.empty()) return circle_text(progress.deadlocks.front());
  const auto stuck = std::find_if(progress.communicators.begin(), progress.communicators.end(),
                                  [](const CommunicatorState& state) { return state.is_stuck; });
  if (stuck != progress.communicators.end())
    return fmt::format("{} {} waited up to {} in number {} of {}, {}", listed(stuck->waiting->entered),
                       stuck->waiting->entered.size() == 1 ? "has" : "have", seconds(stuck->waiting->waited),
                       stuck->waiting->call.sequence, stuck->name, call_text(stuck->waiting->call));
  if (!progress.messages.empty())
    return fmt::format("{} ({})", message_text(progress.messages.front()), seconds(progress.messages.front().waited));
  return fmt::format("{} in a call of NCCL that does not return: {}", listed(progress.inside_nccl),
                     "it makes a communicator or connects to a peer");
}

void add_hang(const RunProgress& progress, std::vector<Finding>& found) {
  if (!progress.is_stuck) return;
  Finding finding{"hang", Severity::kCritical, "The job hangs"};
  for (const Suspect& suspect : progress.suspects) finding.ranks.push_back(suspect.rank);
  finding.title += whom_to_look_at(progress);
  finding.evidence = who_waits(progress);
  finding.advice = "See the section on progress: what each rank was last doing.";
  for (const RankState& state : progress.ranks)
    if (finding.where.empty() &&
        std::find(finding.ranks.begin(), finding.ranks.end(), state.rank) != finding.ranks.end())
      finding.where = state.progress.place;
  found.push_back(std::move(finding));
}

std::string at(const std::string& place) { return place.empty() ? "" : " at " + place; }

std::string rank_text(int32_t rank) { return rank < 0 ? "a rank without a log" : fmt::format("rank {}", rank); }

}  // namespace

std::string_view explanation_of(SuspectReason reason) {
  switch (reason) {
    case SuspectReason::kSilent:
      return "no sign of life; its process was killed or stopped, or its host is gone";
    case SuspectReason::kEnded:
      return "its process has ended";
    case SuspectReason::kDifferentCall:
      return "it called something else than its peers, or with other arguments";
    case SuspectReason::kDeadlock:
      return "it waits for a rank that waits for it in turn";
    case SuspectReason::kNoLog:
      return "it has no log";
    default:
      return "it has not come to where the others wait";
  }
}

std::string call_text(const CalledCollective& call) {
  std::string text(name_of(call.operation));
  if (call.count > 0) text += fmt::format(" of {}", call.count);
  if (call.datatype != log::DataType::kUnknown) text += fmt::format(" {}", name_of(call.datatype));
  return call.peer < 0 ? text : text + fmt::format(", root {}", call.peer);
}

std::string message_text(const WaitingMessage& message) {
  const auto size = [](const CalledCollective& call) {
    return fmt::format("{} {}{}", call.count, name_of(call.datatype), at(call.place));
  };
  const std::string source = rank_text(message.source), destination = rank_text(message.destination);
  if (message.is_different())
    return fmt::format("{} sends {}, but {} receives {}", source, size(*message.send), destination,
                       size(*message.receive));
  if (message.is_sent && !message.send)
    return fmt::format("{} waits to receive {} from {}, which has sent as many messages", destination,
                       size(*message.receive), source);
  if (message.is_received && !message.receive)
    return fmt::format("{} waits to send {} to {}, which has received as many messages", source, size(*message.send),
                       destination);
  if (message.send && message.receive)
    return fmt::format("{} sends {} to {}: both have called, and it is not carried out", source, size(*message.send),
                       destination);
  if (message.send)
    return fmt::format("{} waits for {} to receive {} from it", source, destination, size(*message.send));
  return fmt::format("{} waits for {} to send it {}", destination, source, size(*message.receive));
}

std::string circle_text(const std::vector<RankWait>& waits) {
  std::string text;
  for (const RankWait& wait : waits) {
    const bool is_message =
        wait.call.operation == log::Operation::kSend || wait.call.operation == log::Operation::kReceive;
    const std::string what = is_message ? fmt::format("a message on {}", wait.communicator)
                                        : fmt::format("number {} of {} ({})", wait.call.sequence, wait.communicator,
                                                      name_of(wait.call.operation));
    text += fmt::format("{}rank {} waits in {} for rank {}", text.empty() ? "" : "; ", wait.rank, what, wait.for_rank);
  }
  return text;
}

std::string mismatch_text(const CollectiveMismatch& mismatch) {
  std::string text = fmt::format("number {} of {}: rank {} ", mismatch.first, mismatch.communicator, mismatch.rank);
  if (mismatch.what == "ahead") {
    text += fmt::format("called {}{}; rank {} ended before", mismatch.called ? call_text(*mismatch.called) : "it",
                        at(mismatch.place), mismatch.peer);
  } else {
    text += mismatch.called ? "called " + call_text(*mismatch.called) + at(mismatch.place) : "recorded none";
    if (mismatch.peers_called)
      text += fmt::format("; rank {} called {}", mismatch.peer, call_text(*mismatch.peers_called));
  }
  return mismatch.count > 1 ? text + fmt::format("; {} such collectives", mismatch.count) : text;
}

void add_progress_findings(const RunMetrics& metrics, std::vector<Finding>& found) {
  add_hang(metrics.progress, found);
  for (const CollectiveMismatch& mismatch : metrics.mismatches) {
    Finding finding{
        "mismatch", Severity::kWarning,
        fmt::format("Rank {} does not call the same collectives as its peers ({})", mismatch.rank, mismatch.what)};
    finding.evidence = mismatch_text(mismatch);
    finding.ranks = {mismatch.rank};
    finding.advice = "Compare the code paths of this rank and its peers; results may be wrong, and the job may hang.";
    finding.where = mismatch.place;
    found.push_back(std::move(finding));
  }
}

}  // namespace tauprof
