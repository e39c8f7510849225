#include "report/progress_json.h"

#include "report/value_names.h"

namespace tauprof {
namespace {

using Json = nlohmann::ordered_json;

Json what(const CalledCollective& call) {
  return {{"op", name_of(call.operation)},
          {"dtype", call.datatype == log::DataType::kUnknown ? Json(nullptr) : Json(name_of(call.datatype))},
          {"count", call.count},
          {"root", call.peer < 0 ? Json(nullptr) : Json(call.peer)}};
}

Json waiting_in(const WaitingCollective& waiting) {
  Json json = {{"sequence", waiting.call.sequence}};
  json.update(what(waiting.call));
  json["waited_ns"] = waiting.waited;
  json["entered"] = waiting.entered;
  json["not_entered"] = waiting.not_entered;
  Json different = Json::array();
  for (const DifferentCall& call : waiting.different) {
    Json row = {{"rank", call.rank}};
    row.update(what(call.call));
    different.push_back(std::move(row));
  }
  json["different"] = std::move(different);
  json["members_without_log"] = waiting.without_log;
  return json;
}

Json communicator(const CommunicatorState& state) {
  return {
      {"comm", valid_utf8(state.name)}, {"size", state.size},
      {"ranks", state.ranks},           {"completed_by_all", state.completed ? Json(*state.completed) : Json(nullptr)},
      {"furthest", state.furthest},     {"waiting", state.waiting ? waiting_in(*state.waiting) : Json(nullptr)}};
}

Json rank(const RankState& state) {
  const RankProgress& progress = state.progress;
  const bool has_call = !progress.call.empty();
  Json messages = Json::array();
  for (const CalledCollective& message : progress.messages)
    messages.push_back({{"op", name_of(message.operation)}, {"peer", message.peer}});
  return {{"rank", state.rank},
          {"log_ended", progress.is_closed},
          {"silent", state.is_silent},
          {"silent_for_ns", state.silent_for},
          {"call", has_call ? Json(valid_utf8(progress.call)) : Json(nullptr)},
          {"in_call", progress.is_in_call},
          {"doing_for_ns", has_call ? Json(state.doing_for) : Json(nullptr)},
          {"where", progress.place.empty() ? Json(nullptr) : Json(valid_utf8(progress.place))},
          {"thread", progress.thread.empty() ? Json(nullptr) : Json(valid_utf8(progress.thread))},
          {"phase", phase_name(progress.phase)},
          {"step", progress.step < 0 ? Json(nullptr) : Json(progress.step)},
          {"pending_messages", messages}};
}

}  // namespace

Json progress_json(const RunProgress& progress) {
  Json ranks = Json::array(), communicators = Json::array(), suspects = Json::array();
  for (const RankState& state : progress.ranks) ranks.push_back(rank(state));
  for (const CommunicatorState& state : progress.communicators) communicators.push_back(communicator(state));
  for (const Suspect& suspect : progress.suspects)
    suspects.push_back({{"rank", suspect.rank}, {"reason", name_of(suspect.reason)}});
  return {{"state", progress.is_finished ? "finished"
                    : progress.is_stuck  ? "stuck"
                                         : "unfinished"},
          {"suspects", suspects},
          {"communicators", communicators},
          {"ranks", ranks}};
}

Json mismatches_json(const std::vector<CollectiveMismatch>& mismatches) {
  Json result = Json::array();
  for (const CollectiveMismatch& mismatch : mismatches)
    result.push_back({{"comm", valid_utf8(mismatch.communicator)},
                      {"rank", mismatch.rank},
                      {"what", mismatch.what},
                      {"first_sequence", mismatch.first},
                      {"count", mismatch.count}});
  return result;
}

}  // namespace tauprof
