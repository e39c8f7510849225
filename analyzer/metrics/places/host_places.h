// Where in the program each thread is at each instant, by the ranges that the program, its framework and the profiler
// wrote: the ranges around it, the operator that ended last and the one that starts next.
//
// Example, with two ranges of the program and three operators; the place between `view` and `all_to_all` is
// "forward > sparse arch, after aten::view, before all_to_all":
//   forward       |-----------------------------------------------|
//   sparse arch     |-----------------------------------------|
//   operators         |sum||view|               |all_to_all|
//
// Of the Python functions around an instant, only the innermost one of the user's own counts, and of a model's modules
// the innermost: frameworks stand in between, and do not say who called them. The markers of steps are no place.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "metrics/places/range_kinds.h"
#include "model/process_trace.h"

namespace tauprof {

class HostPlaces {
 public:
  // Refers to the trace.
  explicit HostPlaces(const ProcessTrace& trace);

  // The ranges around an instant: this one, inside of `parent`. Node 0 is outside of all; parents come before children.
  struct Node {
    uint32_t parent = 0;
    NameId name = kNoName;
  };
  struct Place {
    uint32_t node = 0;
    NameId before = kNoName;  // the operator that ended last; kNoName: none
    NameId after = kNoName;   // the operator that starts next
    bool operator==(const Place&) const = default;
  };

  // Calls visit(place, length) for each part of a thread's time, in order.
  template <class Visit>
  void visit(uint16_t thread, Interval time, Visit&& visit) {
    if (trace_.ranges.empty()) return;
    const std::vector<Segment>& all = segments(thread);
    for (size_t i = segment_at(all, time.start); i < all.size() && time.start < time.end; ++i) {
      const Nanoseconds until = i + 1 < all.size() ? std::min(time.end, all[i + 1].start) : time.end;
      if (until <= time.start) continue;
      visit(all[i].place, until - time.start);
      time.start = until;
    }
  }

  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  using Kind = RangeKind;
  struct Open {
    Nanoseconds end;
    Kind kind;
    NameId name;
    uint32_t node;
  };
  struct Segment {
    Nanoseconds start;  // until the next one's
    Place place;
  };

  const std::vector<Segment>& segments(uint16_t thread);
  static size_t segment_at(const std::vector<Segment>& all, Nanoseconds time);
  void lay_out(uint16_t thread);
  uint32_t node_inside(const std::vector<Open>& open, Kind kind, NameId name);
  uint32_t node_of(uint32_t parent, NameId name);

  const ProcessTrace& trace_;
  RangeKinds kinds_;
  std::vector<Node> nodes_{1};
  std::unordered_map<uint64_t, uint32_t> node_numbers_;  // by parent and name
  std::vector<std::vector<Segment>> segments_;           // by thread; made on first use
};

}  // namespace tauprof
