// Where in the program each thread is at each instant (model/call_path.h): inside of the user's functions, the model's
// modules, the ranges and the operators that are open then.
//
//   main      | step > GPT_0 > Linear_1 > aten::linear              | step > loss.backward
//   autograd  |                                                     | step > GPT_0 > Linear_1 > backward >
//   AddmmBackward0
//
// Work of a backward pass lies inside the functions and modules of its forward operator (forward_operators.h), there in
// "backward"; where that operator is not known, in "backward" alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "metrics/call_tree/forward_operators.h"
#include "metrics/call_tree/path_tree.h"
#include "metrics/places/range_kinds.h"
#include "model/process_trace.h"

namespace tauprof {

class HostPaths {
 public:
  // Refers to both.
  HostPaths(const ProcessTrace& trace, PathTree& tree);

  // Outside of all ranges.
  uint32_t base(uint16_t thread) const { return segments_[thread].front().node; }

  uint32_t at(uint16_t thread, Nanoseconds time) const {
    return segments_[thread][segment_at(segments_[thread], time)].node;
  }
  // Calls visit(node, part) for each part of a thread's time, in order.
  template <class Visit>
  void visit(uint16_t thread, Interval time, Visit&& visit) const {
    const std::vector<Segment>& all = segments_[thread];
    for (size_t i = segment_at(all, time.start); i < all.size() && time.start < time.end; ++i) {
      const Nanoseconds until = i + 1 < all.size() ? std::min(time.end, all[i + 1].start) : time.end;
      if (until > time.start) visit(all[i].node, Interval{time.start, until});
      time.start = std::max(time.start, until);
    }
  }

 private:
  struct Segment {
    Nanoseconds start;  // until the next one's
    uint32_t node;
  };
  // A range or mark that is not over.
  struct Open {
    Nanoseconds end;
    uint32_t node;
    bool is_backward;
    int64_t sequence;  // of the operator of a backward pass that it is in; -1: none
  };
  struct Entry {
    Nanoseconds start, end;
    RangeKind kind;
    uint32_t name;      // of the tree
    uint32_t autograd;  // kNoIndex: not known to it
    bool is_engine;     // autograd's own
  };

  static size_t segment_at(const std::vector<Segment>& all, Nanoseconds time);
  std::vector<Entry> entries_of(uint16_t thread);
  void lay_out(uint16_t thread, bool is_backward);
  Open opened(const Entry& entry, const Open& around);
  // The modules and functions around a forward operator.
  uint32_t place_of(uint32_t node);
  uint32_t name_of(NameId id);

  const ProcessTrace& trace_;
  PathTree& tree_;
  RangeKinds kinds_;
  ForwardOperators forward_;
  std::vector<std::vector<Segment>> segments_;     // by thread
  std::vector<uint32_t> node_of_autograd_;         // of ProcessTrace::autograd_operators; kNoIndex: not laid out yet
  std::vector<uint32_t> names_;                    // of the tree, by the trace's; kNoIndex: not yet
  std::unordered_map<uint32_t, uint32_t> places_;  // by node
};

}  // namespace tauprof
