// State of the streams of a process's devices at each moment of the host's order: the work launched last, and the work
// that the next launch has to wait for.
//
// Handles say which stream a call is about. Without them (imported traces) waits are inferred (inferred_waits.h).
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "metrics/ledger/stream_holds.h"
#include "model/process_trace.h"
#include "model/stream_handles.h"

namespace tauprof {

class StreamState {
 public:
  // `nodes[device][span]`: the operation of each span; kNoIndex: none.
  StreamState(const ProcessTrace& trace, const std::vector<std::vector<uint32_t>>& nodes);

  // To be called in the host's order. Of a launch: adds to `held` what the span waits for besides its stream's order.
  struct Held {
    uint32_t operation;
    uint32_t awaited;
  };
  void take_call(uint32_t call);
  void take_launch(uint32_t device, uint32_t span, std::vector<Held>& held);
  // Whether its stream was told to wait before the launch, by an event or a function of the host.
  bool is_held(uint32_t device, uint32_t span) { return devices_[device].holds.is_held(span); }

  // The device work that a synchronising call waits for; nullopt: no handle tells.
  std::optional<std::vector<uint32_t>> awaited_by(uint32_t call) const;
  bool has_handles() const { return has_handles_; }
  // The last work launched on each stream of a device.
  std::vector<uint32_t> last_launched(uint32_t device) const;
  uint64_t launched(uint32_t device) const { return devices_[device].launched; }
  // The device that was current in a call, by index. Imported traces do not tell; they have one.
  uint32_t device_of(const HostCall& call) const;

 private:
  struct Stream {
    uint32_t last = kNoIndex;       // operation launched last
    std::vector<uint32_t> pending;  // the next launch waits for these
    // Of a stream that takes turns with the default stream: up to where each of the two waits for the other.
    uint32_t default_until = kNoIndex, awaited_until = kNoIndex;
  };
  struct Device {
    StreamHandles handles;
    std::vector<Stream> streams;
    StreamHolds holds;
    std::vector<uint32_t> turns;  // the streams that take turns with the default stream
    uint64_t launched = 0;
  };

  Stream* stream_of(const HostCall& call);
  Stream* stream_of(uint32_t device, int64_t handle);
  void take_turn(Device& device, uint32_t stream);
  // Adds the work that a call about the default stream waits for besides that stream's.
  void add_turns(const HostCall& call, std::vector<uint32_t>& awaited) const;
  const Stream* stream_of(const HostCall& call) const { return const_cast<StreamState*>(this)->stream_of(call); }
  int64_t event_of(uint32_t call) const;

  const ProcessTrace& trace_;
  const std::vector<std::vector<uint32_t>>& nodes_;
  std::vector<Device> devices_;
  bool has_handles_ = false;
  std::unordered_map<int64_t, std::vector<uint32_t>> events_;  // the work that each recorded event stands for
  std::vector<bool> is_record_, is_per_thread_;                // by name of a function
};

}  // namespace tauprof
