// A cause taken away, as changes to a run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/ledger.h"
#include "replay/changes.h"
#include "replay/peers.h"

namespace tauprof {

enum class RepairKind {
  kNone,          // nothing that could be replayed
  kAsPeers,       // the ranks do what their peers do, in the time that those take
  kAsOtherSteps,  // the steps are like the others
  kLinks,         // the ranks' collectives move their data as fast as the same ones elsewhere
  kRow,           // the time of a ledger row is gone
  kInputCopies,   // copies of input take no time, and no call waits for them
  kTf32,          // products of float32 are computed in TF32
  kAligned,       // products with sizes that do not suit tensor cores run as fast as those whose sizes do
  kFusedUpdate,   // the optimizer is one kernel that reads and writes everything once
};

// The side of a rank that is at fault.
enum class Fault : uint8_t { kAny, kHost, kDevice };
using Faults = std::map<int32_t, Fault>;  // by rank
inline void add_fault(int32_t rank, Fault fault, Faults& faults) {
  const auto [known, is_new] = faults.emplace(rank, fault);
  if (!is_new && known->second != fault) known->second = Fault::kAny;
}

struct Repair {
  RepairKind kind = RepairKind::kNone;
  std::optional<LedgerRow> row;  // of kRow; of kAsPeers, what goes where there is no peer; nullopt: not known
  std::vector<int32_t> ranks;    // empty: all
  std::vector<int64_t> steps;    // empty: all
  bool are_windows = false;      // the cause lies in the device windows of these steps, see ChosenSteps
  Fault fault = Fault::kAny;     // of kAsPeers
  std::string reason;            // of kNone: why
  double update_bytes = 0;       // of kFusedUpdate: what a rank's update reads and writes
};

// The operations of a rank in some of its steps: the work that they launched, and its host's work for them or while
// they ran. The host of one step holds up the device window of the step before. Where that window is known to be the
// longer one, only the work that these steps launched counts, and the host's work while they ran.
class ChosenSteps {
 public:
  // No steps: all.
  ChosenSteps(const RunGraph& run, size_t rank, const std::vector<int64_t>& steps, bool are_windows);
  // `step`: that launched the operation.
  bool has(OperationId operation, int64_t step) const;

 private:
  const RunGraph& run_;
  std::set<int64_t> steps_;
  bool are_windows_;
  std::vector<Interval> windows_;  // of these steps, measured, by time
};

class Repairs {
 public:
  explicit Repairs(const RunGraph& run) : run_(run), peers_(run) {}

  // Adds what is different to `changes`. Returns why it cannot be replayed; empty: it was added. `held_up`: ranks that
  // are no example for others, because something is wrong with them. But a host is one where only a device is at fault,
  // and a device where only a host is.
  std::string apply(const Repair& repair, const Faults& held_up, Changes& changes);

 private:
  std::string make_as_peers(const Repair& repair, const Faults& held_up, Changes& changes);
  // The peers that may be an example for what is wrong with the rank.
  std::vector<size_t> examples_for(size_t rank, Fault fault, const Faults& held_up);
  // The rank's operations in a step that the fault is about.
  std::set<OperationId> at_fault(size_t rank, int64_t step, Fault fault, const ChosenSteps& chosen);
  std::string make_as_other_steps(const Repair& repair, Changes& changes);
  struct Example {
    size_t rank;
    int64_t step;
  };
  // Returns what is left as it is, because its example is itself chosen. `only`: these operations; null: all.
  // `with_transfers`: what all members of a collective do, too.
  std::set<OperationId> copy_step(size_t rank, int64_t step, Example from, bool with_transfers,
                                  const ChosenSteps& chosen, const std::set<OperationId>* only, Changes& changes);
  // Each step after one of `unhurt`, in turns.
  void copy_own_steps(size_t rank, const std::vector<int64_t>& unhurt, bool with_transfers, const ChosenSteps& chosen,
                      Changes& changes);
  std::string fuse_update(const Repair& repair, Changes& changes);
  std::string mend_links(const Repair& repair, Changes& changes);
  void remove_row(LedgerRow row, const Repair& repair, Changes& changes);
  std::string start_as_usual(const Repair& repair, Changes& changes);
  // visit(id, label) for each operation of its ranks and steps.
  template <class Visit>
  void for_chosen(const Repair& repair, Visit&& visit) const;
  std::vector<int64_t> steps_of(size_t rank) const;
  // The rank's steps beside `steps` that are neither long nor short for such: the middle half by their lengths on all
  // ranks.
  std::vector<int64_t> typical_others(size_t rank, const std::vector<int64_t>& steps) const;

  const RunGraph& run_;
  Peers peers_;
};

}  // namespace tauprof
