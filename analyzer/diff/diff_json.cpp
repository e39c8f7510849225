#include "diff/diff_json.h"

#include "diff/diff_values.h"
#include "diff/diff_verdict.h"
#include "limits/analysis_limits.h"
#include "report/json_values.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

Json side_json(const Side& side, Nanoseconds step_ns) {
  Json runs = Json::array();
  for (const RunSummary& run : side.runs)
    runs.push_back({{"path", valid_utf8(run.path)},
                    {"id", text_or_null(run.id)},
                    {"ranks", run.ranks},
                    {"steps", run.steps},
                    {"warmup", run.warmup},
                    {"effective_steps", run.effective_steps},
                    {"step_ns", nanoseconds_json(run.step_ns)},
                    {"detected_by", valid_utf8(run.steps_source)},
                    {"confidence", run.steps_confidence}});
  return {{"runs", runs},
          {"step_ns", step_ns},
          {"steps_per_s", or_null(side.throughput.steps_per_s)},
          {"samples_per_s", or_null(side.throughput.samples_per_s)},
          {"tokens_per_s", or_null(side.throughput.tokens_per_s)}};
}

Json time_json(const JudgedTime& time) {
  return {{"a_ns", time.a_ns},
          {"b_ns", time.b_ns},
          {"difference_ns", time.difference_ns()},
          {"change", or_null(time.means.ratio())},
          {"p", time.means.test ? Json(time.means.test->p) : Json(nullptr)},
          {"p_adjusted", or_null(time.p_adjusted)},
          {"significant", time.p_adjusted ? Json(time.is_significant) : Json(nullptr)}};
}

Json with(Json head, const Json& values) {
  head.update(values);
  return head;
}

Json interval_json(const StepDiff& step) {
  if (!step.interval) return nullptr;
  return {{"low", step.interval->low},
          {"high", step.interval->high},
          {"level", kConfidence},
          {"method", name_of(step.interval_method)}};
}

Json step_json(const Diff& diff) {
  const StepDiff& step = diff.step;
  const auto& test = step.time.means.test;
  Json json = {{"times", step.is_on_host ? "host" : "device"}};
  json.update(time_json(step.time));
  json.update({{"interval", interval_json(step)},
               {"units", name_of(step.time.means.units)},
               {"t", test ? Json(test->t) : Json(nullptr)},
               {"degrees_of_freedom", test ? Json(test->degrees) : Json(nullptr)},
               {"standard_error_ns", test ? nanoseconds_json(test->standard_error) : Json(nullptr)},
               {"detectable_change", or_null(step.detectable)}});
  return json;
}

Json parts_json(const std::vector<NamedTime>& parts) {
  if (parts.empty()) return nullptr;
  Json json = Json::object();
  for (const NamedTime& part : parts) json[part.name] = time_json(part.time);
  return json;
}

Json phases_json(const std::vector<PhaseDiff>& phases) {
  Json json = Json::array();
  for (const PhaseDiff& phase : phases)
    json.push_back({{"name", phase.name},
                    {"derived", phase.is_derived},
                    {"host", time_json(phase.host)},
                    {"device", phase.device ? time_json(*phase.device) : Json(nullptr)}});
  return json;
}

Json kernels_json(const std::vector<KernelDiff>& kernels) {
  Json json = Json::array();
  for (const KernelDiff& kernel : kernels)
    json.push_back(with({{"name", valid_utf8(kernel.name)},
                         {"class", name_of(kernel.span_class)},
                         {"a_count_per_step", kernel.a_count},
                         {"b_count_per_step", kernel.b_count}},
                        time_json(kernel.time)));
  return json;
}

Json collectives_json(const std::vector<CollectiveDiff>& collectives) {
  Json json = Json::array();
  for (const CollectiveDiff& of : collectives)
    json.push_back({{"comm", text_or_null(of.communicator)},
                    {"op", name_of(of.operation)},
                    {"dtype", of.datatype == log::DataType::kUnknown ? Json(nullptr) : Json(name_of(of.datatype))},
                    {"ranks", of.ranks},
                    {"size_bytes", or_null(of.size_bytes)},
                    {"a_count", of.a_count},
                    {"b_count", of.b_count},
                    {"a_busbw_gb_per_s", or_null(of.a_busbw_gb_per_s)},
                    {"b_busbw_gb_per_s", or_null(of.b_busbw_gb_per_s)},
                    {"running", time_json(of.time)},
                    {"exposed", time_json(of.exposed)}});
  return json;
}

Json memory_json(const std::vector<MemoryDiff>& memory) {
  Json json = Json::object();
  for (const MemoryDiff& of : memory) json[of.name] = {{"a", of.a}, {"b", of.b}};
  return json;
}

Json settings_json(const std::vector<SettingDiff>& settings) {
  const auto texts = [](const std::vector<std::string>& values) {
    Json json = Json::array();
    for (const std::string& value : values) json.push_back(valid_utf8(value));
    return json;
  };
  Json json = Json::array();
  for (const SettingDiff& of : settings)
    json.push_back({{"group", of.group}, {"name", valid_utf8(of.name)}, {"a", texts(of.a)}, {"b", texts(of.b)}});
  return json;
}

Json ranks_json(const RanksDiff& ranks, const StepDiff& step) {
  if (ranks.ranks.empty()) return nullptr;
  Json json = Json::array();
  for (const RankDiff& rank : ranks.ranks) {
    Json rows = Json::object();
    for (const NamedTime& row : rank.rows) rows[row.name] = time_json(row.time);
    const auto whole = static_cast<double>(step.time.difference_ns());
    json.push_back(
        with({{"rank", rank.rank},
              {"host", text_or_null(rank.host)},
              {"explains", whole != 0 ? Json(static_cast<double>(rank.time.difference_ns()) / whole) : Json(nullptr)},
              {"named", rank.is_named},
              {"row", rank.row ? Json(rank.rows[*rank.row].name) : Json(nullptr)},
              {"cause", kCauseNames[static_cast<size_t>(rank.cause)]},
              {"ledger", rows}},
             time_json(rank.time)));
  }
  return json;
}

Json verdict_json(const Diff& diff) {
  return {{"outcome", name_of(diff.step.outcome)},
          {"text", verdict_text(diff)},
          {"not_judged_because", text_or_null(not_judged_because(diff))}};
}

}  // namespace

std::string diff_json(const Diff& diff) {
  Json notes = Json::array();
  for (const std::string& note : diff.notes) notes.push_back(valid_utf8(note));
  const Json json = {{"schema", "tauprof.diff/1"},
                     {"verdict", verdict_json(diff)},
                     {"step", step_json(diff)},
                     {"a", side_json(diff.a, diff.step.time.a_ns)},
                     {"b", side_json(diff.b, diff.step.time.b_ns)},
                     {"notes", notes},
                     {"ledger", {{"rows", parts_json(diff.rows)}, {"by_phase", parts_json(diff.phase_parts)}}},
                     {"ranks", ranks_json(diff.ranks, diff.step)},
                     {"nobody", diff.ranks.ranks.empty() ? Json(nullptr) : time_json(diff.ranks.nobody)},
                     {"phases", phases_json(diff.phases)},
                     {"kernels", kernels_json(diff.kernels)},
                     {"collectives", collectives_json(diff.collectives)},
                     {"memory", memory_json(diff.memory)},
                     {"settings", settings_json(diff.settings)}};
  return terminal_json(json.dump(1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace tauprof
