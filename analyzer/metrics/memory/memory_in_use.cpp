#include "metrics/memory/memory_in_use.h"

#include <algorithm>

namespace tauprof {
namespace {

// The phase of the call on this thread that started then.
Phase phase_at(const ProcessTrace& trace, uint16_t thread, Nanoseconds time) {
  if (static_cast<size_t>(thread) + 1 >= trace.first_call.size()) return Phase::kOther;
  const auto begin = trace.calls.begin() + trace.first_call[thread];
  const auto end = trace.calls.begin() + trace.first_call[thread + 1];
  const auto call =
      std::lower_bound(begin, end, time, [](const HostCall& a, Nanoseconds start) { return a.start < start; });
  return call != end && (*call).start == time ? (*call).phase : Phase::kOther;
}

}  // namespace

bool MemoryInUse::allocate(const MemoryEvent& event) {
  if (event.action != log::MemoryAction::kAllocate) return false;
  const Phase phase = phase_at(trace_, event.thread, event.time);
  give_back(event.address);  // its free was not recorded
  blocks_[event.address] = {event.bytes, phase, event.device};
  if (event.device != device_) return false;
  is_recorded_ = true;
  total_ += event.bytes;
  by_phase_[static_cast<size_t>(phase)] += event.bytes;
  return true;
}

// The memory's device counts, not the one that was current. One call may unmap several pieces that lie side by side.
bool MemoryInUse::free(const MemoryEvent& event) {
  const int64_t end = event.address + std::max<int64_t>(1, event.bytes);
  bool is_known = false, is_here = false;
  for (auto next = blocks_.lower_bound(event.address); next != blocks_.end() && next->first < end; is_known = true)
    is_here |= give_back((next++)->first);
  if (is_known) return is_here;
  is_lower_bound_ = true;
  return event.device == device_;
}

bool MemoryInUse::give_back(int64_t address) {
  const auto block = blocks_.find(address);
  if (block == blocks_.end()) return false;
  const bool is_here = block->second.device == device_;
  if (is_here) {
    total_ -= block->second.bytes;
    by_phase_[static_cast<size_t>(block->second.phase)] -= block->second.bytes;
  }
  blocks_.erase(block);
  return is_here;
}

}  // namespace tauprof
