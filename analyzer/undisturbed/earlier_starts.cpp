#include "undisturbed/earlier_starts.h"

#include <algorithm>
#include <cmath>

namespace tauprof {

EarlierStarts::EarlierStarts(const RunGraph& run) : run_(run) {
  for (OperationId id = 0; id < run.graph().size(); ++id) {
    if (is_on_host(run.kind(id))) continue;
    for (const auto& edge : run.graph().edges(id))
      if (run.kind(edge.before) == OperationKind::kBetween) launched_.emplace_back(edge.before, id);
  }
  std::sort(launched_.begin(), launched_.end());
}

void EarlierStarts::shorten_call(OperationId before, Nanoseconds took, Nanoseconds length) {
  if (length >= took) return;
  for (auto one = std::lower_bound(launched_.begin(), launched_.end(), std::pair(before, OperationId{0}));
       one != launched_.end() && one->first == before; ++one) {
    if (!waited_for_launch(one->second, before)) continue;
    const Nanoseconds behind = run_.measured()[one->second].start - run_.measured()[before].end;
    const double part = std::clamp(static_cast<double>(behind) / static_cast<double>(took), 0.0, 1.0);
    earlier_[one->second] +=
        std::min(std::max<Nanoseconds>(0, run_.graph().delay(one->second)),
                 static_cast<Nanoseconds>(std::llround(part * static_cast<double>(took - length))));
  }
}

void EarlierStarts::apply(Changes& changes) const {
  for (OperationId id = 0; id < run_.graph().size(); ++id) {
    if (is_on_host(run_.kind(id)) || run_.graph().edges(id).empty()) continue;
    const auto known = earlier_.find(id);
    const Nanoseconds earlier = std::min<Nanoseconds>(share_, run_.graph().edges(id).front().lag) +
                                (known == earlier_.end() ? 0 : known->second);
    if (earlier != 0) changes.set_delay(id, run_.graph().delay(id) - earlier);
  }
}

bool EarlierStarts::waited_for_launch(OperationId id, OperationId launch) const {
  Nanoseconds launched = INT64_MIN, others = INT64_MIN;
  for (const auto& edge : run_.graph().edges(id)) {
    Nanoseconds& last = edge.before == launch ? launched : others;
    last = std::max(last, run_.measured()[edge.before].end + edge.lag);
  }
  return launched >= others;
}

}  // namespace tauprof
