#include "steps/training_threads.h"

#include <algorithm>
#include <map>
#include <set>

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

// The launches of graphs outside of all passes.
std::vector<FrameworkMark> graph_launches(const ProcessTrace& trace, const CaptureTimes& captures) {
  std::vector<bool> is_launch;
  for (NameId name = 0; name < trace.names.size(); ++name) is_launch.push_back(launches_graph(trace.names[name]));
  const MarkedTimes passes(trace, {MarkKind::kForward, MarkKind::kBackward, MarkKind::kUpdate});
  std::vector<FrameworkMark> launches;
  for (const HostCall& call : trace.calls) {
    if (call.outer != kNoIndex || !is_launch[call.function]) continue;
    if (!captures.has(call.start) && !passes.has(call.thread, call.start))
      launches.push_back({call.start, call.end, 0, call.thread, MarkKind::kUpdate});
  }
  return launches;
}

}  // namespace

bool is_marked(const ProcessTrace& trace) {
  return std::any_of(trace.marks.begin(), trace.marks.end(),
                     [](const FrameworkMark& mark) { return is_pass(mark.kind); });
}

MarkedTimes::MarkedTimes(const ProcessTrace& trace, std::initializer_list<MarkKind> kinds) {
  for (const FrameworkMark& mark : trace.marks) {
    if (std::find(kinds.begin(), kinds.end(), mark.kind) == kinds.end()) continue;
    std::vector<Interval>& own = outermost_[mark.thread];
    if (own.empty() || mark.start >= own.back().end) own.push_back({mark.start, mark.end});
  }
}

Nanoseconds MarkedTimes::start(uint16_t thread, Nanoseconds time) const {
  const auto own = outermost_.find(thread);
  if (own == outermost_.end()) return kNever;
  const auto after = std::upper_bound(own->second.begin(), own->second.end(), time,
                                      [](Nanoseconds at, const Interval& mark) { return at < mark.start; });
  return after != own->second.begin() && time < std::prev(after)->end ? std::prev(after)->start : kNever;
}

uint16_t MarkedTimes::thread_at(Nanoseconds time) const {
  uint16_t found = kNoThread;
  Nanoseconds latest = kNever;
  for (const auto& [thread, marks] : outermost_)
    if (const Nanoseconds started = start(thread, time); started > latest) {
      latest = started;
      found = thread;
    }
  return found;
}

std::vector<TrainingThread> training_threads(const ProcessTrace& trace, const CaptureTimes& captures) {
  const MarkedTimes backward(trace, {MarkKind::kBackward});
  std::map<uint16_t, TrainingThread> threads;
  std::set<uint64_t> captured;  // optimizers
  for (const FrameworkMark& mark : trace.marks) {
    if (mark.kind == MarkKind::kOptimizer) continue;
    if (captures.has(mark.start)) {
      if (mark.kind == MarkKind::kUpdate) captured.insert(mark.optimizer);
      continue;
    }
    FrameworkMark own = mark;
    if (is_autograd_thread(trace.names[trace.threads[mark.thread].name])) {
      if (mark.kind != MarkKind::kUpdate) continue;
      own.thread = backward.thread_at(mark.start);
      if (own.thread == MarkedTimes::kNoThread) continue;
    }
    threads[own.thread].marks.push_back(own);
  }
  if (!captured.empty())
    for (const FrameworkMark& launch : graph_launches(trace, captures))
      for (const uint64_t optimizer : captured) {
        threads[launch.thread].marks.push_back(launch);
        threads[launch.thread].marks.back().optimizer = optimizer;
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
