// The HTML page: what a browser draws at once and a message carries. The numbers are by convention.
#pragma once

#include <cstddef>

namespace tauprof {

// The timeline has this many ranks, those that findings name first, then those waited for most …
inline constexpr size_t kMostShownRanks = 128;
// … this many steps with all their spans, whatever there is, and this many rows of streams in each rank.
inline constexpr size_t kMostShownSteps = 6;
inline constexpr size_t kMostShownStreams = 16;
// Of a picture of the whole, a part of at least this share is seen: a pixel of a wide screen.
inline constexpr double kVisibleShare = 1.0 / 2000;
// Spans of all of them; short ones are merged until they are as few. 400 000 take 4 MB of the page.
inline constexpr size_t kMostShownSpans = 400'000;
// Waits with an arrow, in each step; the longest.
inline constexpr size_t kMostShownWaits = 4000;
// Text of all names, and of one; longer names are cut.
inline constexpr size_t kMostShownText = 2u << 20;
inline constexpr size_t kLongestShownName = 400;
// Ranks of the table of waiting caused, in the order of the timeline, and ranks times steps.
inline constexpr size_t kMostCausingRanks = 128;
inline constexpr size_t kMostShownCells = 1'000'000;

}  // namespace tauprof
