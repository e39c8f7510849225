#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "html/page_parts.h"
#include "model/terminal_text.h"

namespace tauprof {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 5> kGroupNames = {"ranges", "operators", "python", "host", "streams"};

// A list of lists of whole numbers as text: there are too many for values of a JSON library.
class NumberLists {
 public:
  void open() {
    text_ += text_.empty() ? "[[" : ",[";
    is_first_ = true;
  }
  void add(int64_t number) {
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    if (!is_first_) text_ += ',';
    text_.append(digits.data(), end);
    is_first_ = false;
  }
  void close() { text_ += ']'; }
  std::string take() { return text_.empty() ? "[]" : std::move(text_) + "]"; }

 private:
  std::string text_;
  bool is_first_ = true;
};

// The rows' spans as columns. What a row is made of is mostly that of another one, and then said once.
class Columns {
 public:
  explicit Columns(Nanoseconds unit) : unit_(unit) {}

  void add(const std::vector<ShownSpan>& spans) {
    for (NumberLists* const list : {&starts_, &lengths_, &several_}) list->open();
    Nanoseconds before = 0;
    for (size_t i = 0; i < spans.size(); ++i) {
      const Nanoseconds from = rounded(spans[i].start), to = rounded(spans[i].start + spans[i].duration);
      starts_.add(from - before);
      lengths_.add(to - from);
      before = to;
      if (spans[i].count == 1) continue;
      several_.add(static_cast<int64_t>(i));
      several_.add(spans[i].count);
    }
    for (NumberLists* const list : {&starts_, &lengths_, &several_}) list->close();
    add_content(spans);
  }

  std::string json() {
    std::string content;
    for (const size_t of : content_of_) content += (content.empty() ? "" : ",") + std::to_string(of);
    return "{\"content\":[" + content + "],\"names\":" + names_.take() + ",\"kinds\":" + kinds_.take() +
           ",\"several\":" + several_.take() + ",\"start\":" + starts_.take() + ",\"ns\":" + lengths_.take() + "}";
  }

 private:
  Nanoseconds rounded(Nanoseconds time) const { return (time >= 0 ? time + unit_ / 2 : time - unit_ / 2) / unit_; }

  void add_content(const std::vector<ShownSpan>& spans) {
    std::string content;
    for (const ShownSpan& span : spans) {
      content.append(reinterpret_cast<const char*>(&span.name), sizeof span.name);
      content += static_cast<char>(span.kind);
    }
    const auto [known, is_new] = contents_.try_emplace(std::move(content), contents_.size());
    content_of_.push_back(known->second);
    if (!is_new) return;
    names_.open();
    kinds_.open();
    for (const ShownSpan& span : spans) {
      names_.add(span.name == kNoShownName ? -1 : static_cast<int64_t>(span.name));
      kinds_.add(static_cast<int64_t>(span.kind));
    }
    names_.close();
    kinds_.close();
  }

  Nanoseconds unit_;
  std::unordered_map<std::string, size_t> contents_;
  std::vector<size_t> content_of_;
  NumberLists names_, kinds_, several_, starts_, lengths_;
};

Json waits_json(const std::vector<ShownWait>& waits) {
  Json result = Json::array();
  for (const ShownWait& wait : waits)
    result.push_back({wait.row, wait.start, wait.length, wait.for_row, wait.arrival, wait.is_at_most ? 1 : 0});
  return result;
}

Json step_facts(const ShownStep& step) {
  return {{"step", step.number}, {"because", step.because}, {"length_ns", step.length}, {"is_short", step.is_short}};
}

Json beside_json(const PageTimeline& timeline, const std::string& file, const std::string& identity) {
  if (timeline.beside.empty()) return nullptr;
  return {{"file", file}, {"identity", identity}};
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

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
  for (const ShownTelemetry::Throttling& t : telemetry.throttling)
    throttling.push_back({{"rank", t.rank}, {"reason", t.reason}, {"steps", t.steps}});
  return {{"steps", telemetry.steps}, {"ranks", ranks}, {"throttling", throttling}};
}

}  // namespace

std::string step_json(const ShownStep& step) {
  Json windows = Json::array();
  for (const std::optional<Interval>& window : step.windows)
    windows.push_back(window ? Json{window->start, window->end} : Json(nullptr));
  Columns columns(step.unit);
  for (const std::vector<ShownSpan>& row : step.rows) columns.add(row);
  const std::string facts = text_of({{"unit_ns", step.unit},
                                     {"windows", windows},
                                     {"waits", waits_json(step.waits)},
                                     {"waits_left_out", step.waits_left_out},
                                     {"merged", step.merged},
                                     {"merged_below_ns", step.merged_below}});
  return "{\"rows\":" + columns.json() + "," + facts.substr(1);
}

std::string timeline_json(const PageTimeline& timeline, const std::string& file, const std::string& identity) {
  Json rows = Json::array(), names = Json::array(), steps = Json::array(), hosts = Json::array();
  for (const ShownRow& row : timeline.rows)
    rows.push_back({{"rank", row.rank},
                    {"label", valid_utf8(row.label)},
                    {"group", kGroupNames[static_cast<size_t>(row.group)]},
                    {"lane", row.lane}});
  for (const std::string& name : timeline.names) names.push_back(valid_utf8(name));
  for (const std::string& host : timeline.hosts) hosts.push_back(valid_utf8(host));
  for (const ShownStep& step : timeline.steps) steps.push_back(step_facts(step));
  return text_of({{"ranks", timeline.ranks},
                  {"hosts", hosts},
                  {"ranks_left_out", timeline.ranks_left_out},
                  {"steps_left_out", timeline.steps_left_out},
                  {"ranges_left_out", timeline.ranges_left_out},
                  {"spans_left_out", timeline.spans_left_out},
                  {"rows", rows},
                  {"names", names},
                  {"steps", steps},
                  {"beside", beside_json(timeline, file, identity)},
                  {"caused", caused_json(timeline.caused)},
                  {"telemetry", telemetry_json(timeline.telemetry)}});
}

}  // namespace tauprof
