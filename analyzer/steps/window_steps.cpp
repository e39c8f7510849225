#include "steps/window_steps.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

#include "limits/analysis_limits.h"
#include "steps/notable_gaps.h"

namespace tauprof {
namespace {

std::string attribute_text(const ProcessTrace& trace, const char* name) {
  const auto found = trace.attributes.find(name);
  return found == trace.attributes.end() ? std::string() : found->second;
}

template <class Number>
Number attribute(const ProcessTrace& trace, const char* name, Number otherwise) {
  const std::string text = attribute_text(trace, name);
  Number value = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Start of the launch-free stretch before the first launch; it is charged to the following step.
Nanoseconds start_of(const NotableGaps& gaps, const LaunchSequence& launches, Nanoseconds first_launch) {
  const auto first = std::lower_bound(launches.launches.begin(), launches.launches.end(), first_launch,
                                      [](const Launch& launch, Nanoseconds time) { return launch.start < time; });
  if (first == launches.launches.begin()) return first_launch;
  const Nanoseconds since = std::min(first_launch, std::prev(first)->end);
  return gaps.overlap(since, first_launch) ? first_launch : since;
}

std::vector<HostStep> recorders_steps(const ProcessTrace& trace, const NotableGaps& gaps,
                                      const LaunchSequence& launches) {
  const StepRange wanted = wanted_steps(trace);
  std::vector<HostStep> steps;
  for (size_t i = 0; i + 1 < trace.recorder_steps.size(); ++i) {
    const RecorderStep &seen = trace.recorder_steps[i], &next = trace.recorder_steps[i + 1];
    if (!wanted.has(seen.number) || next.number != seen.number + 1 || gaps.overlap(seen.time, next.time)) continue;
    HostStep step{seen.number, start_of(gaps, launches, seen.time), start_of(gaps, launches, next.time)};
    if (seen.extra != 0) step.extra_start = seen.extra;
    steps.push_back(step);
  }
  return steps;
}

// The offset that gives most of these steps the number of the recorder's step whose first launch they contain.
int64_t offset_of(const std::vector<HostStep>& steps, const std::vector<RecorderStep>& seen) {
  std::map<int64_t, size_t> votes;
  for (const RecorderStep& start : seen) {
    const Nanoseconds time = start.time + kClockReading;
    const auto behind = std::upper_bound(steps.begin(), steps.end(), time,
                                         [](Nanoseconds at, const HostStep& step) { return at < step.start; });
    if (behind == steps.begin()) continue;
    const HostStep& step = *(behind - 1);
    if (time < step.end) ++votes[start.number - step.number];
  }
  const auto most =
      std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == votes.end() ? seen.front().number : most->first;
}

void number_and_trim(const ProcessTrace& trace, const NotableGaps& gaps, std::vector<HostStep>& steps) {
  const int64_t offset = offset_of(steps, trace.recorder_steps);
  const StepRange wanted = wanted_steps(trace);
  for (HostStep& step : steps) step.number += offset;
  std::erase_if(steps,
                [&](const HostStep& step) { return !wanted.has(step.number) || gaps.overlap(step.start, step.end); });
}

// Whether the search found each of the recorder's steps, too: with the same number and mostly the same time.
bool has_all(const std::vector<HostStep>& found, const std::vector<HostStep>& recorded) {
  return std::all_of(recorded.begin(), recorded.end(), [&](const HostStep& own) {
    const auto step = std::lower_bound(found.begin(), found.end(), own.number,
                                       [](const HostStep& one, int64_t number) { return one.number < number; });
    if (step == found.end() || step->number != own.number) return false;
    const Nanoseconds both = std::min(step->end, own.end) - std::max(step->start, own.start);
    return 2 * both > std::max(step->end - step->start, own.end - own.start);
  });
}

// Before the log's first step the search sees nothing that would show where the step starts. The recorder did.
void start_as_recorded(std::vector<HostStep>& steps, const std::vector<HostStep>& recorded) {
  if (steps.empty() || steps.front().number != recorded.front().number) return;
  steps.front().start = std::min(steps.front().start, recorded.front().start);
}

// The next step shows where the last one ends, even if it was not wanted or not recorded.
void end_with_next(const ProcessTrace& trace, const NotableGaps& gaps, const LaunchSequence& launches,
                   std::vector<HostStep>& steps) {
  if (steps.empty()) return;
  for (const RecorderStep& seen : trace.recorder_steps) {
    if (seen.number != steps.back().number + 1) continue;
    steps.back().end = std::max(steps.back().end, start_of(gaps, launches, seen.time));
    steps.back().next_launch = seen.time;
  }
}

}  // namespace

StepRange wanted_steps(const ProcessTrace& trace) {
  const auto first = attribute<int64_t>(trace, "start_step", 0), count = attribute<int64_t>(trace, "steps", 0);
  constexpr int64_t kAll = std::numeric_limits<int64_t>::max();
  return {first, count > 0 && first <= kAll - count ? first + count - 1 : kAll};
}

void number_as_recorded(const ProcessTrace& trace, std::vector<HostStep>& steps) {
  if (!trace.recorder_steps.empty()) number_and_trim(trace, NotableGaps(trace), steps);
}

FoundSteps steps_in_window(const ProcessTrace& trace, const LaunchSequence& launches, FoundSteps found) {
  if (trace.recorder_steps.empty()) return found;
  const NotableGaps gaps(trace);
  number_and_trim(trace, gaps, found.steps);
  std::vector<HostStep> recorded = recorders_steps(trace, gaps, launches);
  // If the window has no end, the recorder stops looking for steps once it is open.
  const bool is_open_ended = wanted_steps(trace).last == std::numeric_limits<int64_t>::max();
  const bool has_nothing_to_say = recorded.empty() || (is_open_ended && !found.steps.empty());
  if (!has_nothing_to_say) {
    const auto confidence = attribute<double>(trace, "steps_seen_confidence", 0);
    const bool agree = has_all(found.steps, recorded);
    const bool is_surer = found.confidence > confidence || found.steps.size() > recorded.size();
    if (!agree) {
      found.source = attribute_text(trace, "steps_seen_by");
      found.confidence = confidence;
      found.reason = "found while the program ran, among more launches than were recorded";
    }
    if (!agree || !is_surer)
      found.steps = std::move(recorded);
    else
      start_as_recorded(found.steps, recorded);
  }
  end_with_next(trace, gaps, launches, found.steps);
  return found;
}

}  // namespace tauprof
