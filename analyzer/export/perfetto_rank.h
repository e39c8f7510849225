// One rank of a run as tracks of a Perfetto trace: the rank is a process; its steps, streams and host threads are
// tracks of slices, and so are its phases; ledger, phases, memory and telemetry are counters.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "export/calls_of_rank.h"
#include "export/collective_matches.h"
#include "export/perfetto_packets.h"
#include "export/run_writer.h"
#include "export/slice_lanes.h"

namespace tauprof::perfetto {

class RankTracks {
 public:
  // `origin` is the time 0 of the trace, on the run's clock.
  RankTracks(const RunView& run, const RankView& rank, const CollectiveMatches& matches, Nanoseconds origin,
             PacketWriter& packets);
  void write();

 private:
  struct Lanes {
    uint64_t parent = 0;
    std::string_view name;
    SliceLanes lanes;
    std::vector<uint64_t> tracks;
  };

  uint64_t new_track() { return process_ + ++tracks_; }
  uint64_t add_track(uint64_t parent, std::string_view name);
  Nanoseconds time(Nanoseconds local) const { return rank_.timeline.run_clock.to_run(local) - origin_; }
  void write_steps();
  void write_ledger();
  void write_phases();
  void write_phase_slices();
  void write_memory();
  void write_telemetry();
  void write_streams();
  void write_threads();
  void write_thread(size_t thread);
  void write_call(uint32_t call, Lanes& lanes);
  void write_range(const HostRange& range, Lanes& lanes);
  // The track for a slice; makes it if it is the first on its lane, and ends what is over.
  uint64_t place(Interval slice, Lanes& lanes);
  void finish(Lanes& lanes);
  void annotate_span(const DeviceSpan& span);
  void connect_span(uint32_t span, const std::vector<uint32_t>& unit_of_span, std::vector<bool>& is_connected);

  const RunView& run_;
  const RankView& rank_;
  const CollectiveMatches& matches_;
  const Nanoseconds origin_;
  PacketWriter& packets_;
  const uint64_t process_;
  uint64_t tracks_ = 0;
  const CallsOfRank calls_;
  std::vector<Annotation> annotations_;
  std::vector<uint64_t> flows_;
};

}  // namespace tauprof::perfetto
