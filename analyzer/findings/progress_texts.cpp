#include "findings/progress_texts.h"

#include <fmt/format.h>

#include "model/operation_names.h"

namespace tauprof {
namespace {

std::string at(const std::string& line) { return line.empty() ? "" : " at " + line; }

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
    return fmt::format("{} {}{}", call.count, name_of(call.datatype), at(call.source_line));
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
                        at(mismatch.source_line), mismatch.peer);
  } else {
    text += mismatch.called ? "called " + call_text(*mismatch.called) + at(mismatch.source_line) : "recorded none";
    if (mismatch.peers_called)
      text += fmt::format("; rank {} called {}", mismatch.peer, call_text(*mismatch.peers_called));
  }
  return mismatch.count > 1 ? text + fmt::format("; {} such collectives", mismatch.count) : text;
}

}  // namespace tauprof
