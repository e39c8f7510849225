// Blame for the waits of matched collectives, traced to ranks and causes; see stragglers.h.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "metrics/compute_lead.h"
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
    uint32_t late_rank;  // who arrived late: index into the timelines
    std::vector<BlameShare> shares;
  };
  // All blame of the run, in the order in which the collectives became ready.
  std::vector<Blame> trace();

 private:
  struct Arrival {
    Nanoseconds time;
    uint32_t member;
  };
  const RankCollective& unit(uint32_t match, uint32_t member) const;
  std::vector<Arrival> arrivals(uint32_t match) const;
  // The waiting that each arrival in `order` is to blame for.
  std::vector<double> direct_blame(uint32_t match, const std::vector<Arrival>& order) const;
  // What a member spent from its arrival at the collective before on this communicator to this one.
  struct Spending {
    SpentTime device;
    HostSpending host;
    bool has_host = false;
  };
  bool spent_since_previous(uint32_t match, uint32_t member, Spending& spent) const;
  // What the members typically spent, row by row: the lower median, so that of two ranks it is the
  // faster one's.
  bool typical_spending(uint32_t match, Spending& typical) const;
  // Why a member came `lateness` after the typical one; shares sum to 1.
  std::vector<BlameShare> reasons(uint32_t match, uint32_t member, Nanoseconds lateness, const Spending* typical) const;
  // The member's excess on the rows of its device's ledger, and on those of its host.
  using Excess = std::map<std::pair<uint32_t, Cause>, double>;
  void add_device_excess(uint32_t match, uint32_t member, const Spending& own, const Spending& typical,
                         Excess& excess) const;
  static Nanoseconds idle_excess(const Spending& own, const Spending& typical);
  void add_host_excess(uint32_t match, uint32_t member, const Spending& own, const Spending& typical,
                       Excess& excess) const;
  // The waits inside other collectives since then, by the blame for them.
  double upstream(uint32_t match, uint32_t member, std::map<std::pair<uint32_t, Cause>, double>& culprits) const;
  const uint32_t* member_of(uint32_t match, uint32_t rank) const;

  const std::vector<RankTimeline>& ranks_;
  const std::vector<MatchedCollective>& matches_;
  std::vector<uint32_t> previous_;  // of each match: the last complete one on its communicator
  ComputeLead lead_;
  std::vector<std::vector<uint32_t>> match_of_unit_;                  // by rank and collective
  std::vector<std::map<uint32_t, std::vector<BlameShare>>> reasons_;  // of each match once traced, by late rank
  std::vector<std::vector<BlameShare>> culprits_;                     // of each match once traced; shares sum to 1
};

}  // namespace tauprof
