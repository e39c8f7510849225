#include "report/progress_json.h"

#include "report/json_values.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

Json what(const CalledCollective& call) {
  return {{"op", name_of(call.operation)},
          {"dtype", call.datatype == log::DataType::kUnknown ? Json(nullptr) : Json(name_of(call.datatype))},
          {"count", call.count},
          {"root", call.peer < 0 ? Json(nullptr) : Json(call.peer)}};
}

Json waiting_in(const WaitingCollective& waiting) {
  Json json = {{"sequence", waiting.call.sequence}};
  json.update(what(waiting.call));
  json["where"] = text_or_null(waiting.call.source_line);
  json["waited_ns"] = waiting.waited;
  json["entered"] = waiting.entered;
  json["not_entered"] = waiting.not_entered;
  Json different = Json::array();
  for (const DifferentCall& call : waiting.different) {
    Json row = {{"rank", call.rank}};
    row.update(what(call.call));
    row["where"] = text_or_null(call.call.source_line);
    different.push_back(std::move(row));
  }
  json["different"] = std::move(different);
  json["members_without_log"] = waiting.without_log;
  return json;
}

Json communicator(const CommunicatorState& state) {
  return {{"comm", valid_utf8(state.name)},
          {"size", state.size},
          {"ranks", state.ranks},
          {"completed_by_all", or_null(state.completed)},
          {"furthest", state.furthest},
          {"stuck", state.is_stuck},
          {"waiting", state.waiting ? waiting_in(*state.waiting) : Json(nullptr)}};
}

Json side(const std::optional<CalledCollective>& call) {
  if (!call) return nullptr;
  return {{"count", call->count},
          {"dtype", call->datatype == log::DataType::kUnknown ? Json(nullptr) : Json(name_of(call->datatype))},
          {"where", text_or_null(call->source_line)}};
}

Json message(const WaitingMessage& message) {
  const auto rank = [](int32_t number) { return number < 0 ? Json(nullptr) : Json(number); };
  return {{"comm", valid_utf8(message.communicator)},
          {"source", rank(message.source)},
          {"destination", rank(message.destination)},
          {"waited_ns", message.waited},
          {"send", side(message.send)},
          {"recv", side(message.receive)}};
}

Json circle(const std::vector<RankWait>& waits) {
  Json result = Json::array();
  for (const RankWait& wait : waits)
    result.push_back({{"rank", wait.rank},
                      {"for", wait.for_rank},
                      {"comm", valid_utf8(wait.communicator)},
                      {"op", name_of(wait.call.operation)},
                      {"sequence", wait.call.sequence}});
  return result;
}

Json rank(const RankState& state) {
  const RankProgress& progress = state.progress;
  const bool has_call = !progress.call.empty();
  Json messages = Json::array();
  for (const CalledMessage& message : progress.messages)
    messages.push_back({{"op", name_of(message.call.operation)}, {"peer", message.call.peer}});
  return {{"rank", state.rank},
          {"log_ended", progress.is_closed},
          {"silent", state.is_silent},
          {"silent_for_ns", state.silent_for},
          {"call", text_or_null(progress.call)},
          {"in_call", progress.is_in_call},
          {"doing_for_ns", has_call ? Json(state.doing_for) : Json(nullptr)},
          {"where", text_or_null(progress.source_line)},
          {"thread", text_or_null(progress.thread)},
          {"phase", phase_name(progress.phase)},
          {"step", progress.step < 0 ? Json(nullptr) : Json(progress.step)},
          {"pending_messages", messages}};
}

template <class Range, class Render>
Json list_of(const Range& range, Render&& render) {
  Json list = Json::array();
  for (const auto& value : range) list.push_back(render(value));
  return list;
}

}  // namespace

Json progress_json(const JobProgress& progress) {
  const auto suspect = [](const Suspect& of) -> Json { return {{"rank", of.rank}, {"reason", name_of(of.reason)}}; };
  return {{"state", progress.is_finished ? "finished"
                    : progress.is_stuck  ? "stuck"
                                         : "unfinished"},
          {"suspects", list_of(progress.suspects, suspect)},
          {"communicators", list_of(progress.communicators, communicator)},
          {"messages", list_of(progress.messages, message)},
          {"inside_nccl", progress.inside_nccl},
          {"deadlocks", list_of(progress.deadlocks, circle)},
          {"ranks", list_of(progress.ranks, rank)}};
}

Json mismatches_json(const std::vector<CollectiveMismatch>& mismatches) {
  const auto row = [](const CollectiveMismatch& mismatch) -> Json {
    const auto call = [](const std::optional<CalledCollective>& of) { return of ? what(*of) : Json(nullptr); };
    return {{"comm", valid_utf8(mismatch.communicator)},
            {"rank", mismatch.rank},
            {"what", mismatch.what},
            {"first_sequence", mismatch.first},
            {"count", mismatch.count},
            {"called", call(mismatch.called)},
            {"peers_called", call(mismatch.peers_called)},
            {"peer", mismatch.peer},
            {"where", text_or_null(mismatch.source_line)}};
  };
  return list_of(mismatches, row);
}

}  // namespace tauprof
