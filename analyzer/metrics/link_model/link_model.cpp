#include "metrics/link_model/link_model.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "limits/analysis_limits.h"
#include "metrics/collectives/bandwidth.h"
#include "metrics/link_model/algorithm_steps.h"
#include "metrics/link_model/protocol_pieces.h"

namespace tauprof {
namespace {

class FitsOfKind {
 public:
  FitsOfKind(const LinkKind& kind, const TransfersOfKind& transfers)
      : kind_(kind), transfers_(transfers), factor_(bus_factor(kind.operation, kind.ranks)) {
    for (const TransfersOfSize& size : transfers.sizes) points_.push_back({factor_ * size.bytes, size.median_ns});
  }

  void append_to(std::vector<LinkFit>& fits) const {
    const std::vector<size_t> starts = protocol_pieces(points_);
    for (size_t piece = 0; piece < starts.size(); ++piece)
      fits.push_back(fit(starts[piece], piece + 1 < starts.size() ? starts[piece + 1] : points_.size()));
  }

 private:
  LinkFit fit(size_t start, size_t end) const {
    LinkFit fit;
    fit.kind = kind_;
    fit.steps = step_count(kind_.operation, kind_.algorithm, kind_.ranks);
    fit.factor = factor_;
    fit.from_bytes = start == 0 ? transfers_.from_bytes : std::llround(transfers_.sizes[start].bytes);
    fit.to_bytes = end == points_.size() ? transfers_.to_bytes : std::llround(transfers_.sizes[end - 1].bytes);
    fit.sizes = end - start;
    for (size_t i = start; i < end; ++i) fit.count += transfers_.sizes[i].count;
    const std::span<const SizedTime> points = std::span(points_).subspan(start, end - start);
    if (points.size() >= kFewestNearby) fit.nearby = fit_line(points);
    if (can_tell_line(points)) fit.line = fit.nearby;
    return fit;
  }

  const LinkKind& kind_;
  const TransfersOfKind& transfers_;
  const double factor_;
  std::vector<SizedTime> points_;
};

// How far a size lies outside those of a fit, as the logarithm of their ratio.
double log_distance(const LinkFit& fit, double bytes) {
  return std::max({0.0, std::log(static_cast<double>(fit.from_bytes) / bytes),
                   std::log(bytes / static_cast<double>(fit.to_bytes))});
}

}  // namespace

LinkUnknown LinkFit::unknown() const {
  if (!line) {
    if (sizes < kFewestSizes) return sizes == 1 ? LinkUnknown::kOneSize : LinkUnknown::kFewSizes;
    return LinkUnknown::kNarrowSizes;
  }
  if (line->knows_latency()) return line->knows_ns_per_byte() ? LinkUnknown::kNothing : LinkUnknown::kBandwidth;
  return line->knows_ns_per_byte() ? LinkUnknown::kLatency : LinkUnknown::kBoth;
}

const LinkFit* LinkModel::nearest(log::Operation operation, int32_t ranks, double bytes,
                                  std::optional<int32_t> hosts) const {
  const LinkFit* best = nullptr;
  std::set<int32_t> spans;
  if (!(bytes > 0)) return nullptr;
  const auto order = [&](const LinkFit& fit) {
    return std::pair(log_distance(fit, bytes), -static_cast<double>(fit.count));
  };
  for (const LinkFit& fit : fits) {
    if (fit.kind.operation != operation || fit.kind.ranks != ranks || (hosts && fit.kind.hosts != *hosts)) continue;
    spans.insert(fit.kind.hosts);
    if (best == nullptr || order(fit) < order(*best)) best = &fit;
  }
  if (best == nullptr || spans.size() > 1 || !best->nearby) return nullptr;
  const bool is_near = log_distance(*best, bytes) <= std::log(kFarthestSize);
  return is_near && best->nearby->knows_time_at(best->factor * bytes) ? best : nullptr;
}

const LinkFit* LinkModel::fit_for(log::Operation operation, int32_t ranks, double bytes,
                                  std::optional<int32_t> hosts) const {
  const LinkFit* const fit = nearest(operation, ranks, bytes, hosts);
  return fit != nullptr && fit->line ? fit : nullptr;
}

std::optional<double> LinkModel::predict(log::Operation operation, int32_t ranks, double bytes,
                                         std::optional<int32_t> hosts) const {
  const LinkFit* const fit = nearest(operation, ranks, bytes, hosts);
  return fit == nullptr ? std::nullopt : std::optional(fit->nearby->at(fit->factor * bytes));
}

LinkModel link_model(const std::map<LinkKind, TransfersOfKind>& transfers) {
  LinkModel model;
  for (const auto& [kind, of_kind] : transfers) FitsOfKind(kind, of_kind).append_to(model.fits);
  tell_ring_from_tree(model.fits);
  return model;
}

LinkModel link_model(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                     const StepSelection& steps) {
  return link_model(transfers_by_size(ranks, matches, steps));
}

}  // namespace tauprof
