// Searches for steps in what has been launched so far. It runs the analyzer's search (step_search/) in the writer
// thread: soon and often until the steps are settled, then ever more rarely, and again when a step is overdue.
#pragma once

#include <stdint.h>

#include "capture/base/number_map.h"
#include "capture/steps/known_steps.h"
#include "capture/steps/launch_history.h"
#include "step_search/step_search.h"

namespace tauprof::capture {

class StepFinder {
 public:
  // Whether enough was launched since the last search to learn more. Any thread.
  bool has_more(const LaunchHistory& history) const;
  // Whether it is time to search again.
  bool is_due(const LaunchHistory& history, const KnownSteps& known, uint64_t now) const;
  // How far back the next search looks.
  void prepare(const LaunchHistory& history, const KnownSteps& known);
  // False: no steps, or out of memory. found() stays valid until the next search. This function alone needs no lock:
  // other threads may go on launching.
  bool search(const LaunchHistory& history, uint64_t now);
  const SearchedSteps& found() const { return found_; }
  // Of the last search that found steps.
  StepSource source() const { return source_; }
  double confidence() const { return confidence_; }

 private:
  LaunchSequence sequence(const LaunchHistory& history, uint64_t from, uint64_t until);
  void run(const LaunchHistory& history, uint64_t from, uint64_t until);
  void keep(const LaunchHistory& history, const LaunchSequence& sequence, const StepCandidate& candidate);
  void learn_pattern(const LaunchHistory& history);

  NumberMap symbols_;
  log::RawArray<uint64_t> positions_;  // in the history, of each launch of the sequence
  log::RawArray<StepStart> starts_;
  log::RawArray<uint64_t> ordinals_;
  SearchedSteps found_;
  StepSource source_ = StepSource::kNone;
  double confidence_ = 0;
  uint64_t from_ = 0;
  bool are_settled_ = false;
  uint64_t searched_ = 0;    // where the last search ended
  uint64_t interval_ = 0;    // launches until the next search
  uint64_t not_before_ = 0;  // ns
};

}  // namespace tauprof::capture
