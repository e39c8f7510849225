#include "metrics/source_lines/source_line_totals.h"

#include <algorithm>
#include <cstdlib>

#include "classify/source_lines.h"
#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

// From which length on the recorder took stacks of calls (TAUPROF_STACK_MIN_US).
Nanoseconds slow_ns(const ProcessTrace& trace) {
  const auto found = trace.attributes.find("stack_min_ns");
  return found == trace.attributes.end() ? kDefaultSlow : std::atoll(found->second.c_str());
}

}  // namespace

SourceLineTotals::SourceLineTotals(const ProcessTrace& trace, const std::vector<StepWindow>& windows,
                                   const std::optional<StepRange>& choice, RankTimeline& timeline)
    : trace_(trace), windows_(windows), choice_(choice), timeline_(timeline), lines_(trace) {
  if (trace_.stacks.is_empty()) return;
  slow_ns_ = slow_ns(trace);
  name_of_stack_.resize(trace.stacks.stacks.size(), kNoIndex);
  timeline_.source_lines.resize(std::min(windows.size(), kLeadingSteps + 1));
  rows_.resize(timeline_.source_lines.size());
  std::vector<uint32_t> window_of_step(trace.steps.size(), kNoIndex);
  for (uint32_t window = 0; window < windows.size(); ++window) window_of_step[windows[window].host_step] = window;
  lay_out(window_of_step);
}

bool SourceLineTotals::launches(uint16_t thread) const {
  const auto begin = trace_.calls.begin() + trace_.first_call[thread],
             end = trace_.calls.begin() + trace_.first_call[thread + 1];
  return std::any_of(begin, end, [](const HostCall& call) { return launches_work(call.call_class); });
}

void SourceLineTotals::lay_out(const std::vector<uint32_t>& window_of_step) {
  times_.resize(trace_.threads.size());
  next_.resize(trace_.threads.size());
  for (const LocatedCall& located : trace_.stacks.calls) {
    const auto begin = trace_.calls.begin() + trace_.first_call[located.thread],
               end = trace_.calls.begin() + trace_.first_call[located.thread + 1];
    const auto call = std::lower_bound(begin, end, located.start,
                                       [](const HostCall& a, Nanoseconds start) { return a.start < start; });
    if (call == end || call->start != located.start || call->outer != kNoIndex || located.stack == kNoStack) continue;
    times_[located.thread].push_back(
        {{call->start, call->end}, located.stack, static_cast<uint32_t>(call - trace_.calls.begin())});
  }
  for (const LocatedPause& pause : trace_.stacks.pauses)
    if (pause.stack != kNoStack) times_[pause.thread].push_back({pause.time, pause.stack, kNoIndex});
  for (size_t thread = 0; thread < times_.size(); ++thread)
    if (!times_[thread].empty()) lay_out_thread(static_cast<uint16_t>(thread), window_of_step);
}

// Calls are exact: a sample does not cover time before the end of the last call.
void SourceLineTotals::lay_out_thread(uint16_t thread, const std::vector<uint32_t>& window_of_step) {
  std::vector<LocatedTime>& times = times_[thread];
  const bool has_pauses = launches(thread);
  std::erase_if(times, [&](const LocatedTime& located) { return located.call == kNoIndex && !has_pauses; });
  std::stable_sort(times.begin(), times.end(),
                   [](const LocatedTime& a, const LocatedTime& b) { return a.time.start < b.time.start; });
  const auto begin = trace_.calls.begin() + trace_.first_call[thread],
             end = trace_.calls.begin() + trace_.first_call[thread + 1];
  for (size_t i = 0; i < times.size(); ++i) {
    LocatedTime& located = times[i];
    if (located.call != kNoIndex) continue;
    const auto next = std::upper_bound(begin, end, located.time.end - 1,
                                       [](Nanoseconds time, const HostCall& call) { return time < call.start; });
    if (next != begin) {
      const HostCall* outermost = &*(next - 1);
      while (outermost->outer != kNoIndex) outermost = &trace_.calls[outermost->outer];
      located.time.start = std::max(located.time.start, outermost->end);
    }
    const bool is_last =
        i + 1 == times.size() || times[i + 1].call != kNoIndex || (next != end && times[i + 1].time.end > next->start);
    if (is_last && next != end) located.time.end = next->start;
  }
  // A thread does one thing at a time: of calls that overlap without nesting, the first counts.
  Nanoseconds until = INT64_MIN;
  std::erase_if(times, [&](const LocatedTime& located) {
    if (located.time.end <= located.time.start) return true;
    if (located.time.start < until && located.call != kNoIndex) return true;
    until = std::max(until, located.time.end);
    return false;
  });
  for (const LocatedTime& located : times) count(located, window_of_step);
}

void SourceLineTotals::count(const LocatedTime& located, const std::vector<uint32_t>& window_of_step) {
  int32_t step;
  if (located.call != kNoIndex) {
    if (located.time.length() < slow_ns_) return;
    step = trace_.calls[located.call].step;
  } else {
    const auto found = std::upper_bound(trace_.steps.begin(), trace_.steps.end(), located.time.end - 1,
                                        [](Nanoseconds time, const HostStep& a) { return time < a.start; });
    step = static_cast<int32_t>(found - trace_.steps.begin()) - 1;
  }
  if (step < 0 || window_of_step[step] == kNoIndex) return;
  SourceLineTotal* const sum = total(static_cast<int32_t>(window_of_step[step]), located.stack, located.call);
  if (sum == nullptr) return;
  ++sum->count;
  sum->total += located.time.length();
}

SourceLineTotal* SourceLineTotals::total(int32_t window, uint32_t stack, uint32_t call) {
  if (window < 0 || (choice_ && !choice_->has(trace_.steps[windows_[window].host_step].number))) return nullptr;
  const size_t table = std::min<size_t>(window, kLeadingSteps);
  const NameId function = call == kNoIndex ? kNoName : trace_.calls[call].function;
  const auto [row, is_new] =
      rows_[table].try_emplace({source_line_name(stack), function}, timeline_.source_lines[table].size());
  if (is_new) {
    SourceLineTotal made;
    made.source_line = row->first.first;
    if (function != kNoName) made.call = trace_.names[function];
    timeline_.source_lines[table].push_back(std::move(made));
  }
  return &timeline_.source_lines[table][row->second];
}

uint32_t SourceLineTotals::source_line_name(uint32_t stack) {
  uint32_t& known = name_of_stack_[stack];
  if (known != kNoIndex) return known;
  const std::string& line = lines_.of(stack);
  const auto [name, is_new] = names_.try_emplace(line, static_cast<uint32_t>(timeline_.source_line_names.size()));
  if (is_new) timeline_.source_line_names.push_back(line);
  return known = name->second;
}

// Gaps come in the device's order, and so nearly in the order of each thread's time.
void SourceLineTotals::charge(int32_t window, uint16_t thread, Interval time, LedgerRow row) {
  if (window == kNoStep) return;
  visit(thread, time, [&](const LocatedTime& located, Interval part) {
    if (part.is_empty()) return;
    if (SourceLineTotal* sum = total(window, located.stack, located.call))
      sum->charged[static_cast<size_t>(row)] += part.length();
  });
}

const SourceLineTotals::LocatedTime* SourceLineTotals::located_call(uint32_t call) const {
  if (times_.empty() || call == kNoIndex) return nullptr;
  const HostCall& launch = trace_.calls[call];
  const std::vector<LocatedTime>& times = times_[launch.thread];
  const auto located = std::lower_bound(times.begin(), times.end(), launch.start,
                                        [](const LocatedTime& a, Nanoseconds at) { return a.time.start < at; });
  return located == times.end() || located->call != call ? nullptr : &*located;
}

void SourceLineTotals::charge_call(int32_t window, uint32_t call, Nanoseconds length, LedgerRow row) {
  const LocatedTime* const located = window == kNoStep ? nullptr : located_call(call);
  if (located == nullptr) return;
  if (SourceLineTotal* sum = total(window, located->stack, call)) sum->charged[static_cast<size_t>(row)] += length;
}

uint32_t SourceLineTotals::source_line_of_call(uint32_t call) {
  const LocatedTime* const located = located_call(call);
  return located == nullptr ? kNoIndex : source_line_name(located->stack);
}

}  // namespace tauprof
