#include "read/recorded_stacks.h"

#include <algorithm>

namespace tauprof {

using log::RecordKind;

namespace {

// What a damaged log could send a reader in circles with.
constexpr unsigned kDeepest = 4096;

template <class Placed>
void sort_by_thread(std::vector<Placed>& placed, Nanoseconds (*start)(const Placed&)) {
  std::stable_sort(placed.begin(), placed.end(), [&](const Placed& a, const Placed& b) {
    return a.thread != b.thread ? a.thread < b.thread : start(a) < start(b);
  });
}

}  // namespace

bool RecordedStacks::take(const RecordBlock& block) {
  switch (block.kind()) {
    case RecordKind::kFrame:
      return take_frames(block), true;
    case RecordKind::kModule:
      return take_modules(block), true;
    case RecordKind::kStack:
      return take_stacks(block), true;
    case RecordKind::kStackSample:
      return take_samples(block), true;
    default:
      return false;
  }
}

void RecordedStacks::take_frames(const RecordBlock& block) {
  using R = log::Frame;
  const Column number = block.column(&R::frame), language = block.column(&R::language),
               function = block.column(&R::function), file = block.column(&R::file), line = block.column(&R::line),
               module = block.column(&R::module), offset = block.column(&R::offset);
  for (uint32_t row = 0; row < block.records(); ++row) {
    const auto [found, is_new] = frames_.try_emplace(number[row], static_cast<uint32_t>(trace_.stacks.frames.size()));
    if (is_new) trace_.stacks.frames.emplace_back();
    trace_.stacks.frames[found->second] = {static_cast<log::FrameLanguage>(language[row]),
                                           state_.name(function[row]),
                                           state_.name(file[row]),
                                           static_cast<int32_t>(line[row]),
                                           state_.name(module[row]),
                                           offset[row]};
  }
}

void RecordedStacks::take_modules(const RecordBlock& block) {
  const Column path = block.column(&log::Module::module), build_id = block.column(&log::Module::build_id);
  for (uint32_t row = 0; row < block.records(); ++row)
    trace_.stacks.modules.push_back({state_.name(path[row]), state_.name(build_id[row])});
}

void RecordedStacks::take_stacks(const RecordBlock& block) {
  using R = log::Stack;
  const Column number = block.column(&R::stack), depth = block.column(&R::depth), frame = block.column(&R::frame),
               caller = block.column(&R::caller);
  for (uint32_t row = 0; row < block.records(); ++row) {
    Rows& rows = stacks_[number[row]];
    rows.frames[depth[row]] = frame[row];
    if (caller[row] != 0) rows.caller = caller[row];
  }
}

void RecordedStacks::take_samples(const RecordBlock& block) {
  using R = log::StackSample;
  const Column time = block.column(&R::time), thread = block.column(&R::thread), stack = block.column(&R::stack),
               duration = block.column(&R::duration);
  for (uint32_t row = 0; row < block.records(); ++row) {
    if (duration[row] <= 0) continue;
    trace_.stacks.pauses.push_back({{time[row] - duration[row], time[row]}, kNoStack, state_.thread(thread[row])});
    stack_of_pause_.push_back(stack[row]);
  }
  trace_.quality.events += block.records();
}

void RecordedStacks::place_call(uint16_t thread, Nanoseconds start, int64_t stack) {
  trace_.stacks.calls.push_back({start, kNoStack, thread});
  stack_of_call_.push_back(stack);
}

void RecordedStacks::place_open_calls(const RecordBlock& block) {
  const Column thread = block.column(&log::OpenCall::thread), stack = block.column(&log::OpenCall::stack);
  for (uint32_t row = 0; row < block.records(); ++row) stack_of_open_call_[state_.thread(thread[row])] = stack[row];
}

// Callers first, so that a stack's caller has the smaller index.
uint32_t RecordedStacks::build(int64_t stack, unsigned depth) {
  const auto rows = stacks_.find(stack);
  if (rows == stacks_.end() || depth > kDeepest) return kNoStack;
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
    if (const auto placed = stack_of_open_call_.find(call.thread); placed != stack_of_open_call_.end())
      call.stack = build(placed->second, 0);
  sort_by_thread<PlacedCall>(stacks.calls, [](const PlacedCall& call) { return call.start; });
  sort_by_thread<PlacedPause>(stacks.pauses, [](const PlacedPause& pause) { return pause.time.start; });
}

}  // namespace tauprof
