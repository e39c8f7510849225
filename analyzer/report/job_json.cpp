#include "report/job_json.h"

#include <charconv>
#include <cmath>

#include "report/value_names.h"

namespace tauprof {
namespace {

// A step of a hostile trace may take no time at all.
Json ratio_json(double ratio) { return std::isfinite(ratio) ? Json(ratio) : Json(nullptr); }
Json ratio_json(const std::optional<double>& ratio) { return ratio ? ratio_json(*ratio) : Json(nullptr); }

Json seconds_json(double seconds) { return nanoseconds_json(seconds * 1e9); }

Json number_or_text(const std::string& value) {
  int64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, number);
  return error == std::errc() && rest == end ? Json(number) : Json(valid_utf8(value));
}

Json slowdowns(const SlowdownByKey& of) {
  if (of.keys.empty()) return nullptr;
  Json result = Json::object();
  for (const SlowdownByKey::Key& key : of.keys) result[key.name] = ratio_json(key.slowdown);
  return result;
}

Json slowdowns(const SlowdownByKey& of, size_t step) {
  if (of.keys.empty()) return nullptr;
  Json result = Json::object();
  for (const SlowdownByKey::Key& key : of.keys) result[key.name] = ratio_json(key.of_step[step]);
  return result;
}

// `prefix`by_op and so on, of the mean step or of one; null without a decomposition.
template <class... Step>
void add_decomposition(const std::optional<Decomposition>& of, const std::string& prefix, Json& json, Step... step) {
  json[prefix + "by_op"] = of ? slowdowns(of->by_type, step...) : Json(nullptr);
  json[prefix + "by_dp_rank"] = of ? slowdowns(of->by_dp_rank, step...) : Json(nullptr);
  json[prefix + "by_stage"] = of ? slowdowns(of->by_stage, step...) : Json(nullptr);
}

Json by_rank_json(const StragglerAnswers& answers) {
  if (!answers.of_slowdown) return nullptr;
  Json result = Json::object();
  for (const RankScore& rank : answers.ranks) result[std::to_string(rank.rank)] = ratio_json(rank.slowdown);
  return result;
}

Json explanation_json(const Explanation& of) {
  return {{"ranks", of.ranks},
          {"t_repaired_ns", seconds_json(of.repaired_s)},
          {"t_alone_ns", seconds_json(of.alone_s)},
          {"removed", ratio_json(of.removed)},
          {"added", ratio_json(of.added)}};
}

Json steps_json(const StragglerAnswers& answers) {
  Json steps = Json::array();
  for (size_t i = 0; i < answers.steps.size(); ++i) {
    const JobStep& step = answers.steps[i];
    Json row = {{"step", step.number},
                {"t_measured_ns", seconds_json(step.recorded_s)},
                {"t_nodelay_ns", seconds_json(step.without_delays_s)},
                {"t_ideal_ns", seconds_json(step.ideal_to_update_s)},
                {"t_ideal_to_last_end_ns", seconds_json(step.ideal_s)},
                {"slowdown", ratio_json(step.slowdown)},
                {"launch_slowdown", ratio_json(step.launch_slowdown)}};
    add_decomposition(answers.of_slowdown, "", row, i);
    add_decomposition(answers.of_launch_slowdown, "launch_", row, i);
    steps.push_back(std::move(row));
  }
  return steps;
}

}  // namespace

Json whatif_json(const StragglerAnswers& answers) {
  Json job = Json::object();
  for (const auto& [name, value] : answers.job) job[valid_utf8(name)] = number_or_text(value);
  Json json = {{"replay_error", ratio_json(answers.replay_error)},
               {"combined_saving_ns_per_step", nullptr},
               {"t_measured_ns", seconds_json(answers.recorded_s)},
               {"t_nodelay_ns", seconds_json(answers.without_delays_s)},
               {"t_ideal_ns", seconds_json(answers.ideal_to_update_s)},
               {"t_ideal_to_last_end_ns", seconds_json(answers.ideal_s)},
               {"slowdown", ratio_json(answers.slowdown)},
               {"by_rank", by_rank_json(answers)}};
  add_decomposition(answers.of_slowdown, "", json);
  json["m_w"] = answers.worst_ranks ? ratio_json(answers.worst_ranks->removed) : Json(nullptr);
  json["m_s"] = ratio_json(answers.last_stage.removed);
  json["m_w_detail"] = answers.worst_ranks ? explanation_json(*answers.worst_ranks) : Json(nullptr);
  json["m_s_detail"] = explanation_json(answers.last_stage);
  json["launch_slowdown"] = ratio_json(answers.launch_slowdown);
  add_decomposition(answers.of_launch_slowdown, "launch_", json);
  json["job"] = std::move(job);
  json["operations_per_step"] = answers.operations;
  json["dependencies"] = answers.dependencies;
  json["by_step"] = steps_json(answers);
  return json;
}

}  // namespace tauprof
