#include "steps/training_threads.h"

#include <algorithm>
#include <array>
#include <map>
#include <queue>
#include <set>
#include <tuple>

#include "steps/launching_threads.h"

namespace tauprof {
namespace {

bool launches_graph(std::string_view function) { return function.find("GraphLaunch") != std::string_view::npos; }

bool is_pass(MarkKind kind) {
  return kind == MarkKind::kForward || kind == MarkKind::kBackward || kind == MarkKind::kUpdate;
}

void sort(std::vector<FrameworkMark>& marks) {
  std::stable_sort(marks.begin(), marks.end(), [](const FrameworkMark& a, const FrameworkMark& b) {
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  });
}

// Outermost marks of some kinds, of each thread.
template <class IsWanted>
std::vector<FrameworkMark> outermost(const ProcessTrace& trace, IsWanted is_wanted) {
  std::vector<FrameworkMark> found;
  for (const FrameworkMark& mark : trace.marks) {
    const bool is_inside = !found.empty() && found.back().thread == mark.thread && mark.start < found.back().end;
    if (is_wanted(mark.kind) && !is_inside) found.push_back(mark);
  }
  return found;
}

// The launches of graphs outside of all passes.
std::vector<FrameworkMark> graph_launches(const ProcessTrace& trace, const CaptureTimes& captures) {
  std::vector<bool> is_launch;
  for (NameId name = 0; name < trace.names.size(); ++name) is_launch.push_back(launches_graph(trace.names[name]));
  const std::vector<FrameworkMark> passes = outermost(trace, is_pass);
  auto pass = passes.begin();
  std::vector<FrameworkMark> launches;
  for (const HostCall& call : trace.calls) {
    if (call.outer != kNoIndex || !is_launch[call.function] || captures.has(call.start)) continue;
    while (pass != passes.end() && std::tie(pass->thread, pass->end) <= std::tie(call.thread, call.start)) ++pass;
    const bool is_inside = pass != passes.end() && pass->thread == call.thread && pass->start <= call.start;
    if (!is_inside) launches.push_back({call.start, call.end, 0, call.thread, MarkKind::kUpdate});
  }
  return launches;
}

// Gives updates on autograd's threads to the thread that waits in a backward pass: of several, in the latest one.
void give_to_askers(const ProcessTrace& trace, std::vector<FrameworkMark>& updates) {
  std::vector<FrameworkMark> passes = outermost(trace, [](MarkKind kind) { return kind == MarkKind::kBackward; });
  sort(passes);
  sort(updates);
  std::priority_queue<size_t> open;
  size_t next = 0;
  for (FrameworkMark& update : updates) {
    for (; next < passes.size() && passes[next].start <= update.start; ++next) open.push(next);
    while (!open.empty() && passes[open.top()].end <= update.start) open.pop();
    if (!open.empty()) update.thread = passes[open.top()].thread;
  }
}

}  // namespace

bool is_marked(const ProcessTrace& trace) {
  return std::any_of(trace.marks.begin(), trace.marks.end(),
                     [](const FrameworkMark& mark) { return is_pass(mark.kind); });
}

std::vector<TrainingThread> training_threads(const ProcessTrace& trace, const CaptureTimes& captures) {
  std::map<uint16_t, TrainingThread> threads;
  std::set<uint64_t> captured;  // optimizers
  std::vector<FrameworkMark> in_backward;
  for (const FrameworkMark& mark : trace.marks) {
    if (mark.kind == MarkKind::kOptimizer) continue;
    const bool is_update = mark.kind == MarkKind::kUpdate;
    const bool is_captured = captures.has(mark.start);
    if (is_captured && is_update) captured.insert(mark.optimizer);
    if (is_captured) continue;
    if (!is_autograd_thread(trace.names[trace.threads[mark.thread].name]))
      threads[mark.thread].marks.push_back(mark);
    else if (is_update)
      in_backward.push_back(mark);
  }
  give_to_askers(trace, in_backward);
  for (const FrameworkMark& update : in_backward) threads[update.thread].marks.push_back(update);
  if (!captured.empty())
    for (FrameworkMark launch : graph_launches(trace, captures)) {
      launch.optimizer = captured.size() == 1 ? *captured.begin() : kOfGraphs;
      threads[launch.thread].marks.push_back(launch);
    }
  std::vector<TrainingThread> result;
  for (auto& [number, thread] : threads) {
    thread.thread = number;
    sort(thread.marks);
    for (const FrameworkMark& mark : thread.marks) {
      thread.updates |= mark.kind == MarkKind::kUpdate;
      thread.has_passes |= mark.kind == MarkKind::kBackward;
    }
    result.push_back(std::move(thread));
  }
  return result;
}

uint16_t main_training_thread(const ProcessTrace& trace) {
  // Updates count most; where there are none, backward passes, then forward passes.
  constexpr size_t kLevels = 3;
  std::vector<std::array<size_t, kLevels>> counts(trace.threads.size());
  for (const FrameworkMark& mark : trace.marks) {
    if (!is_pass(mark.kind) || is_autograd_thread(trace.names[trace.threads[mark.thread].name])) continue;
    ++counts[mark.thread][mark.kind == MarkKind::kUpdate ? 0 : mark.kind == MarkKind::kBackward ? 1 : 2];
  }
  if (counts.empty()) return 0;
  return static_cast<uint16_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

}  // namespace tauprof
