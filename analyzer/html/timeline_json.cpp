#include "html/timeline_json.h"

#include <nlohmann/json.hpp>

#include "model/terminal_text.h"

namespace tauprof {
namespace {

using Json = nlohmann::ordered_json;

Json row_json(const std::vector<ShownSpan>& spans) {
  Json start = Json::array(), length = Json::array(), name = Json::array(), kind = Json::array();
  Json several = Json::array();  // index and number of spans that stand for several
  Nanoseconds before = 0;
  for (size_t i = 0; i < spans.size(); ++i) {
    const ShownSpan& span = spans[i];
    start.push_back(span.start - before);
    before = span.start;
    length.push_back(span.duration);
    name.push_back(span.name == kNoShownName ? Json(-1) : Json(span.name));
    kind.push_back(static_cast<int>(span.kind));
    if (span.count > 1) several.push_back({i, span.count});
  }
  return {{"start", start}, {"ns", length}, {"name", name}, {"kind", kind}, {"several", several}};
}

Json waits_json(const std::vector<ShownWait>& waits) {
  Json result = Json::array();
  for (const ShownWait& wait : waits)
    result.push_back({wait.row, wait.start, wait.length, wait.for_row, wait.arrival, wait.is_at_most ? 1 : 0});
  return result;
}

Json step_json(const ShownStep& step) {
  Json windows = Json::array(), rows = Json::array();
  for (const std::optional<Interval>& window : step.windows)
    windows.push_back(window ? Json{window->start, window->end} : Json(nullptr));
  for (const std::vector<ShownSpan>& row : step.rows) rows.push_back(row_json(row));
  return {{"step", step.number},
          {"because", step.because},
          {"length_ns", step.length},
          {"windows", windows},
          {"rows", rows},
          {"waits", waits_json(step.waits)},
          {"waits_left_out", step.waits_left_out},
          {"merged", step.merged},
          {"merged_below_ns", step.merged_below}};
}

Json caused_json(const CausedWaiting& caused) {
  return {
      {"ranks", caused.ranks}, {"steps", caused.steps}, {"ns", caused.ns}, {"ranks_left_out", caused.ranks_left_out}};
}

template <class Value>
Json readings_json(const std::vector<std::optional<Value>>& readings) {
  Json result = Json::array();
  for (const std::optional<Value>& reading : readings) result.push_back(reading ? Json(*reading) : Json(nullptr));
  return result;
}

Json telemetry_json(const ShownTelemetry& telemetry) {
  Json ranks = Json::array(), throttling = Json::array();
  for (const ShownTelemetry::Rank& rank : telemetry.ranks)
    ranks.push_back({{"rank", rank.rank},
                     {"sm_clock_mhz", readings_json(rank.sm_clock_mhz)},
                     {"cpu_wait_ns", readings_json(rank.cpu_wait)}});
  for (const ShownTelemetry::Throttling& of : telemetry.throttling)
    throttling.push_back({{"rank", of.rank}, {"reason", of.reason}, {"steps", of.steps}});
  return {{"steps", telemetry.steps}, {"ranks", ranks}, {"throttling", throttling}};
}

}  // namespace

std::string timeline_json(const PageTimeline& timeline) {
  Json rows = Json::array(), names = Json::array(), steps = Json::array();
  for (const ShownRow& row : timeline.rows)
    rows.push_back({{"rank", row.rank}, {"label", valid_utf8(row.label)}, {"host", row.is_host}});
  for (const std::string& name : timeline.names) names.push_back(valid_utf8(name));
  for (const ShownStep& step : timeline.steps) steps.push_back(step_json(step));
  const Json json = {{"ranks", timeline.ranks},
                     {"ranks_left_out", timeline.ranks_left_out},
                     {"rows", rows},
                     {"names", names},
                     {"steps", steps},
                     {"caused", caused_json(timeline.caused)},
                     {"telemetry", telemetry_json(timeline.telemetry)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tauprof
