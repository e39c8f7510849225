#include "diff/judged_time.h"

#include <cmath>

#include "limits/analysis_limits.h"
#include "metrics/statistics/false_discovery.h"

namespace tauprof {

JudgedTime judge_time(const SideSeries& a, const SideSeries& b) {
  JudgedTime time;
  time.means = compare_means(a, b);
  time.a_ns = std::llround(time.means.a);
  time.b_ns = std::llround(time.means.b);
  return time;
}

void adjust_for_many(const std::vector<JudgedTime*>& table) {
  std::vector<JudgedTime*> judged;
  std::vector<double> p;
  for (JudgedTime* const time : table) {
    if (!time->means.test || (time->means.a == 0 && time->means.b == 0)) continue;
    judged.push_back(time);
    p.push_back(time->means.test->p);
  }
  const std::vector<double> adjusted = adjusted_for_many(p);
  for (size_t i = 0; i < judged.size(); ++i) {
    judged[i]->p_adjusted = adjusted[i];
    judged[i]->is_significant = adjusted[i] <= 1 - kConfidence;
  }
}

}  // namespace tauprof
