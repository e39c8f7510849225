// The launch with which steps start: the one before which the host pauses longest, because it waits for input there.
//
// A launch is known by its symbol, and how many equal launches precede it in its section. It must occur in half of the
// sections. An input copy needs only half the pause of other launches, and nothing behind the first one counts: a batch
// that is copied in the middle of a pass was prepared for later.
#pragma once

#include <cstddef>
#include <vector>

#include "steps/launch_sequence.h"

namespace tauprof {

// The launches in which a step may start: after one update and before the backward pass (or the update) that follows.
// Reading back and waiting belong to an update in front of them.
struct Section {
  size_t start = 0;  // launches [start, end)
  size_t end = 0;
};

// One before each update, and one after the last.
std::vector<Section> sections_between(const LaunchSequence& sequence, const std::vector<Update>& updates);

// Where the host pauses in each section; if it lacks that launch, its first input copy; without any, its end.
std::vector<size_t> openings_of(const LaunchSequence& sequence, const std::vector<Section>& sections);

}  // namespace tauprof
