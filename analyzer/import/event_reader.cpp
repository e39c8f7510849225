#include "import/event_reader.h"

#include "import/args_reader.h"
#include "import/decimal.h"
#include "import/event_kind.h"
#include "import/operator_work.h"
#include "limits/log_limits.h"
#include "model/profiler_step.h"

namespace tauprof::kineto {
namespace {

void read_time(std::string_view token, MaybeNumber& time, bool& is_bad) {
  const std::optional<int64_t> value = microseconds_to_ns(trimmed(token));
  const bool is_plausible = value && *value >= kEarliestTime && *value <= kLatestTime;
  time = {is_plausible ? *value : 0, is_plausible};
  is_bad = is_bad || !is_plausible;
}

bool is_flow(char phase) { return phase == 's' || phase == 'f' || phase == 't'; }

// The arguments of most events go into no record, and of most operators what autograd says.
enum class WantedArgs { kNone, kAutograd, kAll };

WantedArgs wanted_args(const EventFields& fields) {
  const bool is_collective = fields.has_name && fields.name.starts_with("nccl:");
  if (fields.has_name && is_profiler_step(fields.name)) return WantedArgs::kAll;
  switch (fields.category) {
    case Category::kAnnotation:
      return is_collective ? WantedArgs::kAll : WantedArgs::kNone;
    case Category::kGpuAnnotation:
    case Category::kPython:
    case Category::kOverhead:
    case Category::kTraceSpan:
      return WantedArgs::kNone;
    case Category::kOperator:
      return !fields.has_name || fields.name == "record_param_comms" || is_collective || may_multiply(fields.name)
                 ? WantedArgs::kAll
                 : WantedArgs::kAutograd;
    default:
      return WantedArgs::kAll;
  }
}

// One field of an event, but not its args.
void read_field(const char* key, std::string_view token, EventFields& fields) {
  switch (key[0]) {
    case 'n':
      if (!is_key(key, "name")) return;
      token = trimmed(token);
      fields.has_name = is_string(token);
      fields.name = string_in(token);
      return;
    case 't':
      if (is_key(key, "ts"))
        read_time(token, fields.start_ns, fields.has_bad_time);
      else if (is_key(key, "tid"))
        fields.tid = trimmed(token);
      return;
    case 'd':
      if (is_key(key, "dur")) read_time(token, fields.duration_ns, fields.has_bad_time);
      return;
    case 'c':
      if (!is_key(key, "cat")) return;
      fields.category_text = string_in(token);
      fields.category = category_of(fields.category_text);
      return;
    case 'p':
      if (is_key(key, "pid"))
        fields.pid = trimmed(token);
      else if (is_key(key, "ph"))
        fields.phase = token.size() > 2 && token[0] == '"' ? token[1] : '\0';
      return;
    default:
      return;
  }
}

// simdjson refuses text that is not UTF-8, although the other fields of such an event may be sound.
bool blank_foreign_bytes(char* text, size_t size) {
  bool has_any = false;
  for (size_t i = 0; i < size; ++i) {
    if (static_cast<unsigned char>(text[i]) < 0x80) continue;
    text[i] = '?';
    has_any = true;
  }
  return has_any;
}

}  // namespace

uint64_t EventReader::read(Batch& batch) {
  const std::vector<Slice>& events = batch.split.events;
  size_t next = batch.array.is_indexed() ? read_as_array(batch) : 0;
  uint64_t failed = 0;
  for (; next < events.size(); ++next)
    if (!read_one(batch, events[next])) failed += 1 + salvage(batch, events[next]);
  return failed;
}

// Returns how many events it visited. If that is not all of them, the next one cannot be read.
size_t EventReader::read_as_array(Batch& batch) {
  const std::vector<Slice>& events = batch.split.events;
  simdjson::ondemand::array array;
  if (batch.array.document().get_array().get(array) != simdjson::SUCCESS) return 0;
  size_t visited = 0;
  for (auto result : array) {
    simdjson::ondemand::value value;
    Object object;
    if (std::move(result).get(value) != simdjson::SUCCESS || visited == events.size()) break;
    if (value.raw_json_token().data() != batch.buffer.data() + events[visited].offset) break;
    if (value.get_object().get(object) != simdjson::SUCCESS || !read_object(object)) break;
    visitor_.visit(event_);
    ++visited;
  }
  return visited;
}

bool EventReader::read_one(Batch& batch, Slice slice) {
  char* const text = batch.buffer.data() + slice.offset;
  for (bool is_first_try = true;; is_first_try = false) {
    simdjson::ondemand::document document;
    Object object;
    const simdjson::error_code error =
        parser_.iterate(text, slice.size, slice.size + simdjson::SIMDJSON_PADDING).get(document);
    if (error == simdjson::UTF8_ERROR && is_first_try && blank_foreign_bytes(text, slice.size)) continue;
    if (error != simdjson::SUCCESS || document.get_object().get(object) != simdjson::SUCCESS || !read_object(object))
      return false;
    visitor_.visit(event_);
    return true;
  }
}

// A damaged event may contain whole ones, which this looks for. Returns how many more could not be read.
uint64_t EventReader::salvage(Batch& batch, Slice slice) {
  uint64_t failed = 0;
  EventSplitter splitter = EventSplitter::hunting();
  SplitResult inside;
  splitter.split(batch.text(slice).substr(1), true, inside);
  for (const Slice& event : inside.events)
    if (!read_one(batch, {slice.offset + 1 + event.offset, event.size})) ++failed;
  return failed;
}

void EventReader::reset() {
  static_cast<EventFields&>(event_) = EventFields{};
  if (has_args_) event_.args = EventArgs{};
  has_args_ = false;
}

// False: the JSON is damaged.
bool EventReader::read_object(Object object) {
  reset();
  for (auto result : object) {
    simdjson::ondemand::field field;
    if (std::move(result).get(field) != simdjson::SUCCESS) return false;
    const char* key = field.key().raw();
    if (!is_key(key, "args")) {
      read_field(key, field.value().raw_json_token(), event_);
      if (is_flow(event_.phase)) return true;  // its other fields do not matter
      continue;
    }
    simdjson::ondemand::object args;
    const WantedArgs wanted = wanted_args(event_);
    if (wanted == WantedArgs::kNone || field.value().get_object().get(args) != simdjson::SUCCESS) continue;
    has_args_ = true;
    if (!(wanted == WantedArgs::kAll ? read_args : read_autograd_args)(args, event_.args)) return false;
  }
  event_.category = kind_of(event_);
  return true;
}

}  // namespace tauprof::kineto
