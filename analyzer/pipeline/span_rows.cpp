#include "pipeline/span_rows.h"

#include <algorithm>
#include <utility>

#include "html/span_merge.h"
#include "limits/analysis_limits.h"

namespace tauprof {

SpanRows::SpanRows(const ProcessTrace& trace, const ClockMap& clock, const std::vector<Interval>& windows)
    : trace_(trace), clock_(clock), windows_(windows) {
  result_.steps.resize(windows.size());
  is_filled_.resize(windows.size());
}

uint32_t SpanRows::open(std::string label, RowGroup group, uint32_t lane) {
  result_.rows.push_back({std::move(label), group, lane});
  for (std::vector<std::vector<ShownSpan>>& rows : result_.steps) rows.emplace_back();
  for (std::vector<bool>& rows : is_filled_) rows.push_back(false);
  return static_cast<uint32_t>(result_.rows.size() - 1);
}

RankSpans SpanRows::take(const std::vector<size_t>& most) {
  std::sort(result_.comm_starts.begin(), result_.comm_starts.end());
  for (size_t step = 0; step < result_.steps.size(); ++step) {
    for (std::vector<ShownSpan>& row : result_.steps[step])
      std::stable_sort(row.begin(), row.end(),
                       [](const ShownSpan& a, const ShownSpan& b) { return a.start < b.start; });
    const SpanMerge merge = merge_short_spans(result_.steps[step], most[step]);
    result_.merged.push_back(merge.merged);
    result_.merged_below.push_back(merge.below);
  }
  return std::move(result_);
}

uint32_t SpanRows::shown_name(NameId name) {
  const auto known = names_.find(name);
  if (known != names_.end()) return known->second;
  const uint32_t shown = shown_text(trace_.names[name]);
  names_.emplace(name, shown);
  return shown;
}

uint32_t SpanRows::shown_text(std::string_view text) {
  const auto [known, is_new] =
      texts_.try_emplace(std::string(text.substr(0, kLongestShownName)), static_cast<uint32_t>(result_.names.size()));
  if (is_new) result_.names.push_back(known->first);
  return known->second;
}

}  // namespace tauprof
