#include "read/recorded_stacks.h"

#include <algorithm>

#include "limits/analysis_limits.h"
#include "read/record_rows.h"

namespace tauprof {

namespace {

template <class Located>
void sort_by_thread(std::vector<Located>& located, Nanoseconds (*start)(const Located&)) {
  std::stable_sort(located.begin(), located.end(), [&](const Located& a, const Located& b) {
    return a.thread != b.thread ? a.thread < b.thread : start(a) < start(b);
  });
}

}  // namespace

void RecordedStacks::take(const RecordBlock& block) {
  for_rows_of<log::Frame, log::Module, log::Stack, log::StackSample, log::OpenCall>(
      block, [this](const auto& row) { add(row); });
}

void RecordedStacks::add(const log::Frame& row) {
  const auto [found, is_new] = frames_.try_emplace(row.frame, static_cast<uint32_t>(trace_.stacks.frames.size()));
  if (is_new) trace_.stacks.frames.emplace_back();
  trace_.stacks.frames[found->second] = {static_cast<log::FrameLanguage>(row.language),
                                         state_.name(row.function),
                                         state_.name(row.file),
                                         static_cast<int32_t>(row.line),
                                         state_.name(row.module),
                                         row.offset};
}

void RecordedStacks::add(const log::Module& row) {
  trace_.stacks.modules.push_back({state_.name(row.module), state_.name(row.build_id)});
}

void RecordedStacks::add(const log::Stack& row) {
  Rows& rows = stacks_[row.stack];
  rows.frames[row.depth] = row.frame;
  if (row.caller != 0) rows.caller = row.caller;
}

void RecordedStacks::add(const log::StackSample& row) {
  ++trace_.quality.events;
  if (row.duration <= 0) return;
  const Nanoseconds time = state_.claims().time(row.time);
  const Nanoseconds start = row.duration <= time - kEarliestTime ? time - row.duration : kEarliestTime;
  trace_.stacks.pauses.push_back({{start, time}, kNoStack, state_.thread(row.thread)});
  stack_of_pause_.push_back(row.stack);
}

void RecordedStacks::add(const log::OpenCall& row) { stack_of_open_call_[state_.thread(row.thread)] = row.stack; }

void RecordedStacks::add_call(uint16_t thread, Nanoseconds start, int64_t stack) {
  trace_.stacks.calls.push_back({start, kNoStack, thread});
  stack_of_call_.push_back(stack);
}

// A caller is built before its callees, so its index is smaller.
uint32_t RecordedStacks::build(int64_t stack, unsigned depth) {
  const auto rows = stacks_.find(stack);
  if (rows == stacks_.end() || depth > kDeepestStack) return kNoStack;
  if (const auto known = built_.find(stack); known != built_.end()) return known->second;
  CodeStack made;
  if (rows->second.caller != 0) made.caller = build(rows->second.caller, depth + 1);
  for (const auto& [at, frame] : rows->second.frames)
    if (const auto known = frames_.find(frame); known != frames_.end()) made.frames.push_back(known->second);
  const auto index = static_cast<uint32_t>(trace_.stacks.stacks.size());
  trace_.stacks.stacks.push_back(std::move(made));
  return built_[stack] = index;
}

void RecordedStacks::finish() {
  CodeStacks& stacks = trace_.stacks;
  for (size_t i = 0; i < stacks.calls.size(); ++i) stacks.calls[i].stack = build(stack_of_call_[i], 0);
  for (size_t i = 0; i < stacks.pauses.size(); ++i) stacks.pauses[i].stack = build(stack_of_pause_[i], 0);
  for (OpenCall& call : trace_.open_calls)
    if (const auto stack = stack_of_open_call_.find(call.thread); stack != stack_of_open_call_.end())
      call.stack = build(stack->second, 0);
  sort_by_thread<LocatedCall>(stacks.calls, [](const LocatedCall& call) { return call.start; });
  sort_by_thread<LocatedPause>(stacks.pauses, [](const LocatedPause& pause) { return pause.time.start; });
}

}  // namespace tauprof
