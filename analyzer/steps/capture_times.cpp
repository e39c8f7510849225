#include "steps/capture_times.h"

#include <algorithm>
#include <string_view>

namespace tauprof {
namespace {

enum class Change { kNone, kStarts, kEnds };

// The runtime's or the driver's function.
Change change_by(std::string_view function) {
  if (function.find("StreamBeginCapture") != std::string_view::npos) return Change::kStarts;
  return function.find("StreamEndCapture") != std::string_view::npos ? Change::kEnds : Change::kNone;
}

}  // namespace

CaptureTimes::CaptureTimes(const ProcessTrace& trace) {
  std::vector<Change> of_name;
  for (NameId name = 0; name < trace.names.size(); ++name) of_name.push_back(change_by(trace.names[name]));
  struct Event {
    Nanoseconds time;
    Change change;
  };
  std::vector<Event> events;
  for (const HostCall& call : trace.calls) {
    if (call.outer != kNoIndex || of_name[call.function] == Change::kNone) continue;
    const Change change = of_name[call.function];
    events.push_back({change == Change::kStarts ? call.start : call.end, change});
  }
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.time < b.time; });
  size_t open = 0;
  Nanoseconds start = 0;
  for (const Event& event : events) {
    if (event.change == Change::kStarts && open++ == 0) start = event.time;
    if (event.change == Change::kEnds && open > 0 && --open == 0) spans_.push_back({start, event.time});
  }
}

bool CaptureTimes::has(Nanoseconds time) const {
  const auto after = std::upper_bound(spans_.begin(), spans_.end(), time,
                                      [](Nanoseconds at, const Span& span) { return at < span.start; });
  return after != spans_.begin() && time <= std::prev(after)->end;
}

}  // namespace tauprof
