#include "metrics/input/step_tokens.h"

#include <algorithm>
#include <map>

#include "limits/analysis_limits.h"
#include "metrics/statistics/settings_of_ranks.h"

namespace tauprof {

std::optional<StepTokens> step_tokens(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) {
  const double tokens = common_number(ranks, "module.tokens"), sequences = common_number(ranks, "module.sequences");
  if (tokens <= 0 || sequences <= 0) return std::nullopt;
  std::map<int64_t, size_t> steps_by_size;  // of their batches
  uint64_t passes = 0;
  size_t count = 0;
  for (const RankTimeline* const rank : ranks)
    for (const RankStep& step : rank->steps) {
      if (!steps.has(step.number)) continue;
      ++count;
      passes += step.backward_passes;
      if (step.backward_passes > 0 && step.batches == step.backward_passes && step.batch_bytes % step.batches == 0)
        ++steps_by_size[step.batch_bytes / step.batches];
    }
  const auto most = std::max_element(steps_by_size.begin(), steps_by_size.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == steps_by_size.end() || static_cast<double>(most->second) < kSameBatches * static_cast<double>(count))
    return std::nullopt;
  const double calls = static_cast<double>(passes) / static_cast<double>(count);
  return StepTokens{tokens * calls, sequences * calls};
}

}  // namespace tauprof
