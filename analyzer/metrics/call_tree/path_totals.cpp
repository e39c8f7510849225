#include "metrics/call_tree/path_totals.h"

#include <algorithm>

#include "limits/log_limits.h"
#include "metrics/kernels/kernel_totals.h"
#include "phases/blocked_host.h"
#include "steps/launching_threads.h"

namespace tauprof {

PathTotals::PathTotals(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<StepWindow>& windows,
                       const std::optional<StepRange>& choice, SourceLineTotals& located, RankTimeline& timeline)
    : trace_(trace),
      device_(device),
      windows_(windows),
      choice_(choice),
      located_(located),
      timeline_(timeline),
      paths_(trace, tree_),
      lines_(trace),
      main_thread_(main_thread(trace)),
      node_of_call_(trace.calls.size(), kNoIndex),
      name_of_work_(trace.names.size(), kNoIndex) {
  timeline_.paths.resize(std::min(windows.size(), kLeadingSteps + 1));
  rows_.resize(timeline_.paths.size());
}

bool PathTotals::is_left_out(int32_t window) const {
  return window == kNoStep || (choice_ && !choice_->has(trace_.steps[windows_[window].host_step].number));
}

PathTimes& PathTotals::times_of(int32_t window, uint32_t node) {
  const size_t table = std::min<size_t>(static_cast<size_t>(window), kLeadingSteps);
  std::vector<uint32_t>& rows = rows_[table];
  if (rows.size() <= node) rows.resize(tree_.nodes().size(), kNoIndex);
  if (rows[node] == kNoIndex) {
    rows[node] = static_cast<uint32_t>(timeline_.paths[table].size());
    timeline_.paths[table].push_back({node, {}});
  }
  return timeline_.paths[table][rows[node]].times;
}

// Stacks share their callers, so each adds only its own frames.
uint32_t PathTotals::with_callers(uint32_t node, uint32_t stack) {
  const auto which = [node](uint32_t at) { return uint64_t{node} << 32 | at; };
  std::vector<uint32_t> unknown;
  Lines lines{node, 0};
  for (uint32_t at = stack; at != kNoStack; at = trace_.stacks.stacks[at].caller) {
    if (const auto known = with_callers_.find(which(at)); known != with_callers_.end()) {
      lines = known->second;
      break;
    }
    unknown.push_back(at);
  }
  for (size_t i = unknown.size(); i-- > 0;) {
    for (const std::string& line : lines_.own(unknown[i]))
      if (lines.count < kDeepestStack)
        lines = {tree_.child(lines.node, PathKind::kLine, tree_.name(line)), lines.count + 1};
    with_callers_[which(unknown[i])] = lines;
  }
  return lines.node;
}

// Where no frame is in the user's code, the line that the stack stands for.
uint32_t PathTotals::with_lines(uint32_t node, uint32_t stack) {
  const uint32_t inside = with_callers(node, stack);
  if (inside != node || stack == kNoStack || lines_.of(stack).empty()) return inside;
  return tree_.child(node, PathKind::kLine, tree_.name(lines_.of(stack)));
}

uint32_t PathTotals::node_of_call(uint32_t call) {
  uint32_t& known = node_of_call_[call];
  if (known != kNoIndex) return known;
  uint32_t outermost = call;
  while (trace_.calls[outermost].outer != kNoIndex) outermost = trace_.calls[outermost].outer;
  const SourceLineTotals::LocatedTime* const located = located_.located_call(outermost);
  const uint32_t node = paths_.at(trace_.calls[call].thread, trace_.calls[call].start);
  return known = with_lines(node, located == nullptr ? kNoStack : located->stack);
}

uint32_t PathTotals::node_of_span(uint32_t span) {
  const DeviceSpan& work = device_.spans[span];
  const uint32_t around = work.call == kNoIndex ? 0 : node_of_call(work.call);
  const bool is_named = !trace_.names[work.name].empty();
  uint32_t name = is_named ? name_of_work_[work.name] : kNoIndex;
  if (name == kNoIndex) name = tree_.name(name_of_work(work, trace_.names));
  if (is_named) name_of_work_[work.name] = name;
  return tree_.child(around, PathKind::kKernel, name);
}

void PathTotals::launched(int32_t window, uint32_t span) {
  if (is_left_out(window)) return;
  PathTimes& times = times_of(window, node_of_span(span));
  ++times.launched;
  times.device += device_.spans[span].end - device_.spans[span].start;
}

void PathTotals::exposed(int32_t window, uint32_t span, Nanoseconds length) {
  if (!is_left_out(window)) times_of(window, node_of_span(span)).exposed += length;
}

template <class Visit>
void PathTotals::by_path(uint16_t thread, Interval time, Visit&& visit) {
  paths_.visit(thread, time, [&](uint32_t node, Interval part) {
    Nanoseconds left = part.length();
    located_.visit(thread, part, [&](const SourceLineTotals::LocatedTime& located, Interval covered) {
      if (covered.is_empty()) return;
      visit(with_lines(node, located.stack), covered.length());
      left -= covered.length();
    });
    if (left > 0) visit(node, left);
  });
}

void PathTotals::idle(int32_t window, Interval time, LedgerRow row, uint32_t launch) {
  if (is_left_out(window)) return;
  if (is_of_device(row) && launch != kNoIndex) {
    times_of(window, node_of_call(launch)).idle += time.length();
    return;
  }
  const uint16_t thread = launch == kNoIndex ? main_thread_ : trace_.calls[launch].thread;
  by_path(thread, time, [&](uint32_t node, Nanoseconds length) { times_of(window, node).idle += length; });
}

void PathTotals::add_host_time(int32_t window, Interval host) {
  for (uint16_t thread = 0; thread < trace_.threads.size(); ++thread)
    paths_.visit(thread, host, [&](uint32_t around, Interval part) {
      if (thread != main_thread_ && around == paths_.base(thread)) return;
      by_path(thread, part, [&](uint32_t node, Nanoseconds length) { times_of(window, node).host += length; });
    });
}

void PathTotals::add_blocked_calls() {
  const BlockedHost blocked(trace_);
  std::vector<int32_t> window_of_step(trace_.steps.size(), kNoStep);
  for (size_t window = 0; window < windows_.size(); ++window)
    window_of_step[windows_[window].host_step] = static_cast<int32_t>(window);
  for (uint32_t i = 0; i < trace_.calls.size(); ++i) {
    const HostCall& call = trace_.calls[i];
    if (call.outer != kNoIndex || call.step == kNoStep || is_left_out(window_of_step[call.step])) continue;
    const Nanoseconds end = std::min(call.end, trace_.steps[call.step].end);
    if (const Nanoseconds length = blocked.within(call, call.start, end); length > 0)
      times_of(window_of_step[call.step], node_of_call(i)).blocked += length;
  }
}

void PathTotals::finish() {
  for (size_t window = 0; window < windows_.size(); ++window) {
    const HostStep& step = trace_.steps[windows_[window].host_step];
    if (!is_left_out(static_cast<int32_t>(window))) add_host_time(static_cast<int32_t>(window), {step.start, step.end});
  }
  add_blocked_calls();
  timeline_.path_nodes = tree_.take_nodes();
  timeline_.path_names = tree_.take_names();
}

}  // namespace tauprof
