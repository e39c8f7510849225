// The period of a sequence of launches, and a place that is passed once in each.
//
// A place is a run of four launches, seen by its symbols. A place that is passed once a step recurs in even distances;
// one that is passed once a layer does so only within forward, which is not most of a step. So: take the places whose
// distances are even (four of five within a factor 1.5 of their median) and whose repetitions make up most of the
// sequence; the median distance of the most places is a period. Insertions (an evaluation every ten steps) disturb one
// distance each.
//
// Example, letters for launches: a b b b c d a b b b c d a b b b c d: abbb, bbbc, bbcd, bcda … recur every 6.
//
// If there are several, a longer one contains the shorter: layers in an iteration, micro-batches in a step, or steps
// between evaluations. The longer one counts if it adds what the shorter one never launches: an input copy; or other
// work, but if it adds reading back as well (a loss or a metric every few steps) four launches, as an update has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tauprof {

struct Recurrence {
  size_t period = 0;           // in elements; 0: none
  std::vector<size_t> places;  // where one place is passed, once in each period
};

enum class ElementKind : uint8_t { kWork, kInput, kReadback };

struct RecurrenceInput {
  std::vector<uint32_t> symbols;
  std::vector<ElementKind> kinds;  // of each element
  size_t gram = 0;                 // elements that make a place
  size_t least_period = 0;
};

Recurrence find_recurrence(const RecurrenceInput& input);

}  // namespace tauprof
