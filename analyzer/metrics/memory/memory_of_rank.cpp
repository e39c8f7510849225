#include "metrics/memory/memory_of_rank.h"

#include <limits>

#include "metrics/memory/memory_in_use.h"

namespace tauprof {

RankMemory memory_of_rank(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<RankStep>& steps) {
  RankMemory memory;
  memory.device_bytes = device.memory_bytes;
  memory.is_lower_bound = !trace.quality.has_all_calls();
  MemoryInUse in_use(trace, device);
  for (const RankStep& step : steps) memory.steps.push_back({step.number, {}, 0, 0});
  size_t next = 0;  // step that has not ended
  const auto end_steps = [&](Nanoseconds until) {
    for (; next < steps.size() && steps[next].host.end <= until; ++next) memory.steps[next].in_use = in_use.by_phase();
  };
  for (const MemoryEvent& event : trace.memory) {
    end_steps(event.time);
    const bool is_here = in_use.take(event);
    if (in_use.total() > memory.peak_bytes) {
      memory.peak_bytes = in_use.total();
      memory.peak_by_phase = in_use.by_phase();
    }
    if (!is_here || next == steps.size() || event.time < steps[next].host.start) continue;
    ++(event.action == log::MemoryAction::kFree ? memory.steps[next].frees : memory.steps[next].allocations);
  }
  end_steps(std::numeric_limits<Nanoseconds>::max());
  memory.is_recorded = in_use.is_recorded();
  memory.is_lower_bound |= in_use.is_lower_bound();
  return memory;
}

}  // namespace tauprof
