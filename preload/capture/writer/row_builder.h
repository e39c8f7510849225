// Turns ring units into log rows, on the writer thread.
#pragma once

#include <stdint.h>

#include "capture/base/ticks.h"
#include "capture/rings/hook_info.h"
#include "capture/rings/recorded_call.h"
#include "capture/rings/recorded_unit.h"
#include "capture/rings/ring_pool.h"
#include "capture/rows/step_marker.h"
#include "capture/stacks/stack_rows.h"
#include "log/writer.h"

namespace tauprof::capture {

class RowBuilder {
 public:
  RowBuilder(log::Writer& writer, const TickScale& scale, StackRows& stacks, const char* step_marker)
      : writer_(writer), scale_(scale), stacks_(stacks), step_marker_(step_marker) {}

  // Writes the row of one record from the ring of `thread`.
  void take(const RingPool::Slot& thread, const Unit* record);
  uint64_t records() const { return records_; }
  // The end of the newest record, on the log's clock.
  uint64_t last_end() const { return last_end_; }

  // Of devices that did something, once each. Only after they did, by a call or by their work: then the driver is up,
  // and the query starts nothing. While another profiler listens it waits for a later time.
  void describe_device(uint8_t device);
  void describe_devices(uint64_t devices);  // a bit each

 private:
  struct Extensions {
    const RareFactsUnit* rare = nullptr;
    const ShapeUnit* shape = nullptr;
    const CollectiveUnit* collective = nullptr;
    const PhasesUnit* phases = nullptr;
    const ClockUnit* clock = nullptr;
    uint32_t correlation = 0;  // CUPTI's; 0: a hook saw the call
  };
  struct Times {
    int64_t start, duration;
  };
  static Extensions find_extensions(const Unit* record);
  Times times_of(const UnitHeader& header, const RareFactsUnit* rare) const;
  void take_call(const RingPool::Slot& thread, const UnitHeader& header, const Extensions& extensions, Times times);
  void take_dropped_time(const RingPool::Slot& thread, const UnitHeader& header);
  void take_memory(const RingPool::Slot& thread, const UnitHeader& header, uint64_t address, Times times);
  void take_gemm(const RingPool::Slot& thread, const UnitHeader& header, const Extensions& extensions, Times times);
  void take_collective(const RingPool::Slot& thread, const UnitHeader& header, const Extensions& extensions,
                       Times times);
  void take_phases(const UnitHeader& header, const PhasesUnit& facts);
  void take_range(const RingPool::Slot& thread, const UnitHeader& header, Times times);
  int64_t function_text(uint16_t function);
  int64_t range_text(uint32_t number);

  static constexpr uint32_t kMostFunctions = 1024;
  log::Writer& writer_;
  const TickScale& scale_;
  StackRows& stacks_;
  StepMarker step_marker_;
  uint64_t records_ = 0;
  uint64_t last_end_ = 0;
  bool is_described_[256] = {};  // by device
  uint64_t next_number_ = kFirstCallNumber;
  int64_t function_texts_[kMostFunctions] = {};
};

}  // namespace tauprof::capture
