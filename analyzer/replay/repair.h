// A cause taken away (repair_plan.h), as changes to a run.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "replay/changes.h"
#include "replay/chosen_steps.h"
#include "replay/known_waits.h"
#include "replay/peers.h"
#include "replay/repair_plan.h"

namespace tauprof {

// Which steps are examples: two choices that have no example in common where there are enough.
enum class Draw : uint8_t { kFirst, kSecond };

class Repairs {
 public:
  // Both must live as long; `ranks` as the graph was made of.
  Repairs(const RunGraph& run, const std::vector<RankTimeline>& ranks) : run_(run), waits_(run, ranks), peers_(run) {}

  // Adds what is different to `changes`: several repairs in any order. Returns why it cannot be replayed; empty: it was
  // added. `held_up`: ranks that are no example for others, because something is wrong with them. But a host is one
  // where only a device is at fault, and a device where only a host is.
  std::string apply(const Repair& repair, const Faults& held_up, Changes& changes, Draw draw = Draw::kFirst);
  // The same repair without what does not matter in this run: which side is at fault, where whole examples are there.
  Repair plain(const Repair& repair, const Faults& held_up);

 private:
  bool has_whole_example(size_t rank, const Repair& repair, const Faults& held_up);
  std::string make_as_peers(const Repair& repair, const Faults& held_up, Draw draw, Changes& changes);
  // The peers that may be an example for what is wrong with the rank.
  std::vector<size_t> examples_for(size_t rank, Fault fault, const Faults& held_up);
  // The rank's operations in a step that the fault is about.
  std::set<OperationId> at_fault(size_t rank, int64_t step, Fault fault, const ChosenSteps& chosen);
  std::string make_as_other_steps(const Repair& repair, Draw draw, Changes& changes);
  struct Example {
    size_t rank;
    int64_t step;
  };
  // For a rank's step, a step of one of these ranks, in turns.
  Example example_of(size_t rank, const std::vector<size_t>& ranks, int64_t step, size_t turn, Draw draw);
  // Of these steps, those with the same device work as `step` on the rank; none: all.
  std::vector<int64_t> alike(size_t rank, int64_t step, const std::vector<int64_t>& steps);
  // Returns what is left as it is, because its example is itself chosen. `only`: these operations; null: all.
  // `with_transfers`: what all members of a collective do, too.
  std::set<OperationId> copy_step(size_t rank, int64_t step, Example from, bool with_transfers,
                                  const ChosenSteps& chosen, const std::set<OperationId>* only, Changes& changes);
  // In an all-to-all.
  void move_as_much(size_t rank, const Peers::Placed& own, size_t other, const Peers::Placed& example,
                    Changes& changes) const;
  // Each step after one of `unhurt`, in turns.
  void copy_own_steps(size_t rank, const std::vector<int64_t>& unhurt, bool with_transfers, const ChosenSteps& chosen,
                      Draw draw, Changes& changes);
  std::string fuse_update(const Repair& repair, Changes& changes);
  std::string mend_links(const Repair& repair, Changes& changes);
  void remove_row(LedgerRow row, const Repair& repair, Changes& changes);
  std::string start_as_usual(const Repair& repair, Changes& changes);
  // visit(rank, id, label) for each operation of its ranks and steps.
  template <class Visit>
  void for_chosen(const Repair& repair, Visit&& visit) const;
  std::vector<int64_t> steps_of(size_t rank) const;
  // The rank's steps beside `steps` that are neither long nor short for such: the middle half by their lengths on all
  // ranks.
  std::vector<int64_t> typical_others(size_t rank, const std::vector<int64_t>& steps) const;

  const RunGraph& run_;
  KnownWaits waits_;
  Peers peers_;
};

// Nothing waits for a copy any more, but copies take what they take (Changes::run_beside); all else is removed. Of a
// call that waited for its copy, the memory is taken to be pageable unless the log says that it is pinned: from pinned
// memory the copy would be faster.
void let_run_beside(size_t rank, OperationId id, const OperationLabel& operation, Changes& changes);

}  // namespace tauprof
