// How long a collective of any size takes on this run's links: t = α · steps + factor · S / β.
//
// For each kind of collective, the sizes and times that were measured (transfers_by_size.h) are cut where the protocol
// changes (protocol_pieces.h), and each piece gets a line (transfer_line.h). Example: all-reduces of 1 KB to 1 GB over
// 4 ranks took 18 µs at the smallest sizes and 4.04 ms for 1 GB. The ring has 6 steps, so α = 3 µs; 1.5 GB went over
// each link in 4.02 ms, so β = 400 GB/s. 64 MB will take 18 µs + 1.5 · 67.1 MB / 400 GB/s = 270 µs.
#pragma once

#include <optional>
#include <vector>

#include "metrics/link_model/link_fit.h"
#include "metrics/link_model/transfers_by_size.h"

namespace tauprof {

struct LinkModel {
  std::vector<LinkFit> fits;  // by kind, then by size

  // The line that holds for collectives of this size S, as nccl-tests count it. nullptr: the sizes do not spread, S is
  // far from all of them, or the line does not tell the time there (kFarthestSize, kLargestTermError). If `hosts` is
  // not given, also if communicators of that many ranks span different numbers of hosts.
  const LinkFit* fit_for(log::Operation operation, int32_t ranks, double bytes,
                         std::optional<int32_t> hosts = std::nullopt) const;
  // The time in nanoseconds, without waiting. Sizes that do not spread tell times near them all the same.
  std::optional<double> predict(log::Operation operation, int32_t ranks, double bytes,
                                std::optional<int32_t> hosts = std::nullopt) const;

 private:
  const LinkFit* nearest(log::Operation operation, int32_t ranks, double bytes, std::optional<int32_t> hosts) const;
};

LinkModel link_model(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                     const StepSelection& steps);

// The same from what was measured.
LinkModel link_model(const std::map<LinkKind, TransfersOfKind>& transfers);

}  // namespace tauprof
