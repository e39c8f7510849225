#include "metrics/stragglers/peer_spending.h"

#include <algorithm>
#include <utility>

#include "limits/analysis_limits.h"
#include "metrics/stragglers/more_work.h"

namespace tauprof {
namespace {

// Its members are in order of rank, but a message's sender comes first. `guess`: where it may be.
const CollectiveMember* member_of(const MatchedCollective& match, uint32_t rank, uint32_t guess = 0) {
  const auto& members = match.members;
  if (guess < members.size() && members[guess].rank == rank) return &members[guess];
  const auto found =
      match.is_point_to_point
          ? std::find_if(members.begin(), members.end(), [=](const auto& one) { return one.rank == rank; })
          : std::lower_bound(members.begin(), members.end(), rank,
                             [](const CollectiveMember& one, uint32_t r) { return one.rank < r; });
  return found == members.end() || found->rank != rank ? nullptr : &*found;
}

// When a rank launched it. Streams may overtake each other, but replicas launch in the same order.
using LaunchOrder = std::pair<Nanoseconds, uint32_t>;
LaunchOrder launch_order(const std::vector<RankTimeline>& ranks, const CollectiveMember& member) {
  return {ranks[member.rank].collectives[member.collective].launch_start, member.collective};
}

// For messages of the same ranks: the latest that every rank launched before each.
void find_previous_messages(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                            std::vector<uint32_t> messages, std::vector<uint32_t>& previous) {
  const uint32_t rank = matches[messages.front()].members.front().rank;
  const auto place = [&](uint32_t match) { return launch_order(ranks, *member_of(matches[match], rank)); };
  std::sort(messages.begin(), messages.end(), [&](uint32_t a, uint32_t b) { return place(a) < place(b); });
  for (size_t i = 0; i < messages.size(); ++i) {
    const auto& members = matches[messages[i]].members;
    for (size_t before = i; before-- > 0 && previous[messages[i]] == kNoIndex;)
      if (std::all_of(members.begin(), members.end(), [&](const CollectiveMember& member) {
            return launch_order(ranks, *member_of(matches[messages[before]], member.rank)) <
                   launch_order(ranks, member);
          }))
        previous[messages[i]] = messages[before];
  }
}

// For each match: the previous complete one of its communicator; of messages, of the same two ranks, either way and on
// any communicator.
std::vector<uint32_t> previous_of_same_ranks(const std::vector<RankTimeline>& ranks,
                                             const std::vector<MatchedCollective>& matches) {
  std::vector<uint32_t> previous(matches.size(), kNoIndex);
  std::map<std::pair<bool, uint64_t>, uint32_t> last;
  std::map<std::vector<uint32_t>, std::vector<uint32_t>> messages;
  for (uint32_t i = 0; i < matches.size(); ++i) {
    const MatchedCollective& match = matches[i];
    if (!match.is_complete()) continue;
    if (match.is_point_to_point) {
      std::vector<uint32_t> pair;
      for (const CollectiveMember& member : match.members) pair.push_back(member.rank);
      std::sort(pair.begin(), pair.end());
      messages[std::move(pair)].push_back(i);
      continue;
    }
    const auto [entry, is_first] = last.try_emplace({match.has_identity, match.communicator}, i);
    if (!is_first) previous[i] = entry->second;
    entry->second = i;
  }
  for (auto& [key, of_them] : messages) find_previous_messages(ranks, matches, std::move(of_them), previous);
  return previous;
}

}  // namespace

SpendingTable::SpendingTable(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                             const PipelineStages& stages)
    : ranks_(ranks),
      matches_(matches),
      stages_(stages),
      loads_(ranks, stages),
      previous_(previous_of_same_ranks(ranks, matches)) {
  for (const RankTimeline& rank : ranks) {
    double sum = 0;
    std::vector<double>& of_rank = exchanged_.emplace_back();
    for (const RankCollective& collective : rank.collectives) sum += exchanged_bytes(collective);
    if (std::exchange(sum, 0) == 0) continue;
    for (const RankCollective& collective : rank.collectives) of_rank.push_back(sum += exchanged_bytes(collective));
  }
  index_between_stages();
}

// Replicas launch the same in the same step, but whose device has started it when a window ends is chance.
int32_t SpendingTable::launching_step(uint32_t rank, const RankCollective& collective) const {
  const auto& steps = ranks_[rank].steps;
  if (collective.launch_start == 0 || steps.empty() || steps.front().host.is_empty()) return collective.step;
  const auto behind = std::upper_bound(steps.begin(), steps.end(), collective.launch_start,
                                       [](Nanoseconds time, const RankStep& step) { return time < step.host.start; });
  if (behind == steps.begin() || collective.launch_start >= std::prev(behind)->host.end) return kNoStep;
  return static_cast<int32_t>(std::prev(behind) - steps.begin());
}

void SpendingTable::index_between_stages() {
  std::map<std::pair<uint32_t, LaunchOrder>, std::vector<Side>> sides;  // by rank
  for (uint32_t match = 0; match < matches_.size(); ++match) {
    if (!stages_.lies_between(matches_[match])) continue;
    const auto& members = matches_[match].members;
    for (uint32_t i = 0; i < members.size(); ++i)
      sides[{members[i].rank, launch_order(ranks_, members[i])}].push_back({match, i});
  }
  uint32_t rank = kNoIndex, number = 0;
  int32_t step = kNoStep;
  for (const auto& [where, of_unit] : sides) {
    const RankCollective& collective = ranks_[where.first].collectives[where.second.second];
    const int32_t launched_in = launching_step(where.first, collective);
    if (where.first != rank || launched_in != step) number = 0;
    rank = where.first;
    step = launched_in;
    if (step == kNoStep) continue;
    const StageOfRank stage = stages_.stage(rank);
    for (const Side& side : of_unit) {
      const StagePosition position{ranks_[rank].steps[step].number, number++, collective.communicator_size,
                                   stage.is_known() ? stage.number : collective.communicator_rank};
      at_position_[position].push_back(side);
      position_of_[{side.match, side.member}] = position;
    }
  }
}

uint32_t SpendingTable::first_between(uint32_t match, uint32_t member) const {
  const CollectiveMember& which = matches_[match].members[member];
  if (previous_[match] == kNoIndex) return 0;
  const CollectiveMember* before = member_of(matches_[previous_[match]], which.rank, member);
  return before == nullptr ? 0 : before->collective + 1;
}

bool SpendingTable::spent(uint32_t rank, uint32_t from, uint32_t to, Spending& spending) const {
  const RankCollective &then = ranks_[rank].collectives[from], &own = ranks_[rank].collectives[to];
  const SpentBefore more = ranks_[rank].spent.between(from, to);
  spending.device = more.device;
  // Time spent in a collective that all members left together made none of them late for this one.
  Nanoseconds& communication = spending.device.rows[static_cast<size_t>(LedgerRow::kExposedCommUnsplit)];
  communication = std::max<Nanoseconds>(0, communication - then.exposed);
  spending.exchanged = exchanged(rank, to) - exchanged(rank, from) + exchanged_bytes(then);
  spending.has_host = own.launch_start != 0 && then.launch_start != 0;
  spending.host = more.host;
  return true;
}

// The collectives before it have other members, so what it spent since its recording started is all that is known.
bool SpendingTable::since_first_span(const CollectiveMember& member, Spending& spending) const {
  const RankCollective& collective = ranks_[member.rank].collectives[member.collective];
  if (collective.step == kNoStep) return false;
  spending.device = ranks_[member.rank].spent[member.collective].device;
  spending.exchanged = exchanged(member.rank, member.collective);
  return true;
}

bool SpendingTable::since_previous(uint32_t match, uint32_t member, Spending& spending) const {
  const CollectiveMember& which = matches_[match].members[member];
  if (previous_[match] == kNoIndex) return since_first_span(which, spending);
  const CollectiveMember* before = member_of(matches_[previous_[match]], which.rank, member);
  return before != nullptr && spent(which.rank, before->collective, which.collective, spending);
}

bool SpendingTable::typical_of_stage(uint32_t match, uint32_t member, Spending& typical) const {
  const auto position = position_of_.find({match, member});
  if (position == position_of_.end() || previous_[match] == kNoIndex) return false;
  std::vector<Spending> spendings;
  for (const Side& replica : at_position_.at(position->second)) {
    if (spendings.size() == kMostReplicas) break;
    if (Spending spending; since_previous(replica.match, replica.member, spending)) spendings.push_back(spending);
  }
  if (spendings.empty()) return false;
  typical = lower_median(spendings);
  typical.has_host &= spendings.size() > 1;
  return true;
}

Spending SpendingTable::without_stage_excess(uint32_t match, uint32_t member, Spending spent) const {
  const CollectiveMember& which = matches_[match].members[member];
  const CollectiveMember* from = member_of(matches_[previous_[match]], which.rank, member);
  loads_.take_excess(which.rank, from->collective, which.collective, spent.device);
  return spent;
}

SpendingTable::OfMembers SpendingTable::of_members(uint32_t match) const {
  OfMembers found;
  found.spent.resize(matches_[match].members.size());
  found.is_known = !found.spent.empty();
  for (uint32_t i = 0; i < found.spent.size() && found.is_known; ++i)
    found.is_known = since_previous(match, i, found.spent[i]);
  if (!found.is_known) return found;
  std::vector<double> waits;
  for (const CollectiveMember& member : matches_[match].members)
    waits.push_back(static_cast<double>(ranks_[member.rank].collectives[member.collective].wait()));
  found.typical = lower_median(found.spent, waits);
  return found;
}

}  // namespace tauprof
