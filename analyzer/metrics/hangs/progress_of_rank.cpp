#include "metrics/hangs/progress_of_rank.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "classify/source_lines.h"
#include "metrics/collectives/bandwidth.h"

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

using log::Operation;

constexpr size_t kMostCalls = 16;

bool is_message(const CollectiveCall& call) {
  return call.operation == Operation::kSend || call.operation == Operation::kReceive;
}

// One call, or the messages of one group on one communicator.
struct Unit {
  std::vector<uint32_t> calls;
  int32_t sends = 0;
  int32_t receives = 0;
  bool is_done = false;
  Nanoseconds end = 0;  // on the device; 0: not known
};

// The source lines of calls whose stacks were recorded.
class CallSourceLines {
 public:
  explicit CallSourceLines(const ProcessTrace& trace) : trace_(trace) {}

  std::string of(const HostCall& call) {
    const auto& located = trace_.stacks.calls;
    const auto found =
        std::lower_bound(located.begin(), located.end(), std::pair(call.thread, call.start),
                         [](const LocatedCall& a, const auto& key) { return std::pair(a.thread, a.start) < key; });
    if (found == located.end() || found->thread != call.thread || found->start != call.start) return {};
    if (!lines_) lines_.emplace(trace_);
    return lines_->of(found->stack);
  }

 private:
  const ProcessTrace& trace_;
  std::optional<SourceLines> lines_;
};

class RankProgressSearch {
 public:
  RankProgressSearch(const ProcessTrace& trace, const DeviceTrace& device)
      : trace_(trace), device_(device), source_lines_(trace) {}

  RankProgress run() {
    result_.is_closed = !trace_.quality.is_cut_short;
    result_.has_device_times = !device_.spans.empty();
    result_.has_all_calls = trace_.quality.has_all_calls();
    find_synchronised();
    find_units();
    for (const auto& [key, communicator] : trace_.communicators)
      if (communicator.identity != 0 && device_.has(communicator)) join(communicator);
    for (const Unit& unit : units_) take(unit);
    for (auto& [identity, progress] : communicators_) {
      keep_newest(identity, progress);
      find_source_lines(calls_of_[identity], progress);
      result_.communicators.push_back(std::move(progress));
    }
    for (auto& [key, calls] : message_calls_) result_.message_calls.push_back(std::move(calls));
    find_last_sign();
    find_doing(trace_, result_);
    return std::move(result_);
  }

 private:
  bool is_of_device(const CollectiveCall& call) const {
    const auto known = trace_.communicators.find(call.communicator);
    if (trace_.devices.size() < 2) return true;
    if (known != trace_.communicators.end() && known->second.device >= 0) return device_.has(known->second);
    return call.call == kNoIndex || trace_.calls[call.call].device == device_.device;
  }

  // Up to when the host has waited for each stream (by handle) and for the whole device. Work launched before that has
  // been carried out, even if the device's records have not arrived yet.
  void find_synchronised() {
    for (const HostCall& call : trace_.calls) {
      if (call.call_class != CallClass::kSync) continue;
      const std::string_view name = trace_.names[call.function];
      Nanoseconds* until = nullptr;
      if (name.find("DeviceSynchronize") != std::string_view::npos ||
          name.find("CtxSynchronize") != std::string_view::npos)
        until = &device_synchronised_;
      else if (name.find("StreamSynchronize") != std::string_view::npos)
        until = &synchronised_[call.stream];
      if (until != nullptr) *until = std::max(*until, call.start);
    }
  }

  bool is_waited_for(const CollectiveCall& call) const {
    if (call.call == kNoIndex) return false;
    const Nanoseconds end = trace_.calls[call.call].end;
    const auto stream = synchronised_.find(call.stream);
    return end <= device_synchronised_ || (stream != synchronised_.end() && end <= stream->second);
  }

  void find_units() {
    std::vector<bool> is_done(trace_.collectives.size());
    std::vector<Nanoseconds> ends(trace_.collectives.size());
    std::set<std::pair<int64_t, int64_t>> done_groups;  // a group's calls share kernels, and one call has the span
    for (const DeviceSpan& span : device_.spans) {
      if (span.collective == kNoIndex) continue;
      is_done[span.collective] = true;
      ends[span.collective] = std::max(ends[span.collective], span.end);
      const CollectiveCall& call = trace_.collectives[span.collective];
      if (call.group != 0) done_groups.insert({call.group, call.communicator});
    }
    std::map<std::pair<int64_t, int64_t>, size_t> of_group;  // messages, by (group, communicator)
    for (uint32_t i = 0; i < trace_.collectives.size(); ++i) {
      const CollectiveCall& call = trace_.collectives[i];
      if (!is_of_device(call)) continue;
      size_t at = units_.size();
      if (is_message(call) && call.group != 0)
        at = of_group.try_emplace({call.group, call.communicator}, at).first->second;
      if (at == units_.size()) units_.emplace_back();
      Unit& unit = units_[at];
      unit.calls.push_back(i);
      unit.end = std::max(unit.end, ends[i]);
      unit.sends += call.operation == Operation::kSend;
      unit.receives += call.operation == Operation::kReceive;
      unit.is_done |= is_done[i] || is_waited_for(call) ||
                      (call.group != 0 && done_groups.count({call.group, call.communicator}) > 0);
    }
  }

  // A member counts even if it has never called anything.
  CommunicatorProgress& join(const Communicator& communicator) {
    CommunicatorProgress& progress = communicators_[communicator.identity];
    progress.identity = communicator.identity;
    progress.size = communicator.size;
    progress.rank = communicator.rank;
    progress.name = communicator.name;
    return progress;
  }

  CalledCollective called(const CollectiveCall& call) const {
    CalledCollective called{call.sequence, call.count, 0, call.peer, call.operation, call.datatype, call.group, {}};
    if (call.call != kNoIndex) called.called = trace_.calls[call.call].start;
    return called;
  }

  void take(const Unit& unit) {
    const CollectiveCall& call = trace_.collectives[unit.calls.front()];
    const auto known = trace_.communicators.find(call.communicator);
    if (known == trace_.communicators.end() || known->second.identity == 0 || call.sequence == 0) return;
    const Communicator& communicator = known->second;
    CommunicatorProgress& progress = join(communicator);
    const int32_t others = communicator.size - 1;
    if (is_message(call) && (others < 1 || unit.sends < others || unit.receives < others))
      return take_messages(unit, communicator.identity);
    if (progress.recent.size() == 2 * kMostCalls) keep_newest(communicator.identity, progress);
    progress.entered = std::max(progress.entered, call.sequence);
    if (unit.is_done) progress.completed = std::max(progress.completed, call.sequence);
    if (unit.is_done && is_all_pairs(call.operation) && call.sequence > progress.met) {
      progress.met = call.sequence;
      progress.met_at = unit.end;
      if (unit.end == 0 && call.call != kNoIndex) progress.met_at = trace_.calls[call.call].end;
    }
    progress.recent.push_back(called(call));
    calls_of_[communicator.identity].push_back(call.call);
    if (!is_message(call)) return;
    progress.recent.back().operation = Operation::kAllToAll;
    progress.recent.back().peer = -1;
    progress.recent.back().count = 0;  // parts may differ between ranks
  }

  void take_messages(const Unit& unit, uint64_t identity) {
    for (const uint32_t i : unit.calls) {
      const CollectiveCall& call = trace_.collectives[i];
      MessageCalls& calls = count(identity, call);
      if (unit.is_done || result_.messages.size() == kMostCalls) continue;
      result_.messages.push_back({identity, calls.called, called(call)});
      if (call.call != kNoIndex) result_.messages.back().call.source_line = source_lines_.of(trace_.calls[call.call]);
    }
  }

  MessageCalls& count(uint64_t identity, const CollectiveCall& call) {
    const bool is_send = call.operation == Operation::kSend;
    MessageCalls& calls = message_calls_[{identity, call.peer, is_send}];
    if (calls.called++ == 0) calls.communicator = identity, calls.peer = call.peer, calls.is_send = is_send;
    if (calls.recent.size() == kMostCalls) calls.recent.erase(calls.recent.begin());
    calls.recent.push_back(called(call));
    return calls;
  }

  void keep_newest(uint64_t identity, CommunicatorProgress& progress) {
    std::vector<uint32_t>& calls = calls_of_[identity];
    if (progress.recent.size() <= kMostCalls) return;
    progress.recent.erase(progress.recent.begin(), progress.recent.end() - kMostCalls);
    calls.erase(calls.begin(), calls.end() - kMostCalls);
  }

  void find_source_lines(const std::vector<uint32_t>& calls, CommunicatorProgress& progress) {
    for (size_t i = 0; i < calls.size(); ++i)
      if (calls[i] != kNoIndex) progress.recent[i].source_line = source_lines_.of(trace_.calls[calls[i]]);
  }

  void find_last_sign() {
    Nanoseconds& last = result_.last_sign;
    last = trace_.last_alive;
    for (const HostCall& call : trace_.calls) last = std::max(last, call.end);
    for (const DeviceSpan& span : device_.spans) result_.device_until = std::max(result_.device_until, span.end);
    last = std::max(last, result_.device_until);
    for (const OpenCall& call : trace_.open_calls) last = std::max(last, call.as_of);
  }

  const ProcessTrace& trace_;
  const DeviceTrace& device_;
  CallSourceLines source_lines_;
  RankProgress result_;
  std::map<int64_t, Nanoseconds> synchronised_;
  Nanoseconds device_synchronised_ = INT64_MIN;
  std::vector<Unit> units_;
  std::map<uint64_t, CommunicatorProgress> communicators_;
  std::map<uint64_t, std::vector<uint32_t>> calls_of_;  // by communicator: host calls of its recent collectives
  std::map<std::tuple<uint64_t, int32_t, bool>, MessageCalls> message_calls_;  // by communicator, peer, whether sent
};

}  // namespace

void find_doing(const ProcessTrace& trace, RankProgress& progress) { Doing(trace, progress).find(); }

RankProgress progress_of_rank(const ProcessTrace& trace, const DeviceTrace& device) {
  return RankProgressSearch(trace, device).run();
}

}  // namespace tauprof
