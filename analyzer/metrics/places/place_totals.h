// How much of a rank's idle time the ledger charges to each place in the program (host_places.h), and what its host
// spent there.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "metrics/places/host_places.h"
#include "model/rank_timeline.h"
#include "model/step_range.h"
#include "steps/step_windows.h"

namespace tauprof {

class PlaceTotals {
 public:
  // Fills the timeline's places. Leaves out steps outside `choice`.
  PlaceTotals(const ProcessTrace& trace, const std::vector<StepWindow>& windows, const std::optional<StepRange>& choice,
              RankTimeline& timeline);

  // The device idled for `time`, in this window. The host's rows lie where the launching thread was meanwhile; what the
  // device did with a call that had returned lies at that call. `launch`: the call that ended the gap, or kNoIndex.
  void charge(int32_t window, Interval time, LedgerRow row, uint32_t launch);
  // The host spent `time` on what a row stands for, whether or not the device idled.
  void spend(uint16_t thread, Interval time, LedgerRow row);
  // Gives the timeline the names and nodes.
  void finish();

 private:
  bool is_left_out(int32_t window) const;
  PlaceTotal& total_of(int32_t window, const HostPlaces::Place& place);
  uint32_t name(NameId id);

  const ProcessTrace& trace_;
  const std::vector<StepWindow>& windows_;
  const std::optional<StepRange>& choice_;
  RankTimeline& timeline_;
  HostPlaces places_;
  uint16_t main_thread_ = 0;
  struct Hash {
    size_t operator()(const HostPlaces::Place& place) const {
      return (place.node * uint64_t{0x9E3779B97F4A7C15} ^ place.before) * uint64_t{0xC2B2AE3D27D4EB4F} ^ place.after;
    }
  };
  std::vector<std::unordered_map<HostPlaces::Place, size_t, Hash>> rows_;  // by table
  std::unordered_map<NameId, uint32_t> names_;                             // of timeline_.place_names
};

}  // namespace tauprof
