#include "metrics/stragglers/wait_chain.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <utility>

namespace tauprof {
namespace {

using Who = std::pair<uint32_t, Cause>;

class ChainSearch {
 public:
  ChainSearch(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
              const std::vector<BlameRow>& rows)
      : ranks_(ranks), matches_(matches), rows_(rows) {
    for (size_t first = 0; first < rows.size();) {
      size_t last = first;
      while (last < rows.size() && rows[last].match == rows[first].match) ++last;
      rows_of_match_[rows[first].match] = {first, last};
      first = last;
    }
  }

  WaitChain find(uint32_t rank, const StepSelection& steps, const std::optional<int64_t>& step) {
    WaitChain chain;
    std::map<Who, double> charged;
    uint32_t longest = kNoIndex;
    double most = 0;
    for (const auto& [match, range] : rows_of_match_) {
      if (step && steps.analysed[rows_[range.first].step].number != *step) continue;
      const auto waits = waits_of(match, rank);
      if (waits.empty()) continue;
      double waited = 0;
      for (const WaiterRow& wait : waits) {
        charged[{wait.row->late_rank, wait.row->cause}] += wait.ns;
        waited += wait.ns;
      }
      chain.waited_ns += waited;
      ++chain.waits;
      if (waited > most) most = waited, longest = match;
    }
    for (const auto& [who, ns] : charged) chain.charges.push_back({who.first, who.second, ns});
    std::stable_sort(chain.charges.begin(), chain.charges.end(),
                     [](const WaitCharge& a, const WaitCharge& b) { return a.ns > b.ns; });
    if (longest != kNoIndex) follow(longest, rank, chain);
    return chain;
  }

 private:
  std::span<const BlameRow> rows_of(uint32_t match) const {
    const auto found = rows_of_match_.find(match);
    if (found == rows_of_match_.end()) return {};
    return std::span(rows_).subspan(found->second.first, found->second.second - found->second.first);
  }

  // A rank's waits in a match.
  std::vector<WaiterRow> waits_of(uint32_t match, uint32_t rank) const {
    const auto& members = matches_[match].members;
    if (std::none_of(members.begin(), members.end(), [&](const CollectiveMember& one) { return one.rank == rank; }))
      return {};
    return by_waiting_rank(ranks_, matches_[match], rows_of(match), {rank});
  }

  void follow(uint32_t match, uint32_t waiter, WaitChain& chain) const {
    std::vector<WaiterRow> waits = waits_of(match, waiter);
    std::map<Who, double> charged;
    for (const WaiterRow& wait : waits) charged[{wait.row->late_rank, wait.row->cause}] += wait.ns;
    const auto most = std::max_element(charged.begin(), charged.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    std::tie(chain.late_rank, chain.cause) = most->first;
    uint32_t brought_by = kNoIndex;
    while (true) {
      const bool has_waited = !waits.empty();
      if (!has_waited) waits = for_member(match, brought_by);
      const uint32_t from = add_link(match, has_waited ? waiter : kNoIndex, waits, chain, brought_by);
      if (from == kNoIndex) return;
      match = from;
      waiter = brought_by;
      waits = waits_of(match, waiter);
      std::erase_if(waits, [&](const WaiterRow& wait) { return !is_charged(*wait.row, chain); });
      if (waits.empty() && for_member(match, brought_by).empty()) {
        chain.is_cut = true;
        return;
      }
    }
  }

  static bool is_charged(const BlameRow& row, const WaitChain& chain) {
    return row.late_rank == chain.late_rank && row.cause == chain.cause;
  }

  // How long all others waited for a member that came late.
  std::vector<WaiterRow> for_member(uint32_t match, uint32_t member) const {
    std::vector<WaiterRow> waits;
    for (const BlameRow& row : rows_of(match))
      if (row.came_late == member) waits.push_back({kNoIndex, &row, row.ns});
    return waits;
  }

  // Where most of what is charged came from; kNoIndex: it happened on the way there. `brought_by`: who came late with
  // it.
  uint32_t add_link(uint32_t match, uint32_t waiter, const std::vector<WaiterRow>& waits, WaitChain& chain,
                    uint32_t& brought_by) const {
    ChainLink link{match, waiter, kNoIndex, 0, 0};
    std::map<std::pair<uint32_t, uint32_t>, double> origins;  // by who came late, and from where
    for (const WaiterRow& wait : waits) {
      link.waited_ns += wait.ns;
      if (!is_charged(*wait.row, chain)) continue;
      link.charged_ns += wait.ns;
      origins[{wait.row->came_late, wait.row->inherited_from}] += wait.ns;
    }
    if (waiter != kNoIndex) link.waited_ns = waited_by(match, waiter);
    if (origins.empty()) return kNoIndex;
    const auto most = std::max_element(origins.begin(), origins.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    link.came_late = brought_by = most->first.first;
    chain.links.push_back(link);
    return most->first.second;
  }

  double waited_by(uint32_t match, uint32_t rank) const {
    for (const CollectiveMember& member : matches_[match].members)
      if (member.rank == rank) return static_cast<double>(ranks_[rank].collectives[member.collective].wait());
    return 0;
  }

  const std::vector<RankTimeline>& ranks_;
  const std::vector<MatchedCollective>& matches_;
  const std::vector<BlameRow>& rows_;
  std::map<uint32_t, std::pair<size_t, size_t>> rows_of_match_;
};

}  // namespace

WaitChain wait_chain(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                     const StepSelection& steps, const std::vector<BlameRow>& rows, uint32_t rank,
                     const std::optional<int64_t>& step) {
  return ChainSearch(ranks, matches, rows).find(rank, steps, step);
}

}  // namespace tauprof
