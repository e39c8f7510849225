// Makes log rows of ring units: the writer thread's side of every record.
#pragma once

#include <stdint.h>

#include "capture/hook_info.h"
#include "capture/rings/recorded_call.h"
#include "capture/rings/recorded_unit.h"
#include "capture/rings/ring_pool.h"
#include "capture/stacks/stack_rows.h"
#include "capture/step_marker.h"
#include "capture/ticks.h"
#include "log/writer.h"

namespace tauprof::capture {

class RowBuilder {
 public:
  RowBuilder(log::Writer& writer, const TickScale& scale, StackRows& stacks, const char* step_marker)
      : writer_(writer), scale_(scale), stacks_(stacks), step_marker_(step_marker) {}

  // One record of the ring of `thread`.
  void take(const RingPool::Slot& thread, const Unit* record);
  uint64_t records() const { return records_; }
  // When the newest record ended, on the log's clock.
  uint64_t last_end() const { return last_end_; }

 private:
  struct Extensions {
    const RestUnit* rest = nullptr;
    const ShapeUnit* shape = nullptr;
    const CollectiveUnit* collective = nullptr;
  };
  struct Times {
    int64_t start, duration;
  };
  static Extensions find_extensions(const Unit* record);
  Times times_of(const UnitHead& head, const RestUnit* rest) const;
  void take_call(const RingPool::Slot& thread, const UnitHead& head, const Extensions& extensions, Times times);
  void take_memory(const RingPool::Slot& thread, const UnitHead& head, uint64_t address, Times times);
  void take_gemm(const RingPool::Slot& thread, const UnitHead& head, const Extensions& extensions, Times times);
  void take_collective(const RingPool::Slot& thread, const UnitHead& head, const Extensions& extensions, Times times);
  void take_range(const RingPool::Slot& thread, const UnitHead& head, Times times);
  int64_t function_text(uint16_t function);
  void describe_device(uint8_t device);
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
