// Device memory of a rank: what was allocated and freed, and how much was in use.
#pragma once

#include <cstdint>
#include <vector>

#include "log/format.h"
#include "model/phase.h"
#include "model/time.h"

namespace tauprof {

// A call that took device memory or gave it back.
struct MemoryEvent {
  Nanoseconds time = 0;
  int64_t address = 0;
  int64_t bytes = 0;  // 0: freed, or not known
  int32_t device = 0;
  uint16_t thread = 0;
  log::MemoryAction action = log::MemoryAction::kUnknown;
};

// Bytes in use, by the phase whose calls allocated them.
using BytesByPhase = PerPhase<int64_t>;

struct StepMemory {
  int64_t number = 0;        // of the step
  BytesByPhase in_use{};     // at its end on the host
  uint64_t allocations = 0;  // calls that allocate, in the step
  uint64_t frees = 0;
};

// "In use" is what was allocated while recording and not freed since. Of a program that had allocated before, that is
// too little, but its growth is right.
struct RankMemory {
  bool is_recorded = false;     // some call allocated
  bool is_lower_bound = false;  // memory was freed whose allocation is not recorded, or records are missing
  int64_t device_bytes = 0;     // that the device has; 0: not known
  int64_t peak_bytes = 0;
  BytesByPhase peak_by_phase{};   // sums to peak_bytes
  std::vector<StepMemory> steps;  // as the rank's
};

}  // namespace tauprof
