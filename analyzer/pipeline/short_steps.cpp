#include <algorithm>
#include <utility>

#include "html/span_merge.h"
#include "limits/analysis_limits.h"
#include "limits/timeline_limits.h"
#include "pipeline/timeline_parts.h"

namespace tauprof {
namespace {

size_t spans_of(const ShownStep& step) {
  size_t spans = 0;
  for (const std::vector<ShownSpan>& row : step.rows) spans += row.size();
  return spans;
}

bool is_shortened(const ShownStep& step) { return step.because.empty(); }

Nanoseconds unit_of(Nanoseconds length) {
  Nanoseconds unit = 1;
  while (length / unit > kPartsOfShortStep) unit *= 2;
  return unit;
}

// Merges each rank's rows by themselves, as they were when they were read.
void merge_by_rank(ShownStep& step, const std::vector<ShownRow>& rows, size_t most_of_rank) {
  for (size_t first = 0; first < rows.size();) {
    size_t end = first;
    while (end < rows.size() && rows[end].rank == rows[first].rank) ++end;
    std::vector<std::vector<ShownSpan>> of_rank;
    for (size_t row = first; row < end; ++row) of_rank.push_back(std::move(step.rows[row]));
    const SpanMerge merge = merge_short_spans(of_rank, most_of_rank);
    step.merged += merge.merged;
    step.merged_below = std::max(step.merged_below, merge.below);
    for (size_t row = first; row < end; ++row) step.rows[row] = std::move(of_rank[row - first]);
    first = end;
  }
}

}  // namespace

void shorten_steps(PageTimeline& timeline) {
  size_t spans = 0, shortened = 0;
  for (const ShownStep& step : timeline.steps) {
    spans += spans_of(step);
    if (is_shortened(step)) ++shortened;
  }
  if (spans <= kMostShownSpans || shortened == 0) return;
  const size_t most_of_rank = kMostSpansInShort / (shortened * std::max<size_t>(1, timeline.ranks.size()));
  for (ShownStep& step : timeline.steps) {
    if (!is_shortened(step)) continue;
    timeline.beside.push_back(step);
    step.is_short = true;
    step.unit = unit_of(step.length);
    merge_by_rank(step, timeline.rows, most_of_rank);
    if (step.waits.size() <= kMostWaitsInShort) continue;
    step.waits_left_out += step.waits.size() - kMostWaitsInShort;
    step.waits.resize(kMostWaitsInShort);
  }
}

}  // namespace tauprof
