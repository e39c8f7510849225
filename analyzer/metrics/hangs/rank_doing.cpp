#include "metrics/hangs/rank_doing.h"

#include <algorithm>

#include "classify/source_lines.h"

namespace tauprof {
namespace {

class Doing {
 public:
  Doing(const ProcessTrace& trace, RankProgress& progress) : trace_(trace), progress_(progress) {
    launches_.resize(trace.threads.size());
    for (const HostCall& call : trace.calls)
      if (launches_work(call.call_class)) launches_[call.thread] = true;
  }

  void find() {
    uint16_t thread = 0;
    const OpenCall* const open = longest_open();
    const HostCall* const last = last_call(open);
    if (open != nullptr) {
      thread = open->thread;
      progress_.call = trace_.names[open->function];
      progress_.is_in_call = true;
      progress_.since = open->start;
      set_source_line(open->stack);
    } else if (last != nullptr) {
      thread = last->thread;
      progress_.call = trace_.names[last->function];
      progress_.since = last->end;
      set_source_line(last_sample(*last));
    }
    if (last != nullptr) progress_.phase = last->phase;
    if (thread < trace_.threads.size()) progress_.thread = trace_.names[trace_.threads[thread].name];
    for (const HostStep& step : trace_.steps)
      if (step.start <= progress_.since) progress_.step = step.number;
  }

 private:
  bool launches(uint16_t thread) const { return thread < launches_.size() && launches_[thread]; }

  const OpenCall* longest_open() const {
    const OpenCall* longest = nullptr;
    for (const OpenCall& open : trace_.open_calls) {
      const bool is_better = longest == nullptr || (launches(open.thread) && !launches(longest->thread)) ||
                             (launches(open.thread) == launches(longest->thread) && open.start < longest->start);
      if (is_better) longest = &open;
    }
    return longest != nullptr && is_left_behind(*longest) ? nullptr : longest;
  }

  // A thread that launches nothing may stay in a call for as long as it likes while launching threads go on.
  bool is_left_behind(const OpenCall& open) const {
    return !launches(open.thread) && std::any_of(trace_.calls.begin(), trace_.calls.end(), [&](const HostCall& call) {
      return launches(call.thread) && call.end > open.start;
    });
  }

  const HostCall* last_call(const OpenCall* open) const {
    const HostCall* last = nullptr;
    for (const HostCall& call : trace_.calls) {
      if (open != nullptr && call.thread != open->thread) continue;
      const bool is_better = last == nullptr || (launches(call.thread) && !launches(last->thread)) ||
                             (launches(call.thread) == launches(last->thread) && call.end > last->end);
      if (is_better) last = &call;
    }
    return last;
  }

  // The stack of the last sample taken of the call's thread after the call.
  uint32_t last_sample(const HostCall& call) const {
    uint32_t stack = kNoStack;
    for (const LocatedPause& pause : trace_.stacks.pauses)
      if (pause.thread == call.thread && pause.time.end > call.end) stack = pause.stack;
    return stack;
  }

  void set_source_line(uint32_t stack) {
    if (stack != kNoStack) progress_.source_line = SourceLines(trace_).of(stack);
  }

  const ProcessTrace& trace_;
  RankProgress& progress_;
  std::vector<bool> launches_;  // by thread
};

}  // namespace

void find_doing(const ProcessTrace& trace, RankProgress& progress) { Doing(trace, progress).find(); }

}  // namespace tauprof
