#include "report/memory_json.h"

#include <algorithm>
#include <cmath>

namespace tauprof {
namespace {

template <class Value, class Render>
Json by_phase(const PerPhase<Value>& values, Render&& render) {
  Json result = Json::object();
  for (size_t phase = 0; phase < kPhaseCount; ++phase) result[std::string(kPhaseNames[phase])] = render(values[phase]);
  return result;
}

Json rounded(double bytes) { return std::llround(bytes); }
Json whole(int64_t bytes) { return bytes; }

Json rank_json(const MemoryOfRank& memory) {
  const bool is_recorded = memory.peak_bytes > 0;
  Json steps = Json::array();
  for (const MemoryAtStep& step : memory.steps) steps.push_back({{"step", step.step}, {"bytes", step.bytes}});
  return {{"rank", memory.rank},
          {"peak_bytes", is_recorded ? Json(memory.peak_bytes) : Json(nullptr)},
          {"is_lower_bound", memory.is_lower_bound},
          {"by_phase", is_recorded ? by_phase(memory.peak_by_phase, whole) : Json(nullptr)},
          {"growth_bytes_per_step", memory.growth_per_step ? rounded(*memory.growth_per_step) : Json(nullptr)},
          {"growth_by_phase", memory.growth_per_step ? by_phase(memory.growth_by_phase, rounded) : Json(nullptr)},
          {"is_growing", memory.is_growing},
          {"allocations_per_step", is_recorded ? Json(memory.allocations_per_step) : Json(nullptr)},
          {"frees_per_step", is_recorded ? Json(memory.frees_per_step) : Json(nullptr)},
          {"device_bytes", or_null(memory.device_bytes)},
          {"share_of_device", or_null(memory.share_of_device())},
          {"peak_allocated_bytes", or_null(memory.peak_allocated_bytes)},
          {"peak_reserved_bytes", or_null(memory.peak_reserved_bytes)},
          {"unused_share", or_null(memory.unused_share())},
          {"allocator_retries", or_null(memory.allocator_retries)},
          {"in_use", steps}};
}

}  // namespace

Json memory_json(const RunMetrics& metrics) {
  if (metrics.memory.empty()) return nullptr;
  const auto fullest =
      std::max_element(metrics.memory.begin(), metrics.memory.end(),
                       [](const MemoryOfRank& a, const MemoryOfRank& b) { return a.peak_bytes < b.peak_bytes; });
  Json ranks = Json::array();
  for (const MemoryOfRank& memory : metrics.memory) ranks.push_back(rank_json(memory));
  const bool is_recorded = fullest->peak_bytes > 0;
  return {{"peak_bytes", is_recorded ? Json(fullest->peak_bytes) : Json(nullptr)},
          {"by_phase", is_recorded ? by_phase(fullest->peak_by_phase, whole) : Json(nullptr)},
          {"ranks", ranks}};
}

}  // namespace tauprof
