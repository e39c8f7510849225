// Changes to a replayed run: operations that last longer or shorter, start earlier, or are gone.
//
// Only differences are kept. For a replay they are put into the graph and taken out again, so a question costs memory
// for its changes; a removed operation costs a bit.
#pragma once

#include <unordered_set>
#include <vector>

#include "replay/contended_replay.h"

namespace tauprof {

class Changes {
 public:
  explicit Changes(RunGraph& run) : run_(run), is_gone_(run.graph().size()) {
    if (run.contention().is_known()) extra_ = run.contention().measured();
  }

  // Of several changes to one operation the last counts.
  void set_duration(OperationId operation, Nanoseconds duration) { change(operation).duration = duration; }
  // It takes as long as another one, for itself and beside communication.
  void copy_duration(OperationId operation, OperationId example);
  void set_delay(OperationId operation, Nanoseconds delay) { change(operation).delay = delay; }
  // All device work starts earlier by as much of this as its lags leave.
  void start_earlier(Nanoseconds lead) { lead_ = lead; }
  // It takes this many times what it would take otherwise, whatever else is changed. Several multiply.
  void scale(OperationId operation, double factor);
  // It takes no time. The return of a blocking call then waits for nothing but its place in its queue …
  void remove(OperationId operation) { is_gone_[operation] = true; }
  // … and so does what the host did between two calls: whatever another thread did meanwhile, it was only waited for.
  void remove_wait(OperationId operation) {
    remove(operation);
    waits_no_more_.insert(operation);
  }

  // Whether both change one and the same operation.
  bool share_operations(const Changes& other) const;

  ContendedReplay replayed() const;
  // By how much the mean step becomes shorter, in ns.
  double saving() const;

 private:
  struct Change {
    OperationId operation;
    Nanoseconds duration;
    Nanoseconds delay;
  };
  // The change to an operation, as it is now if there is none yet.
  Change& change(OperationId operation);
  void exchange(Change& change) const;

  std::vector<bool> changed() const;              // by operation
  Nanoseconds work(OperationId operation) const;  // away from communication
  Nanoseconds lead_of(OperationId operation) const;
  Nanoseconds scaled(OperationId operation, Nanoseconds duration) const;

  RunGraph& run_;
  std::vector<bool> is_gone_;  // by operation
  std::unordered_set<OperationId> waits_no_more_;
  Nanoseconds lead_ = 0;
  std::vector<float> factors_;           // the same; empty: nothing is scaled
  std::vector<int32_t> extra_;           // the same: what contention adds to its duration; empty: not known
  mutable std::vector<Change> changes_;  // during a replay: what is replaced
};

}  // namespace tauprof
