#include "findings/finders.h"
#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

struct PatternRule {
  WaitPattern pattern;
  const char* title;
  const char* advice;
};

constexpr PatternRule kRules[] = {
    {WaitPattern::kEveryNth, "Input runs empty every few steps",
     "As many workers run empty together, or one batch in so many takes long. tauprof run --null-gpu says how fast the "
     "loader is by itself: if it is slower than the step, more workers or cheaper decoding; else a deeper prefetch."},
    {WaitPattern::kEpochStart, "Input stops at the begin of each epoch",
     "The loader's workers are started anew: keep them (persistent_workers=True), or make the first batch cheaper."},
    {WaitPattern::kBimodal, "Some batches come from the prefetch buffer, others are waited for",
     "The short waits are the buffer's, the long ones a worker's decoding: look at the batches of the long steps. "
     "tauprof run --null-gpu says how fast the loader is by itself: if it is slower than the step, more workers; else "
     "a deeper prefetch."},
};

double mean_over(const std::vector<const RankInput*>& ranks, double RankInput::*value) {
  double sum = 0;
  for (const RankInput* const rank : ranks) sum += rank->*value;
  return sum / static_cast<double>(ranks.size());
}

}  // namespace

void add_input_findings(const RunFacts&, const RunMetrics& metrics, std::vector<Finding>& found) {
  for (const PatternRule& rule : kRules) {
    std::vector<const RankInput*> ranks;
    for (const RankInput& rank : metrics.input.ranks)
      if (rank.pattern == rule.pattern) ranks.push_back(&rank);
    if (ranks.empty()) continue;
    const RankInput& first = *ranks.front();
    Finding finding(FindingId::kInputStalls);
    finding.title = rule.title;
    finding.evidence = said(ranks.size(), " of ", metrics.input.ranks.size(), " ranks wait ",
                            Duration{mean_over(ranks, &RankInput::short_wait_ns)}, " or ",
                            Duration{mean_over(ranks, &RankInput::long_wait_ns)}, " for a batch");
    if (first.every > 0) finding.evidence.add(", the long ones every ", first.every, " steps");
    for (const RankInput* const rank : ranks) finding.ranks.push_back(rank->rank);
    finding.steps = first.long_steps;
    finding.advice = rule.advice;
    found.push_back(std::move(finding));
  }
}

}  // namespace tauprof
