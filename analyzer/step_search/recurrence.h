// The period of a sequence of launches, and one position in each period.
//
// A gram is four launches in a row, known by their symbols. A gram that occurs once a step recurs at even distances.
// One that occurs once a layer does so only within forward, which is a minor part of a step. So the search takes the
// grams whose distances are even (four of five within a factor 1.5 of their median) and whose repetitions cover most of
// the sequence. Grams with nearly the same median distance give a period. An insertion (an evaluation every ten steps)
// disturbs only one distance.
//
// Example, a letter per launch: a b b b c d a b b b c d a b b b c d: abbb, bbbc, bbcd, bcda … recur every 6.
//
// There may be several periods, where the longer contains the shorter: layers in an iteration, micro-batches in a step,
// steps between evaluations. The longer one counts if it adds something that the shorter one never launches: an input
// copy, or other work. If it also adds a readback (a loss or a metric every few steps), the work must be at least four
// launches, as in an update.
#pragma once

#include <cstddef>
#include <vector>

#include "step_search/launch_sequence.h"

namespace tauprof {

struct Recurrence {
  size_t period = 0;              // in launches; 0: none
  std::vector<size_t> positions;  // of one gram that occurs once in each period
};

Recurrence find_recurrence(const LaunchSequence& sequence);

}  // namespace tauprof
