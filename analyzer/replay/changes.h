// Changes to a replayed run: operations that last longer or shorter, start earlier, or are gone.
//
// An operation may take as long as another one, its *example*. That is meant in the changed run: if the example becomes
// shorter, or is gone, so does what follows it, in whatever order the changes were made. Example: the second half of a
// run is to be as its first half, and in the first half rank 0 is to be as rank 1. Then rank 0 in the second half is as
// rank 1 in the first. So changes of several causes may be made in any order:
//   - an example in another step of the same rank comes before one of a peer, which comes before a time;
//   - of two examples or two times the lesser counts, and what is gone for one cause is gone;
//   - operations that are examples for each other in a circle take what the shortest of them takes.
//
// Operations of steps that stay as they were (RunGraph::stand_for) are not changed.
//
// Only differences are kept. For a replay they are put into the graph and taken out again, so a question costs memory
// for its changes; a removed operation costs a bit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "replay/contended_replay.h"

namespace tauprof {

// How to treat edges that are only assumed (OperationEdge), the waits that they stand for, and possible waiting in
// collectives whose members are not known.
enum class Assumed : uint8_t {
  kHolds,        // edges are taken for recorded ones, collectives last as long as they did
  kStays,        // there are no such edges, and what waited starts as late as it did
  kGoes,         // there are none, and nothing waits for them
  kNobodyWaits,  // as kHolds, but there is no waiting in collectives
};

class Changes {
 public:
  explicit Changes(RunGraph& run) : run_(run), is_gone_(run.graph().size()) {}

  void set_duration(OperationId operation, Nanoseconds duration) { change(operation).duration = duration; }
  // It takes as long as another one, for itself and beside communication.
  void copy_peer(OperationId operation, OperationId example) { change(operation).peer = example; }
  void copy_other_step(OperationId operation, OperationId example) { change(operation).other_step = example; }
  // Unless it takes as long as another one, this many times its time: how much it has to do.
  void set_amount(OperationId operation, double ratio) { change(operation).amount = ratio; }
  void set_delay(OperationId operation, Nanoseconds delay) { change(operation).delay = delay; }
  // All device work starts earlier by as much of this as its lags leave.
  void start_earlier(Nanoseconds lead) { lead_ = lead; }
  // It takes this many times what it would take otherwise, whatever else is changed. Several multiply.
  void scale(OperationId operation, double factor);
  // It takes no time, and starts no later than it would. The return of a blocking call then waits for nothing but its
  // place in its queue …
  void remove(OperationId operation) { is_gone_[operation] = !run_.stays(operation); }
  // … and so does what the host did between two calls: whatever another thread did meanwhile, it was only waited for.
  // `besides`: the host's own work among it stays.
  void remove_wait(OperationId operation, Nanoseconds besides) {
    remove(operation);
    if (is_gone_[operation]) waits_no_more_[operation] = besides;
  }

  // A copy runs beside everything else: nothing waits for it, but a step takes at least as long as those of one rank
  // and direction take together. `is_rate_known`: it would take as long as it did; from pageable memory it did not.
  void run_beside(size_t rank, OperationId copy, const OperationLabel& label, bool is_rate_known);
  // The time that the mean step takes at least for copies that might as well become faster; 0: there are none.
  double slow_copies_ns() const { return most_beside(true); }

  bool has_examples() const {
    return std::any_of(changes_.begin(), changes_.end(), [](const Change& one) { return one.has_example(); });
  }
  // Whether both change one and the same operation.
  bool share_operations(const Changes& other) const;

  ContendedReplay replayed(Assumed assumed = Assumed::kHolds) const;
  // By how much the mean step becomes shorter: the difference of the two lengths in whole nanoseconds.
  double saving() const;
  // An operation that takes longer than it did, as its example does.
  struct Growth {
    OperationId operation;
    OperationId example;
    Nanoseconds was, becomes;
  };
  // The one that grows most; none: none does.
  std::optional<Growth> largest_growth() const;

 private:
  static constexpr OperationId kNoExample = UINT32_MAX;
  // Unchanged values are the largest possible, so that the least of several changes counts.
  struct Change {
    OperationId operation;
    OperationId other_step = kNoExample;
    OperationId peer = kNoExample;
    Nanoseconds duration = INT64_MAX;
    Nanoseconds delay = INT64_MAX;
    double amount = INFINITY;

    bool has_example() const { return other_step != kNoExample || peer != kNoExample; }
    OperationId example() const { return other_step != kNoExample ? other_step : peer; }
  };
  struct Length {
    Nanoseconds duration;
    Nanoseconds extra;  // the time that contention adds to it
    bool is_gone;
    std::optional<Nanoseconds> besides;  // of a wait that is gone: what stays
  };
  // An operation's values in the graph during a replay.
  struct Placed {
    OperationId operation;
    Nanoseconds duration, delay;
  };
  struct Beside {
    Nanoseconds known = 0, all = 0;  // in the analysed steps
  };
  struct Resolved {
    std::vector<Placed> placed;
    std::vector<int32_t> extra;  // by operation; empty: contention is not known
    std::vector<bool> is_gone;   // by operation
    std::unordered_map<OperationId, Nanoseconds> waits_no_more;
  };

  double most_beside(bool with_unknown) const;
  Change& change(OperationId operation) {
    return run_.stays(operation) ? ignored_ : changes_.emplace_back(Change{operation});
  }
  void merge() const;
  const Change* change_of(OperationId operation) const;  // of merged ones; null: none
  Length own_length(OperationId operation, const Change* change) const;
  Length length(const Change& of) const;
  Resolved resolved() const;
  void exchange(std::vector<Placed>& placed) const;

  std::vector<bool> changed() const;  // by operation
  Nanoseconds lead_of(OperationId operation) const;
  Nanoseconds scaled(OperationId operation, Nanoseconds duration) const;
  Nanoseconds measured_delay(OperationId operation) const;

  RunGraph& run_;
  std::vector<bool> is_gone_;  // by operation
  std::unordered_map<OperationId, Nanoseconds> waits_no_more_;
  std::map<std::pair<size_t, log::CopyKind>, Beside> beside_;  // by rank and direction
  Nanoseconds lead_ = 0;
  std::vector<float> factors_;           // by operation; empty: nothing is scaled
  Change ignored_{0};                    // of operations that stay as they were
  mutable std::vector<Change> changes_;  // those of an operation may be several, until they are merged
};

// By how much a mean step of this length is shorter than the measured one, as both are printed: in whole nanoseconds.
double shorter_by(const RunGraph& run, double step_ns);

}  // namespace tauprof
