#include <algorithm>

#include "report/json_sections.h"
#include "report/memory_curve.h"

namespace tauprof {
namespace {

int64_t whole(int64_t bytes) { return bytes; }
int64_t whole(double bytes) { return rounded(bytes); }

template <class T>
Named<int64_t> by_phase(const PerPhase<T>& bytes) {
  Named<int64_t> phases;
  for (size_t phase = 0; phase < kPhaseCount; ++phase) phases.emplace_back(kPhaseNames[phase], whole(bytes[phase]));
  return phases;
}

// Whether any call allocated.
bool is_recorded(const MemoryOfRank& rank) { return rank.peak_bytes > 0; }

std::optional<Named<int64_t>> peak_by_phase(const MemoryOfRank& rank) {
  return when(is_recorded(rank), by_phase(rank.peak_by_phase));
}

const MemoryOfRank& fullest(const MemoryOfRun& memory) {
  return *std::max_element(memory.ranks.begin(), memory.ranks.end(),
                           [](const MemoryOfRank& a, const MemoryOfRank& b) { return a.peak_bytes < b.peak_bytes; });
}

}  // namespace

Fields<MemoryAtStep> fields_of(const MemoryAtStep*) {
  return {"MemoryAtStep",
          "What is in use at the end of a step",
          {
              {"step", &MemoryAtStep::step, "its number"},
              {"bytes", &MemoryAtStep::bytes, "in use"},
          }};
}

Fields<MemoryOfRank> fields_of(const MemoryOfRank*) {
  return {
      "RankMemory",
      "Memory on a rank's device",
      {
          {"rank", &MemoryOfRank::rank, "its number"},
          {"peak_bytes", [](const MemoryOfRank& r) { return when(is_recorded(r), r.peak_bytes); },
           "the most in use; `null` where no call allocated"},
          {"is_lower_bound", &MemoryOfRank::is_lower_bound,
           "memory was freed whose allocation is not recorded, or records are missing"},
          {"by_phase", peak_by_phase, "of the peak, by the phase whose calls allocated it"},
          {"growth_bytes_per_step", rounded(&MemoryOfRank::growth_per_step),
           "over the second half of the analysed steps; `null` for fewer than six"},
          {"growth_by_phase",
           [](const MemoryOfRank& r) { return when(r.growth_per_step.has_value(), by_phase(r.growth_by_phase)); },
           "the same of what each phase allocated, each estimated by itself"},
          {"is_growing", &MemoryOfRank::is_growing, "in most of these steps, and not by little"},
          {"allocations_per_step", [](const MemoryOfRank& r) { return when(is_recorded(r), r.allocations_per_step); },
           "calls in the second half of the analysed steps, of fewer than six in all"},
          {"frees_per_step", [](const MemoryOfRank& r) { return when(is_recorded(r), r.frees_per_step); },
           "the same of calls that free"},
          {"device_bytes", &MemoryOfRank::device_bytes, "the device's memory"},
          {"share_of_device", &MemoryOfRank::share_of_device,
           "what of it was taken at most: the peak, or what PyTorch reserved, if that is more"},
          {"peak_allocated_bytes", &MemoryOfRank::peak_allocated_bytes,
           "what PyTorch's tensors took at most; `null`, as the next three, where it was not asked"},
          {"peak_reserved_bytes", &MemoryOfRank::peak_reserved_bytes, "what its allocator reserved at most"},
          {"unused_share", &MemoryOfRank::unused_share, "what of that held no tensor"},
          {"allocator_retries", &MemoryOfRank::allocator_retries, "how often it freed its cache and tried again"},
          {"in_use", [](const MemoryOfRank& r) { return points_of_curve(r.steps); },
           "at the end of analysed steps: of more than 130, the first, the last, and of 64 equal stretches those with "
           "the least and the most"},
      }};
}

Fields<MemoryOfRun> fields_of(const MemoryOfRun*) {
  return {"Memory",
          "Device memory",
          {
              {"peak_bytes", [](const MemoryOfRun& m) { return when(is_recorded(fullest(m)), fullest(m).peak_bytes); },
               "of the rank with the largest peak"},
              {"by_phase", [](const MemoryOfRun& m) { return peak_by_phase(fullest(m)); }, "of the same rank"},
              {"ranks", [](const MemoryOfRun& m) { return m.ranks; }, "each rank"},
          }};
}

}  // namespace tauprof
