// The device work of a log: spans by device and stream, each joined in the end to the call that launched it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/process_trace.h"
#include "read/launch_join.h"
#include "read/possible_times.h"
#include "read/record_block.h"
#include "read/recorded_state.h"

namespace tauprof {

class RecordedSpans {
 public:
  // `expected`: about how many spans the first device will have. Growing an array of millions moves them all.
  RecordedSpans(ProcessTrace& trace, RecordedState& state, size_t expected)
      : trace_(trace), state_(state), expected_(expected) {}

  void take(const RecordBlock& block);

  // Once all blocks are read and the calls have their classes: in a log without device times, the devices are those
  // that calls launched work on, the busiest first.
  void find_devices_of_calls();
  // Once the calls are in order, too. Keeps what `times` finds possible.
  void finish(const LaunchJoin& launches, PossibleTimes& times, bool keeps_order);

 private:
  struct Target {
    int64_t device, context, stream;  // the log's numbers
    size_t device_index;
    uint32_t stream_index;
  };

  struct HashOfShape {
    size_t operator()(const LaunchShape& shape) const {
      size_t hash = 0;
      for (const auto* const dimensions : {&shape.grid, &shape.block})
        for (const int32_t dimension : *dimensions)
          hash = (hash ^ static_cast<uint32_t>(dimension)) * 0x9E3779B97F4A7C15u, hash ^= hash >> 32;
      return hash;
    }
  };

  [[gnu::always_inline]] inline void add(const log::DeviceActivity& row);  // see record_rows.h
  Target find_target(const log::DeviceActivity& row);
  size_t find_device(int64_t number);
  uint32_t find_shape(const LaunchShape& shape);
  void give_devices_to_calls();
  void tell_calls(const DeviceTrace& device);
  void find_default_stream(DeviceTrace& device) const;

  ProcessTrace& trace_;
  RecordedState& state_;
  size_t expected_;
  std::map<int64_t, size_t> devices_;
  std::vector<std::map<std::pair<int64_t, int64_t>, uint32_t>> streams_;  // per device: (context, stream) → index
  std::unordered_map<LaunchShape, uint32_t, HashOfShape> shapes_;         // → index into the trace's
  std::vector<std::vector<uint64_t>> correlations_;                       // per device, beside its spans
  bool are_of_calls_ = false;     // the devices: no work on them has device times
  std::optional<Target> target_;  // of the latest row
};

}  // namespace tauprof
