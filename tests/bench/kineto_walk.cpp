// The baseline of the importer: one thread walks every event of a trace, which is completely in
// memory and padded, with simdjson's on-demand parser and reads name, cat, ts, dur and args, keeping
// nothing. The first walk touches the parser's memory; the second is timed and printed as JSON.
#include <fmt/format.h>
#include <simdjson.h>

#include <chrono>
#include <cstdint>

namespace {

namespace ondemand = simdjson::ondemand;

struct Totals {
  uint64_t events = 0;
  uint64_t text_bytes = 0;
  uint64_t args = 0;
  double duration = 0;
};

void walk_args(ondemand::value& value, Totals& totals) {
  ondemand::object args;
  if (value.get_object().get(args) != simdjson::SUCCESS) return;
  for (auto field : args) {
    if (field.error() != simdjson::SUCCESS) return;
    ++totals.args;
  }
}

void walk_event(ondemand::object event, Totals& totals) {
  for (auto result : event) {
    ondemand::field field;
    if (std::move(result).get(field) != simdjson::SUCCESS) return;
    const ondemand::raw_json_string key = field.key();
    std::string_view text;
    double number = 0;
    if (key == "name" || key == "cat") {
      if (field.value().get_string().get(text) == simdjson::SUCCESS) totals.text_bytes += text.size();
    } else if (key == "ts" || key == "dur") {
      if (field.value().get_double().get(number) == simdjson::SUCCESS) totals.duration += number;
    } else if (key == "args") {
      walk_args(field.value(), totals);
    }
  }
  ++totals.events;
}

bool walk(const simdjson::padded_string& text, ondemand::parser& parser, Totals& totals) {
  ondemand::document document;
  ondemand::array events;
  if (parser.iterate(text).get(document) != simdjson::SUCCESS ||
      document["traceEvents"].get_array().get(events) != simdjson::SUCCESS)
    return false;
  for (auto result : events) {
    ondemand::object event;
    if (result.get_object().get(event) == simdjson::SUCCESS) walk_event(event, totals);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  simdjson::padded_string text;
  if (argc != 2 || simdjson::padded_string::load(argv[1]).get(text) != simdjson::SUCCESS) {
    fmt::print(stderr, "usage: kineto_walk TRACE.json (an object with traceEvents)\n");
    return 2;
  }
  ondemand::parser parser;
  Totals totals;
  std::chrono::duration<double> time{};
  for (int round = 0; round < 2; ++round) {
    totals = {};
    const auto start = std::chrono::steady_clock::now();
    if (!walk(text, parser, totals)) {
      fmt::print(stderr, "{}: no traceEvents\n", argv[1]);
      return 3;
    }
    time = std::chrono::steady_clock::now() - start;
  }
  fmt::print(R"({{"seconds": {}, "bytes": {}, "events": {}, "args": {}, "text_bytes": {}, "simdjson": "{}.{}.{}"}})"
             "\n",
             time.count(), text.size(), totals.events, totals.args, totals.text_bytes,
             static_cast<int>(simdjson::SIMDJSON_VERSION_MAJOR), static_cast<int>(simdjson::SIMDJSON_VERSION_MINOR),
             static_cast<int>(simdjson::SIMDJSON_VERSION_REVISION));
  return 0;
}
