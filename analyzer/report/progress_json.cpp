#include "report/json_sections.h"

namespace tauprof {
namespace {

std::optional<int32_t> number(int32_t rank) { return when(rank >= 0, rank); }

}  // namespace

Fields<Suspect> fields_of(const Suspect*) {
  return {"Suspect",
          "A rank to look at",
          {
              {"rank", &Suspect::rank, "its number"},
              {"reason", &Suspect::reason, "why"},
          }};
}

Fields<CalledCollective> fields_of(const CalledCollective*) {
  return {"MismatchedCall",
          "A collective as a rank called it",
          {
              {"op", &CalledCollective::operation, "the operation"},
              {"dtype", known(&CalledCollective::datatype), "type of the elements"},
              {"count", &CalledCollective::count, "elements"},
              {"root", [](const CalledCollective& c) { return number(c.peer); }, "its number in the communicator"},
          }};
}

Fields<DifferentCall> fields_of(const DifferentCall*) {
  return {"DifferentCall",
          "A rank that called something else than the others",
          {
              {"rank", &DifferentCall::rank, "its number"},
              {kAllFieldsOf, &DifferentCall::call},
              {"where", [](const DifferentCall& d) { return known(d.call.source_line); },
               "the source line of the call, with recorded stacks"},
          }};
}

Fields<WaitingCollective> fields_of(const WaitingCollective*) {
  return {
      "WaitingCollective",
      "A collective that some members have called and not all completed",
      {
          {"sequence", [](const WaitingCollective& w) { return w.call.sequence; }, "its number on the communicator"},
          {kAllFieldsOf, &WaitingCollective::call},
          {"where", [](const WaitingCollective& w) { return known(w.call.source_line); },
           "the source line of the call, with recorded stacks"},
          {"waited_ns", &WaitingCollective::waited, "by the rank that has waited longest"},
          {"entered", &WaitingCollective::entered, "ranks that have called it"},
          {"not_entered", &WaitingCollective::not_entered, "ranks that have not"},
          {"different", &WaitingCollective::different, "ranks that called something else"},
          {"members_without_log", &WaitingCollective::without_log, "how many nothing is known of"},
      }};
}

Fields<CommunicatorState> fields_of(const CommunicatorState*) {
  return {
      "CommunicatorState",
      "How far a communicator came",
      {
          {"comm", &CommunicatorState::name, "the communicator"},
          {"size", &CommunicatorState::size, "its members"},
          {"ranks", &CommunicatorState::ranks, "those with a log"},
          {"completed_by_all", &CommunicatorState::completed,
           "the last collective that all completed; `null` without device times"},
          {"furthest", &CommunicatorState::furthest, "the last that a member has called"},
          {"stuck", &CommunicatorState::is_stuck, "a member has waited for longer than any step took, and over 2 s"},
          {"waiting", &CommunicatorState::waiting, "the collective that it waits in; `null`: none"},
      }};
}

struct MessageSide {
  const CalledCollective& call;
};

Fields<MessageSide> fields_of(const MessageSide*) {
  return {"MessageSide",
          "A message as one side called it",
          {
              {"count", [](const MessageSide& s) { return s.call.count; }, "elements"},
              {"dtype", [](const MessageSide& s) { return known(s.call.datatype); }, "their type"},
              {"where", [](const MessageSide& s) { return known(s.call.source_line); },
               "the source line of the call, with recorded stacks"},
          }};
}

namespace {

auto side(std::optional<CalledCollective> WaitingMessage::*call) {
  return [call](const WaitingMessage& message) {
    return message.*call ? std::optional(MessageSide{*(message.*call)}) : std::nullopt;
  };
}

}  // namespace

Fields<WaitingMessage> fields_of(const WaitingMessage*) {
  return {
      "WaitingMessage",
      "A message that hangs",
      {
          {"comm", &WaitingMessage::communicator, "the communicator"},
          {"source", [](const WaitingMessage& m) { return number(m.source); }, "the rank that sends; `null`: no log"},
          {"destination", [](const WaitingMessage& m) { return number(m.destination); },
           "the rank that receives; `null`: no log"},
          {"waited_ns", &WaitingMessage::waited, "by the side that called first"},
          {"send", side(&WaitingMessage::send), "the sender's call; `null`: there is none"},
          {"recv", side(&WaitingMessage::receive), "the receiver's"},
      }};
}

Fields<RankWait> fields_of(const RankWait*) {
  return {"RankWait",
          "A rank that waits for another one of a circle",
          {
              {"rank", &RankWait::rank, "its number"},
              {"for", &RankWait::for_rank, "the rank that it waits for"},
              {"comm", &RankWait::communicator, "the communicator"},
              {"op", [](const RankWait& w) { return w.call.operation; }, "what it waits in"},
              {"sequence", [](const RankWait& w) { return w.call.sequence; }, "its number on the communicator"},
          }};
}

Fields<CalledMessage> fields_of(const CalledMessage*) {
  return {"PendingMessage",
          "A message that was called and not carried out",
          {
              {"op", [](const CalledMessage& m) { return m.call.operation; }, "`send` or `recv`"},
              {"peer", [](const CalledMessage& m) { return m.call.peer; },
               "the other side, as a number in the communicator"},
          }};
}

Fields<RankState> fields_of(const RankState*) {
  return {"RankState",
          "What a rank does. Threads that launch work count before others",
          {
              {"rank", &RankState::rank, "its number"},
              {"log_ended", [](const RankState& r) { return r.progress.is_closed; }, "its log has an end"},
              {"silent", &RankState::is_silent, "it gives no more sign of life"},
              {"silent_for_ns", &RankState::silent_for, "since its last sign, until the newest of all"},
              {"call", [](const RankState& r) { return known(r.progress.call); },
               "that it has been in for longest, or else was in last"},
              {"in_call", [](const RankState& r) { return r.progress.is_in_call; }, "it is still in that call"},
              {"doing_for_ns", [](const RankState& r) { return when(!r.progress.call.empty(), r.doing_for); },
               "since it came there, or left it"},
              {"where", [](const RankState& r) { return known(r.progress.source_line); },
               "the source line, with recorded stacks"},
              {"thread", [](const RankState& r) { return known(r.progress.thread); }, "that is in the call"},
              {"phase", [](const RankState& r) { return r.progress.phase; }, "of the call"},
              {"step", [](const RankState& r) { return when(r.progress.step >= 0, r.progress.step); },
               "of the call; `null`: none had started"},
              {"pending_messages", [](const RankState& r) { return r.progress.messages; }, "those not carried out"},
          }};
}

Fields<JobProgress> fields_of(const JobProgress*) {
  return {"Progress",
          "How far the job had come",
          {
              {"state",
               [](const JobProgress& p) { return p.is_finished ? "finished"
                                                 : p.is_stuck  ? "stuck"
                                                               : "unfinished"; },
               "`finished`: every log has an end; `stuck`: some rank has waited in a collective or message, or in a "
               "call of NCCL, for longer than any step took, and over 2 s; else `unfinished`"},
              {"suspects", &JobProgress::suspects, "by number"},
              {"communicators", &JobProgress::communicators, "the longest wait first"},
              {"messages", &JobProgress::messages, "those that hang, the first of each channel"},
              {"inside_nccl", &JobProgress::inside_nccl,
               "ranks that have sat in a call of NCCL for as long; for whom they wait is not recorded"},
              {"deadlocks", &JobProgress::deadlocks, "circles of ranks that wait for each other"},
              {"ranks", &JobProgress::ranks, "every rank"},
          }};
}

Fields<CollectiveMismatch> fields_of(const CollectiveMismatch*) {
  return {
      "Mismatch",
      "Collectives that members of a communicator called differently",
      {
          {"comm", &CollectiveMismatch::communicator, "the communicator"},
          {"rank", &CollectiveMismatch::rank, "differs from most, or from the first of two"},
          {"what", &CollectiveMismatch::what,
           "`operation`, `datatype`, `count`, `root`; `missing`: not recorded by it, though others before and after "
           "are; `ahead`: called by it when another member had ended"},
          {"first_sequence", &CollectiveMismatch::first, "number of the first such collective"},
          {"count", &CollectiveMismatch::count, "how many there are"},
          {"called", &CollectiveMismatch::called, "the first, as the rank called it; `null`: it did not"},
          {"peers_called", &CollectiveMismatch::peers_called, "and as others did"},
          {"peer", &CollectiveMismatch::peer, "the first rank that it differs from"},
          {"where", known(&CollectiveMismatch::source_line), "the rank's source line, with recorded stacks"},
      }};
}

}  // namespace tauprof
