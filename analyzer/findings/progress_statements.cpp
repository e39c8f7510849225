#include "findings/progress_statements.h"

#include "model/operation_names.h"

namespace tauprof {
namespace {

Statement at(const std::string& line) { return line.empty() ? Statement() : said(" at ", line); }

Statement rank_text(int32_t rank) { return rank < 0 ? "a rank without a log" : said("rank ", rank); }

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

Statement described(const CalledCollective& call) {
  Statement text = name_of(call.operation);
  if (call.count > 0) text.add(" of ", call.count);
  if (call.datatype != log::DataType::kUnknown) text.add(" ", name_of(call.datatype));
  return call.peer < 0 ? text : text.add(", root ", call.peer);
}

Statement described(const WaitingMessage& message) {
  const auto size = [](const CalledCollective& call) {
    return said(call.count, " ", name_of(call.datatype), at(call.source_line));
  };
  const Statement source = rank_text(message.source), destination = rank_text(message.destination);
  if (message.is_different())
    return said(source, " sends ", size(*message.send), ", but ", destination, " receives ", size(*message.receive));
  if (message.is_sent && !message.send)
    return said(destination, " waits to receive ", size(*message.receive), " from ", source,
                ", which has sent as many messages");
  if (message.is_received && !message.receive)
    return said(source, " waits to send ", size(*message.send), " to ", destination,
                ", which has received as many messages");
  if (message.send && message.receive)
    return said(source, " sends ", size(*message.send), " to ", destination,
                ": both have called, and it is not carried out");
  if (message.send) return said(source, " waits for ", destination, " to receive ", size(*message.send), " from it");
  return said(destination, " waits for ", source, " to send it ", size(*message.receive));
}

Statement described(const std::vector<RankWait>& waits) {
  Statement text;
  for (const RankWait& wait : waits) {
    const bool is_message =
        wait.call.operation == log::Operation::kSend || wait.call.operation == log::Operation::kReceive;
    const Statement what = is_message ? said("a message on ", wait.communicator)
                                      : said("number ", wait.call.sequence, " of ", wait.communicator, " (",
                                             name_of(wait.call.operation), ")");
    text.also(said("rank ", wait.rank, " waits in ", what, " for rank ", wait.for_rank));
  }
  return text;
}

Statement described(const CollectiveMismatch& mismatch) {
  const bool is_ahead = mismatch.what == "ahead";
  Statement text = said("number ", mismatch.first, " of ", mismatch.communicator, ": rank ", mismatch.rank);
  if (mismatch.called || is_ahead)
    text.add(" called ", mismatch.called ? described(*mismatch.called) : "it", at(mismatch.source_line));
  else
    text.add(" recorded none");
  if (is_ahead)
    text.also(said("rank ", mismatch.peer, " ended before"));
  else if (mismatch.peers_called)
    text.also(said("rank ", mismatch.peer, " called ", described(*mismatch.peers_called)));
  return mismatch.count > 1 ? text.also(said(mismatch.count, " such collectives")) : text;
}

}  // namespace tauprof
