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

// The recorder's number is how many steps were over. The offset that makes most of its numbers so.
int64_t offset_of(const std::vector<HostStep>& steps, const std::vector<RecorderStep>& seen) {
  std::vector<Nanoseconds> ends;
  for (const HostStep& step : steps) ends.push_back(step.updated);
  std::sort(ends.begin(), ends.end());
  std::map<int64_t, size_t> votes;
  for (const RecorderStep& one : seen) {
    if (steps.empty() || one.time < steps.front().start || one.time >= steps.back().end) continue;
    ++votes[one.number - (std::upper_bound(ends.begin(), ends.end(), one.time + kClockReading) - ends.begin())];
  }
  const auto most =
      std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == votes.end() ? seen.front().number : most->first;
}

}  // namespace

StepRange wanted_steps(const ProcessTrace& trace) {
  const auto first = attribute<int64_t>(trace, "start_step", 0), count = attribute<int64_t>(trace, "steps", 0);
  constexpr int64_t kAll = std::numeric_limits<int64_t>::max();
  return {first, count > 0 && first <= kAll - count ? first + count - 1 : kAll};
}

void mark_wanted(const ProcessTrace& trace, std::vector<HostStep>& steps) {
  const StepRange wanted = wanted_steps(trace);
  for (HostStep& step : steps) step.is_wanted = wanted.has(step.number);
}

void mark_wanted_by_order(const ProcessTrace& trace, std::vector<HostStep>& steps) {
  const StepRange wanted = wanted_steps(trace);
  for (size_t i = 0; i < steps.size(); ++i) steps[i].is_wanted = wanted.has(static_cast<int64_t>(i));
}

void number_as_recorded(const ProcessTrace& trace, std::vector<HostStep>& steps) {
  if (trace.recorder_steps.empty()) return;
  const NotableGaps gaps(trace);
  const int64_t offset = offset_of(steps, trace.recorder_steps);
  for (HostStep& step : steps) step.number += offset;
  mark_wanted(trace, steps);
  std::erase_if(steps, [&](const HostStep& step) { return gaps.overlap(step.start, step.end); });
}

std::vector<HostStep> steps_of_recorder(const ProcessTrace& trace) {
  const NotableGaps gaps(trace);
  std::vector<HostStep> steps;
  for (size_t i = 0; i + 1 < trace.recorder_steps.size(); ++i) {
    const RecorderStep &seen = trace.recorder_steps[i], &next = trace.recorder_steps[i + 1];
    if (next.number == seen.number + 1 && !gaps.overlap(seen.time, next.time))
      steps.push_back({seen.number, seen.time, next.time, HostStep::kNoExtra, next.time});
  }
  mark_wanted(trace, steps);
  return steps;
}

}  // namespace tauprof
