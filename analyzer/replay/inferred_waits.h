// Infers the work that calls and device work wait for, where no handle says which stream or event a call is about
// (imported traces).
//
// The records are asked. A wait comes at the same place of each step, and what it waits for is the same piece of work
// in each, counted from the start of a step or back from the wait. That work explains the wait if it is what the wait's
// end follows: it ends while the wait lasts, within what it takes to notice, in nearly all steps in which somebody
// waited, and it never ends after the wait. Of several, it is the one that the wait's end follows most evenly: with the
// others the time between them varies, too. A source that explains three waits or more is tested; any other is assumed.
// Where a place has too few, all places of the same call or kernel are asked together, and those at which somebody was
// told to wait, or waited, take the answer. And a single wait is explained by what ended so soon before it that hardly
// any time at random would do as well: of a second, the last 4 us. Example: four calls of 12 to 18 ms each return 2.75
// to 3.0 us after the copy of the step before has ended: they wait for that copy, although other work was launched
// since. Most waits are for what was launched last on a stream. If a wait follows such work, only the ends of such work
// count as chances: one a stream.
//
// A message to another rank gives this one nothing: it explains a wait only where nothing else does, for a message from
// there often takes the same time.
//
// Awaited work was launched before the wait, as with events and streams. Only where no such work explains the waits of
// a place, they may be for the device: copies for a copy engine, kernels for room. Then it is the work behind which
// they start at once, whoever launched it when.
//
// Work that its stream was told to hold, but that never had to wait, shows nothing. It is assumed to wait as other work
// of its stream does, where no step speaks against that. But where the host itself waits for kernels before each of
// several such launches, it limits how far they run ahead. That would be of no use if they waited for the same kernels
// on the device, so nothing is assumed. Example: FSDP's host awaits one layer's products before it gathers the weights
// of a later layer.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

class InferredWaits {
 public:
  explicit InferredWaits(const ProcessTrace& trace);

  // In the host's order of launch. `is_told`: its stream was told to wait before the launch. `behind`: the operation of
  // its thread before the launch; kNoIndex: none.
  void add_work(uint32_t device, uint32_t span, uint32_t operation, bool is_told, uint32_t behind = kNoIndex);
  // A call that waits for an event or a stream of `device`. `operation`: its return.
  void add_call(uint32_t device, uint32_t call, uint32_t operation);

  struct Found {
    uint32_t operation;
    uint32_t awaited;
    bool is_call;
    bool is_assumed;
  };
  // To be asked once everything is added.
  std::vector<Found> take();

 private:
  // Work of one stream, in order of launch.
  struct Work {
    Nanoseconds end;
    uint32_t operation;
    uint32_t place;  // in the order of launch on all streams
    int32_t step;
    uint32_t ordinal;    // of its stream, in its step
    bool gives_nothing;  // to this rank: it sends
  };
  struct Wait {
    Nanoseconds since;  // nothing else held it up from then on …
    Nanoseconds until;  // … until then
    uint32_t operation;
    uint32_t place;  // so much had been launched before it
    int32_t step;
    bool is_told;
    uint32_t behind = kNoIndex;
  };
  // A piece of work of each step, as a wait sees it.
  struct Source {
    bool is_later;  // launched after what waits
    bool gives_nothing;
    bool is_back;  // counted back from the wait; else from the start of a step
    uint32_t stream;
    int32_t steps_before;  // of these: how many steps before the wait's
    uint32_t index;
    auto operator<=>(const Source&) const = default;
  };
  // Waits at one place of each step.
  struct Site {
    uint32_t device = 0;
    uint32_t stream = kNoIndex;  // that the work is on; kNoIndex: calls wait
    bool is_for_stream = false;  // the call waits for the last work of a stream
    std::vector<Wait> waits;
  };
  struct Explained {
    Source source;
    bool is_tested;
  };
  using Device = std::vector<std::vector<Work>>;                     // by stream
  using Place = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;  // the last: how often before in its step
  static Place kind_of(Place place) {
    std::get<3>(place) = 0;
    return place;
  }
  // How often something has come in a step so far.
  struct Count {
    int32_t step = kNoStep;
    uint32_t next = 0;
    uint32_t in(int32_t of_step) {
      if (step != of_step) *this = {of_step, 0};
      return next++;
    }
  };

  bool is_clear(const Site& site, const Wait& wait) const;
  bool is_send(const DeviceSpan& work) const {
    if (work.collective == kNoIndex) return false;
    const CollectiveCall& call = trace_.collectives[work.collective];
    return call.operation == log::Operation::kSend && call.group == 0;  // a group may receive, too
  }
  // The work launched on the stream before the wait.
  std::span<const Work> launched(const Site& site, const Wait& wait, uint32_t stream) const;
  const Work* find(const Site& site, const Wait& wait, const Source& source) const;
  bool is_refuted(const Site& site, const Source& source) const;
  std::map<Source, std::vector<Nanoseconds>> lags(const Site& site) const;
  std::optional<Explained> explained(const Site& site) const;
  bool is_beyond_chance(const Site& site, const Source& source) const;
  static bool ends(const Work& work, const Wait& wait);
  // Null: none yet.
  static bool is_nearer(const Work& work, const Work* nearest);
  std::optional<Explained> only_stream(const Site& site) const;
  std::map<Place, Explained> tested_together(const std::map<Place, Site>& sites) const;
  std::optional<Explained> explained(const Place& place, const Site& site,
                                     const std::map<Place, Explained>& of_kinds) const;
  std::optional<Source> as_usual(const Site& site) const;
  void note_habit(const Site& site, const Source& source);
  void find_limited(const std::vector<Found>& calls);
  const Work* no_chance(const Site& site, const Wait& wait) const;
  const Work* guess(const Site& site, const Wait& wait) const;
  void take_site(const Site& site, const std::optional<Explained>& explained, std::vector<Found>& found) const;

  const ProcessTrace& trace_;
  std::vector<Device> devices_;
  uint32_t launched_ = 0;
  std::map<Place, Site> calls_, works_;
  std::map<Place, Count> call_counts_, work_counts_;
  std::vector<std::vector<Count>> ordinals_;  // by device and stream
  // By device and stream of what waits: how often work back on another stream explains it.
  std::map<std::pair<uint32_t, uint32_t>, std::map<Source, size_t>> habits_;
  std::set<uint32_t> event_calls_;     // the operations of calls that wait for an event
  std::set<uint32_t> copies_to_host_;  // operations
  std::set<const Site*> limited_;      // by the host
};

}  // namespace tauprof
