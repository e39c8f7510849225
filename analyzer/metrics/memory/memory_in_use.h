// How many bytes of a device are in use, event by event.
#pragma once

#include <cstdint>
#include <map>

#include "model/process_trace.h"
#include "model/rank_memory.h"

namespace tauprof {

class MemoryInUse {
 public:
  // Refers to the trace.
  MemoryInUse(const ProcessTrace& trace, const DeviceTrace& device) : trace_(trace), device_(device.device) {}

  // Events come by time. Whether this one is of the device.
  bool take(const MemoryEvent& event) {
    return event.action == log::MemoryAction::kFree ? free(event) : allocate(event);
  }

  int64_t total() const { return total_; }
  const BytesByPhase& by_phase() const { return by_phase_; }
  bool is_recorded() const { return is_recorded_; }        // any allocation on the device
  bool is_lower_bound() const { return is_lower_bound_; }  // something was freed whose allocation is not known

 private:
  struct Block {
    int64_t bytes = 0;
    Phase phase = Phase::kOther;
    int32_t device = 0;
  };
  bool allocate(const MemoryEvent& event);
  bool free(const MemoryEvent& event);
  bool give_back(int64_t address);

  const ProcessTrace& trace_;
  int32_t device_;
  std::map<int64_t, Block> blocks_;  // by address
  int64_t total_ = 0;
  BytesByPhase by_phase_{};
  bool is_recorded_ = false;
  bool is_lower_bound_ = false;
};

}  // namespace tauprof
