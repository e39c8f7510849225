#include "metrics/stragglers/peer_spending.h"

#include <algorithm>
#include <utility>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

// For each match: the previous complete one on its communicator.
std::vector<uint32_t> previous_on_communicator(const std::vector<MatchedCollective>& matches,
                                               const PipelineStages& stages) {
  std::vector<uint32_t> previous(matches.size(), kNoIndex);
  std::map<std::pair<bool, uint64_t>, uint32_t> last;
  for (uint32_t i = 0; i < matches.size(); ++i) {
    if (stages.lies_between(matches[i]) || !matches[i].is_complete()) continue;
    const auto [entry, is_first] = last.try_emplace({matches[i].has_identity, matches[i].communicator}, i);
    if (!is_first) previous[i] = entry->second;
    entry->second = i;
  }
  return previous;
}

Spending lower_median(const std::vector<Spending>& spent) {
  std::vector<int64_t> values(spent.size());
  const auto of = [&](auto&& value_of) {
    std::transform(spent.begin(), spent.end(), values.begin(), value_of);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  };
  Spending typical;
  typical.has_host = std::all_of(spent.begin(), spent.end(), [](const Spending& s) { return s.has_host; });
  for (size_t row = 0; row < kLedgerRowCount; ++row)
    typical.device.rows[row] = of([row](const Spending& s) { return s.device.rows[row]; });
  std::vector<ComputeWork> works;
  for (const Spending& one : spent) works.push_back(one.device.work);
  typical.device.work = lower_median(works);
  typical.device.copied_bytes =
      static_cast<uint64_t>(of([](const Spending& s) { return static_cast<int64_t>(s.device.copied_bytes); }));
  typical.host = {
      of([](const Spending& s) { return s.host.sync; }), of([](const Spending& s) { return s.host.allocation; }),
      of([](const Spending& s) { return s.host.launch; }), of([](const Spending& s) { return s.host.data_wait; }),
      of([](const Spending& s) { return s.host.stall; })};
  return typical;
}

}  // namespace

SpendingTable::SpendingTable(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                             const PipelineStages& stages)
    : ranks_(ranks), matches_(matches), stages_(stages), previous_(previous_on_communicator(matches, stages)) {
  index_between_stages();
}

bool SpendingTable::lies_between(const RankCollective& collective) const {
  return !collective.peer_calls.empty() || stages_.lies_between(collective);
}

void SpendingTable::index_between_stages() {
  for (uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    int32_t step = kNoStep;
    uint32_t number = 0, before = kNoIndex;
    for (uint32_t i = 0; i < ranks_[rank].collectives.size(); ++i) {
      const RankCollective& own = ranks_[rank].collectives[i];
      if (!lies_between(own)) continue;
      const uint32_t previous = std::exchange(before, i);
      if (own.step == kNoStep) continue;
      if (own.step != step) number = 0;
      step = own.step;
      const StageOfRank stage = stages_.stage(rank);
      const StagePosition position{ranks_[rank].steps[step].number, number++, own.communicator_size,
                                   stage.is_known() ? stage.number : own.communicator_rank};
      at_position_[position].push_back({rank, i});
      between_stages_[{rank, i}] = {position, previous};
    }
  }
}

const SpendingTable::BetweenStages* SpendingTable::between_stages(const CollectiveMember& member) const {
  const auto found = between_stages_.find({member.rank, member.collective});
  return found == between_stages_.end() || found->second.before == kNoIndex ? nullptr : &found->second;
}

const uint32_t* SpendingTable::member_of(uint32_t match, uint32_t rank) const {
  const auto& members = matches_[match].members;
  const auto found = std::lower_bound(members.begin(), members.end(), rank,
                                      [](const CollectiveMember& member, uint32_t r) { return member.rank < r; });
  return found == members.end() || found->rank != rank ? nullptr : &found->collective;
}

uint32_t SpendingTable::first_between(uint32_t match, uint32_t member) const {
  const CollectiveMember& which = matches_[match].members[member];
  if (stages_.lies_between(matches_[match])) {
    const BetweenStages* own = between_stages(which);
    return own == nullptr ? which.collective : own->before;
  }
  const uint32_t* before = previous_[match] == kNoIndex ? nullptr : member_of(previous_[match], which.rank);
  return before == nullptr ? 0 : *before + 1;
}

bool SpendingTable::spent(uint32_t rank, uint32_t from, uint32_t to, bool leaves_together, Spending& spending) const {
  const RankCollective &then = ranks_[rank].collectives[from], &own = ranks_[rank].collectives[to];
  for (size_t row = 0; row < kLedgerRowCount; ++row)
    spending.device.rows[row] = own.before.rows[row] - then.before.rows[row];
  // Time spent in a collective that all members left together made none of them late for this one.
  Nanoseconds& communication = spending.device.rows[static_cast<size_t>(LedgerRow::kExposedCommUnsplit)];
  if (leaves_together) communication = std::max<Nanoseconds>(0, communication - then.exposed);
  spending.device.work = own.before.work - then.before.work;
  spending.device.copied_bytes = own.before.copied_bytes - then.before.copied_bytes;
  spending.has_host = own.launch_start != 0 && then.launch_start != 0;
  const HostSpending &now = own.host_before, &before = then.host_before;
  spending.host = {now.sync - before.sync, now.allocation - before.allocation, now.launch - before.launch,
                   now.data_wait - before.data_wait, now.stall - before.stall};
  return true;
}

bool SpendingTable::since_previous(uint32_t match, uint32_t member, Spending& spending) const {
  const CollectiveMember& which = matches_[match].members[member];
  if (stages_.lies_between(matches_[match])) {
    const BetweenStages* own = between_stages(which);
    return own != nullptr && spent(which.rank, own->before, which.collective, false, spending);
  }
  if (previous_[match] == kNoIndex) return false;
  const uint32_t* before = member_of(previous_[match], which.rank);
  return before != nullptr && spent(which.rank, *before, which.collective, true, spending);
}

bool SpendingTable::typical_of_stage(uint32_t match, uint32_t member, Spending& typical) const {
  const CollectiveMember& which = matches_[match].members[member];
  const BetweenStages* own = between_stages(which);
  if (own == nullptr) return false;
  std::vector<Spending> spendings;
  const auto add = [&](const CollectiveMember& other) {
    Spending spending;
    const BetweenStages* there = between_stages(other);
    if (there != nullptr && spendings.size() < kMostReplicas &&
        spent(other.rank, there->before, other.collective, false, spending))
      spendings.push_back(spending);
  };
  for (const CollectiveMember& replica : at_position_.at(own->position)) {
    if (spendings.size() == kMostReplicas) break;
    add(replica);
  }
  if (spendings.size() < 2) {
    spendings.clear();
    StagePosition elsewhere = own->position;
    for (const RankStep& step : ranks_[which.rank].steps) {
      if (spendings.size() == kMostReplicas) break;
      std::get<0>(elsewhere) = step.number;
      const auto found = at_position_.find(elsewhere);
      if (found == at_position_.end()) continue;
      for (const CollectiveMember& other : found->second)
        if (other.rank == which.rank) add(other);
    }
  }
  if (spendings.size() < 2) return false;
  typical = lower_median(spendings);
  return true;
}

bool SpendingTable::typical(uint32_t match, uint32_t member, Spending& typical) const {
  if (stages_.lies_between(matches_[match])) return typical_of_stage(match, member, typical);
  if (known_match_ != match) {
    known_match_ = match;
    std::vector<Spending> spendings(matches_[match].members.size());
    is_known_ = true;
    for (uint32_t i = 0; i < spendings.size() && is_known_; ++i) is_known_ = since_previous(match, i, spendings[i]);
    if (is_known_) known_ = lower_median(spendings);
  }
  typical = known_;
  return is_known_;
}

}  // namespace tauprof
