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

// Its delay is then the launch's: what the call does before it launches is part of that.
bool EarlierStarts::waited_for(OperationId id, OperationId launch) const {
  const auto edges = run_.graph().edges(id);
  const uint32_t edge = run_.graph().delayed_edge(id);
  return edge < edges.size() && edges[edge].before == launch;
}

void EarlierStarts::shorten_call(OperationId before, Nanoseconds took, Nanoseconds length) {
  if (length >= took) return;
  for (auto one = std::lower_bound(launched_.begin(), launched_.end(), std::pair(before, OperationId{0}));
       one != launched_.end() && one->first == before; ++one) {
    if (!waited_for(one->second, before)) continue;
    const Nanoseconds behind = run_.measured()[one->second].start - run_.measured()[before].end;
    const double part = std::clamp(static_cast<double>(behind) / static_cast<double>(took), 0.0, 1.0);
    earlier_[one->second] +=
        std::min(std::max<Nanoseconds>(0, run_.graph().delay(one->second)),
                 static_cast<Nanoseconds>(std::llround(part * static_cast<double>(took - length))));
  }
}

void EarlierStarts::apply(Changes& changes) const {
  for (const auto& [id, earlier] : earlier_) changes.set_delay(id, run_.graph().delay(id) - earlier);
}

}  // namespace tauprof
