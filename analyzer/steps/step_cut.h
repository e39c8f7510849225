// Where one step ends and the next starts, between an update and the pass that follows it.
//
// The batch that the pass needs places the cut: the fetches nearest to the pass, but none before a forward pass without
// gradients (that was an evaluation's), nor before what ends a step. A batch was an evaluation's, too, if a result is
// read after such a forward pass on it. Input copies right before the first fetch belong to it: some loaders copy a
// batch and then fetch the next (accelerate). Without a fetch the input copies nearest to the pass place the cut, at
// the end of what comes before them, because the host prepares the batch in between. Without either, the cut lies
// behind the last thing that ends a step. If the program clears gradients before its first pass, it does so before
// each: then clearing starts a step, else it ends one.
//
// Examples; U is an update, P the next pass, | the cut:
//   U clear read | fetch copy P
//   U clear (fetch eval)×3 | fetch copy eval P      the last forward pass is a teacher's: its batch is the step's
//   U read | copy clear P
//   U clear (copy eval read)×3 | P                  the batch was fetched before
//   U clear read | P                                the batch was fetched before
#pragma once

#include <vector>

#include "steps/loop_events.h"

namespace tauprof {

class StepCuts {
 public:
  explicit StepCuts(std::vector<LoopEvent> events);

  // Between `after`, the end of an update, and `before`, the start of the next pass.
  Nanoseconds between(Nanoseconds after, Nanoseconds before) const;
  // Before the first pass.
  Nanoseconds first(Nanoseconds before) const;
  // The start of the first pass from `time` on; kNever: there is none.
  Nanoseconds next_pass(Nanoseconds time) const;
  // The end of the outermost event that holds `time`; else `time`.
  Nanoseconds end_of_event_at(Nanoseconds time) const;
  // When the first evaluation in [after, before) starts to fetch or copy; kNever: there is none.
  Nanoseconds evaluation(Nanoseconds after, Nanoseconds before) const;
  // The end of what follows an update at `after` and belongs to it, if no further pass follows.
  Nanoseconds end_of_last(Nanoseconds after) const;

  bool clears_first() const { return clears_first_; }
  const std::vector<LoopEvent>& events() const { return events_; }

  static constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();

 private:
  struct Found {
    size_t first;           // the next step's first event
    bool is_fetch = false;  // it starts when that starts, else when the event before ends
  };

  using Kind = LoopEvent::Kind;

  size_t at(Nanoseconds time) const;  // the first event that starts at `time` or later
  Found find(size_t begin, size_t end) const;
  size_t latest(Kind kind, size_t begin, size_t end) const;
  Found by_fetch(size_t begin, size_t fetch) const;
  size_t by_copies(size_t begin, size_t copy) const;
  size_t by_ends(size_t begin, size_t end) const;

  std::vector<LoopEvent> events_;
  bool clears_first_ = false;
};

}  // namespace tauprof
