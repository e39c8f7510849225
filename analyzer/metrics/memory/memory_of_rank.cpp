#include "metrics/memory/memory_of_rank.h"

#include <algorithm>
#include <limits>
#include <map>

namespace tauprof {
namespace {

struct Block {
  int64_t bytes = 0;
  Phase phase = Phase::kOther;
  int32_t device = 0;
};

// The phase of the call on this thread that started then.
Phase phase_at(const ProcessTrace& trace, uint16_t thread, Nanoseconds time) {
  if (static_cast<size_t>(thread) + 1 >= trace.first_call.size()) return Phase::kOther;
  const auto begin = trace.calls.begin() + trace.first_call[thread];
  const auto end = trace.calls.begin() + trace.first_call[thread + 1];
  const auto call =
      std::lower_bound(begin, end, time, [](const HostCall& a, Nanoseconds start) { return a.start < start; });
  return call != end && (*call).start == time ? (*call).phase : Phase::kOther;
}

class MemoryInUse {
 public:
  MemoryInUse(const ProcessTrace& trace, const DeviceTrace& device, RankMemory& memory)
      : trace_(trace), device_(device.device), memory_(memory) {}

  // Whether the event is of this device.
  bool take(const MemoryEvent& event) {
    return event.action == log::MemoryAction::kFree ? free(event) : allocate(event);
  }
  const BytesByPhase& in_use() const { return in_use_; }

 private:
  bool allocate(const MemoryEvent& event) {
    if (event.action != log::MemoryAction::kAllocate) return false;
    const Phase phase = phase_at(trace_, event.thread, event.time);
    give_back(event.address);  // its free was not recorded
    blocks_[event.address] = {event.bytes, phase, event.device};
    if (event.device != device_) return false;
    memory_.is_recorded = true;
    total_ += event.bytes;
    in_use_[static_cast<size_t>(phase)] += event.bytes;
    if (total_ > memory_.peak_bytes) {
      memory_.peak_bytes = total_;
      memory_.peak_by_phase = in_use_;
    }
    return true;
  }

  // The memory's device counts, not the one that was current. One call may unmap several pieces that lie side by side.
  bool free(const MemoryEvent& event) {
    const int64_t end = event.address + std::max<int64_t>(1, event.bytes);
    bool is_known = false, is_here = false;
    for (auto next = blocks_.lower_bound(event.address); next != blocks_.end() && next->first < end; is_known = true)
      is_here |= give_back((next++)->first);
    if (is_known) return is_here;
    memory_.is_lower_bound = true;
    return event.device == device_;
  }

  bool give_back(int64_t address) {
    const auto block = blocks_.find(address);
    if (block == blocks_.end()) return false;
    const bool is_here = block->second.device == device_;
    if (is_here) {
      total_ -= block->second.bytes;
      in_use_[static_cast<size_t>(block->second.phase)] -= block->second.bytes;
    }
    blocks_.erase(block);
    return is_here;
  }

  const ProcessTrace& trace_;
  int32_t device_;
  RankMemory& memory_;
  std::map<int64_t, Block> blocks_;  // by address
  int64_t total_ = 0;
  BytesByPhase in_use_{};
};

}  // namespace

RankMemory memory_of_rank(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<RankStep>& steps) {
  RankMemory memory;
  memory.device_bytes = device.memory_bytes;
  memory.is_lower_bound =
      !trace.quality.gaps.empty() || !trace.quality.dropped.empty() || trace.quality.lost_records > 0;
  MemoryInUse in_use(trace, device, memory);
  for (const RankStep& step : steps) memory.steps.push_back({step.number, {}, 0, 0});
  size_t next = 0;  // step that has not ended
  const auto end_steps = [&](Nanoseconds until) {
    for (; next < steps.size() && steps[next].host.end <= until; ++next) memory.steps[next].in_use = in_use.in_use();
  };
  for (const MemoryEvent& event : trace.memory) {
    end_steps(event.time);
    if (!in_use.take(event) || next == steps.size() || event.time < steps[next].host.start) continue;
    ++(event.action == log::MemoryAction::kFree ? memory.steps[next].frees : memory.steps[next].allocations);
  }
  end_steps(std::numeric_limits<Nanoseconds>::max());
  return memory;
}

}  // namespace tauprof
