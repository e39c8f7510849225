#include "export/kineto_events.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

namespace tauprof::kineto_export {
namespace {

constexpr Nanoseconds kPerMicrosecond = 1000;

// In microseconds, without digits that say nothing: 1500 ns is 1.5.
void append_time(std::string& line, Nanoseconds time) {
  if (time < 0) line += '-';
  const Nanoseconds size = time < 0 ? -time : time;
  line += fmt::format_int(size / kPerMicrosecond).c_str();
  Nanoseconds rest = size % kPerMicrosecond;
  if (rest == 0) return;
  int digits = 3;
  for (; rest % 10 == 0; rest /= 10) --digits;
  fmt::format_to(std::back_inserter(line), ".{:0{}}", rest, digits);
}

}  // namespace

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Status EventFile::open(const std::string& path) {
  Status status = file_.open(path);
  file_.write("{\n");
  return status;
}

void EventFile::add_member(std::string_view name, std::string_view value) {
  file_.write(fmt::format("{}\"{}\": {}", has_members_ ? ",\n" : "", name, value));
  has_members_ = true;
}

std::string& EventFile::next_event() {
  line_ = has_events_ ? ",\n" : has_members_ ? ",\n\"traceEvents\": [\n" : "\"traceEvents\": [\n";
  has_events_ = true;
  return line_;
}

void EventFile::write_event() { file_.write(line_); }

void EventFile::add_slice(std::string_view category, std::string_view name, int64_t process, int64_t thread,
                          Interval time, std::string_view args) {
  std::string& line = next_event();
  fmt::format_to(std::back_inserter(line), R"({{"ph": "X", "cat": {}, "name": {}, "pid": {}, "tid": {}, "ts": )",
                 category, name, process, thread);
  append_time(line, time.start);
  line += ", \"dur\": ";
  append_time(line, time.length());
  if (!args.empty()) line.append(", \"args\": {").append(args).append("}");
  line += '}';
  write_event();
}

void EventFile::add_instant(std::string_view category, std::string_view name, int64_t process, int64_t thread,
                            Nanoseconds time) {
  std::string& line = next_event();
  fmt::format_to(std::back_inserter(line),
                 R"({{"ph": "i", "s": "t", "cat": {}, "name": {}, "pid": {}, "tid": {}, "ts": )", category, name,
                 process, thread);
  append_time(line, time);
  line += '}';
  write_event();
}

void EventFile::add_flow(int64_t correlation, int64_t process, int64_t thread, Nanoseconds time, bool is_start) {
  std::string& line = next_event();
  fmt::format_to(std::back_inserter(line), R"({{"ph": "{}", "id": {}, "pid": {}, "tid": {}, "ts": )",
                 is_start ? 's' : 'f', correlation, process, thread);
  append_time(line, time);
  line += R"(, "cat": "ac2g", "name": "ac2g")";
  line += is_start ? "}" : R"(, "bp": "e"})";
  write_event();
}

void EventFile::add_metadata(std::string_view kind, int64_t process, int64_t thread, std::string_view text) {
  const std::string_view key = kind == "process_labels" ? "labels" : "name";
  std::string& line = next_event();
  fmt::format_to(std::back_inserter(line),
                 R"({{"name": "{}", "ph": "M", "ts": 0, "pid": {}, "tid": {}, "args": {{"{}": {}}}}})", kind, process,
                 thread, key, text);
  write_event();
}

Status EventFile::close() {
  if (!has_events_) next_event(), write_event();
  file_.write("\n]\n}\n");
  return file_.close();
}

}  // namespace tauprof::kineto_export
