#include "phases/range_phases.h"

#include <algorithm>
#include <string_view>

#include "model/profiler_step.h"
#include "steps/launching_threads.h"

namespace tauprof {
namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

bool is_plain(std::string_view name) { return std::all_of(name.begin(), name.end(), is_word); }

bool is_in_namespace(std::string_view name) {
  const size_t end = name.find("::");
  return end != name.npos && end > 0 && is_plain(name.substr(0, end));
}

}  // namespace

RangePhases::RangePhases(const ProcessTrace& trace, const PhaseRules& rules)
    : trace_(trace), rules_(rules), ranges_(trace.names.size()), operators_(trace.names.size()) {
  // The framework's marker of steps is an annotation whatever its category was.
  has_annotations_ = std::any_of(trace.ranges.begin(), trace.ranges.end(), [&](const HostRange& range) {
    return range.source == log::RangeSource::kAnnotation && !is_profiler_step(trace.names[range.name]);
  });
  find_passes();
}

void RangePhases::find_passes() {
  steps_.resize(trace_.steps.size());
  for (const HostRange& range : trace_.ranges) {
    const std::optional<Phase> phase = range.is_mark ? std::nullopt : said_by(range);
    if (!phase || !is_in(*phase, kPassPhases)) continue;
    Passes* const step = step_at(range.start);
    if (step == nullptr) continue;
    if (phase == Phase::kForward)
      step->first_forward = std::min(step->first_forward, range.start);
    else
      step->last_backward = std::max(step->last_backward, range.start);
  }
  const std::vector<LaunchingThread> threads = launching_threads(trace_);
  for (size_t thread = 0; thread < threads.size(); ++thread) {
    if (!threads[thread].is_backward) continue;
    for (uint32_t i = trace_.first_call[thread]; i < trace_.first_call[thread + 1]; ++i) {
      const HostCall& call = trace_.calls[i];
      if (call.step == kNoStep || !launches_work(call.call_class)) continue;
      Nanoseconds& last = steps_[static_cast<size_t>(call.step)].last_backward;
      last = std::max(last, call.start);
    }
  }
}

RangePhases::Passes* RangePhases::step_at(Nanoseconds time) {
  const auto next = std::upper_bound(trace_.steps.begin(), trace_.steps.end(), time,
                                     [](Nanoseconds at, const HostStep& step) { return at < step.start; });
  if (next == trace_.steps.begin() || time >= std::prev(next)->end) return nullptr;
  return &steps_[static_cast<size_t>(next - trace_.steps.begin() - 1)];
}

bool RangePhases::is_of_framework(const HostRange& range) const {
  if (range.source != log::RangeSource::kOperator) return false;
  const std::string_view name = trace_.names[range.name];
  return is_in_namespace(name) || (has_annotations_ && is_plain(name));
}

std::optional<Phase> RangePhases::said_by(const HostRange& range) {
  Known& known = (range.source == log::RangeSource::kOperator ? operators_ : ranges_)[range.name];
  if (!known.is_known) {
    const std::string_view name = trace_.names[range.name];
    known = {true, is_of_framework(range) ? rules_.phase_of_operator(name) : rules_.phase_of_range(name)};
  }
  return known.phase;
}

}  // namespace tauprof
