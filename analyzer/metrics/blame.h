// Blame for the waits of matched collectives, traced to ranks and causes; see stragglers.h.
#pragma once

#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "metrics/compute_lead.h"
#include "metrics/pipeline_stages.h"
#include "metrics/slow_links.h"
#include "metrics/spending.h"
#include "metrics/stage_loads.h"
#include "metrics/stragglers.h"

namespace tauprof {

// A share of the blame for a collective's waits.
struct BlameShare {
  uint32_t rank;  // index into the timelines
  Cause cause;
  double share;
};

class BlameTracer {
 public:
  BlameTracer(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches);

  // What one member caused the others to wait, by who and what is behind it; shares in ns.
  struct Blame {
    uint32_t match;
    uint32_t late_rank;   // who arrived late: index into the timelines
    uint32_t collective;  // which of its own it is
    double waited;        // by the others, for it
    std::vector<BlameShare> shares;
  };
  // All blame of the run, in the order in which the collectives became ready. Once.
  void trace(const std::function<void(const Blame&)>& take);

 private:
  struct Arrival {
    Nanoseconds time;
    uint32_t member;
  };
  void trace_match(uint32_t match, const std::function<void(const Blame&)>& take);
  const RankCollective& unit(uint32_t match, uint32_t member) const;
  std::vector<Arrival> arrivals(uint32_t match) const;
  // The waiting that each arrival in `order` is to blame for.
  std::vector<double> direct_blame(uint32_t match, const std::vector<Arrival>& order) const;
  // Why a member came `lateness` after the typical one. Shares sum to 1; of a communicator's first to 0; between stages
  // to less, where part of it lies in the nature of a pipeline: then the rest is nobody's fault.
  std::vector<BlameShare> reasons(uint32_t match, uint32_t member, Nanoseconds lateness) const;
  // The member's excess on the rows of its device's ledger, and on those of its host.
  using Excess = std::map<std::pair<uint32_t, Cause>, double>;
  void add_device_excess(uint32_t match, uint32_t member, const Spending& own, const Spending& typical,
                         Excess& excess) const;
  // Between stages: what the member's stage computes more than the typical stage, beyond its own excess.
  void add_stage_excess(uint32_t match, uint32_t member, const Spending& own, const Spending& typical,
                        Excess& excess) const;
  static Nanoseconds idle_excess(const Spending& own, const Spending& typical);
  void add_host_excess(uint32_t match, uint32_t member, const Spending& own, const Spending& typical,
                       Excess& excess) const;
  // The waits inside other collectives since then, and the blame for them.
  double upstream(uint32_t match, uint32_t member, std::map<std::pair<uint32_t, Cause>, double>& culprits) const;

  // Whose link made transfers long that the member took part in since then; its own, where nothing tells.
  uint32_t slow_link_of(uint32_t match, uint32_t member) const;

  const std::vector<RankTimeline>& ranks_;
  const std::vector<MatchedCollective>& matches_;
  PipelineStages stages_;
  SpendingTable spending_;
  SlowLinks links_;
  ComputeLead lead_;
  StageLoads stage_loads_;
  std::vector<std::vector<uint32_t>> match_of_unit_;                  // by rank and collective
  std::vector<std::map<uint32_t, std::vector<BlameShare>>> reasons_;  // of each match once traced, by late rank
  std::vector<std::vector<BlameShare>> culprits_;  // of each match once traced; sums as of its reasons
};

}  // namespace tauprof
