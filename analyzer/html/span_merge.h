// Makes the spans of some rows few enough to be drawn, and says what was lost.
//
// Spans below a length become one with their neighbours below it, if the pauses between them are below it, too. The
// length is the smallest power of two that leaves at most `most` spans. Example: twenty kernels of 3 us with pauses of
// 1 us, among three of 500 us, become four spans below a length of 4096 ns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "html/page_timeline.h"

namespace tauprof {

struct SpanMerge {
  uint64_t merged = 0;    // spans that are part of another now
  Nanoseconds below = 0;  // 0: all are shown one by one
};

// `rows`: each by start.
SpanMerge merge_short_spans(std::vector<std::vector<ShownSpan>>& rows, size_t most);

}  // namespace tauprof
