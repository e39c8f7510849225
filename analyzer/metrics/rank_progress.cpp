#include "metrics/rank_progress.h"

#include <algorithm>
#include <map>
#include <set>

#include "classify/code_places.h"

namespace tauprof {
namespace {

using log::Operation;

constexpr size_t kMostCalls = 16;

bool is_message(const CollectiveCall& call) {
  return call.operation == Operation::kSend || call.operation == Operation::kReceive;
}

// A call, or the messages of one group on one communicator.
struct Unit {
  uint32_t first = 0;  // its first call
  int32_t sends = 0;
  int32_t receives = 0;
  bool is_done = false;
};

class Progress {
 public:
  Progress(const ProcessTrace& trace, const DeviceTrace& device) : trace_(trace), device_(device) {}

  RankProgress run() {
    result_.is_closed = !trace_.quality.is_cut_short;
    find_synchronised();
    find_units();
    for (const Unit& unit : units_) take(unit);
    for (auto& [identity, progress] : communicators_) {
      auto& recent = progress.recent;
      if (recent.size() > kMostCalls) recent.erase(recent.begin(), recent.end() - kMostCalls);
      result_.communicators.push_back(std::move(progress));
    }
    if (result_.messages.size() > kMostCalls) result_.messages.resize(kMostCalls);
    find_last_sign();
    find_doing();
    return std::move(result_);
  }

 private:
  bool is_of_device(const CollectiveCall& call) const {
    if (trace_.devices.size() < 2) return true;
    return call.call == kNoIndex || trace_.calls[call.call].device == device_.device;
  }

  // Until when each stream, by handle, and the whole device were waited for: what was launched before has been carried
  // out, also where the device's own records have not come yet.
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
    std::set<std::pair<int64_t, int64_t>> done_groups;  // their calls share kernels: one of them carries the span
    for (const DeviceSpan& span : device_.spans) {
      if (span.collective == kNoIndex) continue;
      is_done[span.collective] = true;
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
      if (at == units_.size()) units_.push_back({i});
      Unit& unit = units_[at];
      unit.sends += call.operation == Operation::kSend;
      unit.receives += call.operation == Operation::kReceive;
      unit.is_done |= is_done[i] || is_waited_for(call) ||
                      (call.group != 0 && done_groups.count({call.group, call.communicator}) > 0);
    }
  }

  void take(const Unit& unit) {
    const CollectiveCall& call = trace_.collectives[unit.first];
    const auto known = trace_.communicators.find(call.communicator);
    if (known == trace_.communicators.end() || known->second.identity == 0 || call.sequence == 0) return;
    const Communicator& communicator = known->second;
    CalledCollective called{call.sequence, call.count, 0, call.peer, call.operation, call.datatype};
    if (call.call != kNoIndex) called.called = trace_.calls[call.call].start;
    const int32_t others = communicator.size - 1;
    if (is_message(call) && (others < 1 || unit.sends < others || unit.receives < others)) {
      if (!unit.is_done) result_.messages.push_back(called);
      return;
    }
    if (is_message(call)) called.operation = Operation::kAllToAll, called.peer = -1;
    CommunicatorProgress& progress = communicators_[communicator.identity];
    progress.identity = communicator.identity;
    progress.size = communicator.size;
    progress.rank = communicator.rank;
    progress.name = communicator.name;
    progress.entered = std::max(progress.entered, call.sequence);
    if (unit.is_done) progress.completed = std::max(progress.completed, call.sequence);
    progress.recent.push_back(called);
  }

  void find_last_sign() {
    Nanoseconds& last = result_.last_sign;
    last = trace_.last_alive;
    for (const HostCall& call : trace_.calls) last = std::max(last, call.end);
    for (const DeviceSpan& span : device_.spans) last = std::max(last, span.end);
    for (const OpenCall& call : trace_.open_calls) last = std::max(last, call.as_of);
  }

  void find_doing() {
    uint16_t thread = 0;
    const auto longest = std::min_element(trace_.open_calls.begin(), trace_.open_calls.end(),
                                          [](const OpenCall& a, const OpenCall& b) { return a.start < b.start; });
    if (longest != trace_.open_calls.end()) {
      thread = longest->thread;
      result_.call = trace_.names[longest->function];
      result_.is_in_call = true;
      result_.since = longest->start;
      if (longest->stack != kNoStack) result_.place = code_places(trace_)[longest->stack];
    }
    const HostCall* last = nullptr;
    for (const HostCall& call : trace_.calls)
      if ((!result_.is_in_call || call.thread == thread) && (last == nullptr || call.end > last->end)) last = &call;
    if (last != nullptr) {
      result_.phase = last->phase;
      if (!result_.is_in_call) {
        thread = last->thread;
        result_.call = trace_.names[last->function];
        result_.since = last->end;
      }
    }
    if (thread < trace_.threads.size()) result_.thread = trace_.names[trace_.threads[thread].name];
    for (const HostStep& step : trace_.steps)
      if (step.start <= result_.since) result_.step = step.number;
  }

  const ProcessTrace& trace_;
  const DeviceTrace& device_;
  RankProgress result_;
  std::map<int64_t, Nanoseconds> synchronised_;
  Nanoseconds device_synchronised_ = INT64_MIN;
  std::vector<Unit> units_;
  std::map<uint64_t, CommunicatorProgress> communicators_;
};

}  // namespace

RankProgress rank_progress(const ProcessTrace& trace, const DeviceTrace& device) {
  return Progress(trace, device).run();
}

}  // namespace tauprof
