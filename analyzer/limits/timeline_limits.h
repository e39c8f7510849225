// The page's timeline: what of a run a page carries, what lies in the file beside it. The numbers are by convention.
#pragma once

#include <cstddef>

#include "model/time.h"

namespace tauprof {

// Spans of all steps that are shown in short: the page of 64 ranks and 100 steps stays below 5 MB.
inline constexpr size_t kMostSpansInShort = 1'000'000;
// A step in short has times to this part of it: finer than a screen.
inline constexpr Nanoseconds kPartsOfShortStep = 1 << 15;
inline constexpr size_t kMostWaitsInShort = 256;
// Spans, and waits, of the file beside the page.
inline constexpr size_t kMostSpansBeside = 4'000'000;
// Spans of a rank before short ones are merged, a span once for each step that it touches. Only logs whose calls never
// end have more.
inline constexpr size_t kMostSpansOfRank = 4'000'000;
inline constexpr size_t kMostWaitsBeside = 400'000;
// Ranks times steps; of more, the slowest steps are kept.
inline constexpr size_t kMostShownRankSteps = 200'000;
// Threads of a rank: the one that trains, and those that launch most.
inline constexpr size_t kMostShownThreads = 3;
// Rows for ranges inside of ranges.
inline constexpr size_t kMostShownLanes = 8;
// Between two calls, the host is shown as busy with nothing below this: every program has it.
inline constexpr Nanoseconds kShortestShownPause = 5'000;

}  // namespace tauprof
