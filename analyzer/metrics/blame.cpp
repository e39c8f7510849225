#include "metrics/blame.h"

#include <algorithm>

#include "metrics/thresholds.h"

namespace tauprof {
namespace {

// The cause that an excess on a row of the ledger speaks of.
Cause cause_of(LedgerRow row, bool more_spans) {
  switch (row) {
    case LedgerRow::kCompute:
    case LedgerRow::kUnclassified:
      return more_spans ? Cause::kMoreCompute : Cause::kSlowCompute;
    case LedgerRow::kExposedCopy:
    case LedgerRow::kExposedCommUnsplit:
      return Cause::kSlowLink;
    case LedgerRow::kIdleHostSync:
      return Cause::kHostSync;
    case LedgerRow::kIdleHostLaunch:
      return Cause::kHostLaunch;
    case LedgerRow::kIdleDataWait:
      return Cause::kDataWait;
    case LedgerRow::kIdleHostStall:
      return Cause::kHostStall;
    default:
      return Cause::kUnknown;
  }
}

// Of each match: the last complete one on its communicator.
std::vector<uint32_t> previous_on_communicator(const std::vector<MatchedCollective>& matches) {
  std::vector<uint32_t> previous(matches.size(), kNoIndex);
  std::map<std::pair<bool, uint64_t>, uint32_t> last;
  for (uint32_t i = 0; i < matches.size(); ++i) {
    if (matches[i].is_point_to_point || !matches[i].is_complete()) continue;
    const auto [entry, is_first] = last.try_emplace({matches[i].has_identity, matches[i].communicator}, i);
    if (!is_first) previous[i] = entry->second;
    entry->second = i;
  }
  return previous;
}

}  // namespace

BlameTracer::BlameTracer(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches)
    : ranks_(ranks),
      matches_(matches),
      previous_(previous_on_communicator(matches)),
      lead_(ranks, matches),
      reasons_(matches.size()),
      culprits_(matches.size()) {
  for (const RankTimeline& rank : ranks) match_of_unit_.emplace_back(rank.collectives.size(), kNoIndex);
  for (uint32_t i = 0; i < matches.size(); ++i)
    for (const CollectiveMember& member : matches[i].members) match_of_unit_[member.rank][member.collective] = i;
}

const RankCollective& BlameTracer::unit(uint32_t match, uint32_t member) const {
  const CollectiveMember& which = matches_[match].members[member];
  return ranks_[which.rank].collectives[which.collective];
}

std::vector<BlameTracer::Arrival> BlameTracer::arrivals(uint32_t match) const {
  std::vector<Arrival> order;
  for (uint32_t i = 0; i < matches_[match].members.size(); ++i)
    order.push_back({unit(match, i).start + ranks_[matches_[match].members[i].rank].clock_shift, i});
  std::sort(order.begin(), order.end(), [](const Arrival& a, const Arrival& b) { return a.time < b.time; });
  return order;
}

const uint32_t* BlameTracer::member_of(uint32_t match, uint32_t rank) const {
  const auto& members = matches_[match].members;
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const CollectiveMember& member) { return member.rank == rank; });
  return found == members.end() ? nullptr : &found->collective;
}

bool BlameTracer::spent_since_previous(uint32_t match, uint32_t member, Spending& spent) const {
  const RankCollective& own = unit(match, member);
  if (previous_[match] == kNoIndex) return false;
  const uint32_t rank = matches_[match].members[member].rank;
  const uint32_t* before = member_of(previous_[match], rank);
  if (before == nullptr) return false;
  const RankCollective& then = ranks_[rank].collectives[*before];
  for (size_t row = 0; row < kLedgerRowCount; ++row)
    spent.device.rows[row] = own.before.rows[row] - then.before.rows[row];
  // What it spent in that collective itself made nobody late for this one: all left it together.
  Nanoseconds& communication = spent.device.rows[static_cast<size_t>(LedgerRow::kExposedCommUnsplit)];
  communication = std::max<Nanoseconds>(0, communication - then.exposed);
  spent.device.compute_spans = own.before.compute_spans - then.before.compute_spans;
  spent.has_host = own.launch_start != 0 && then.launch_start != 0;
  const HostSpending& now = own.host_before;
  spent.host = {now.sync - then.host_before.sync, now.launch - then.host_before.launch,
                now.data_wait - then.host_before.data_wait, now.stall - then.host_before.stall};
  return true;
}

double BlameTracer::upstream(uint32_t match, uint32_t member,
                             std::map<std::pair<uint32_t, Cause>, double>& culprits) const {
  const CollectiveMember& which = matches_[match].members[member];
  const uint32_t* before = previous_[match] == kNoIndex ? nullptr : member_of(previous_[match], which.rank);
  double waited = 0;
  for (uint32_t i = which.collective; i-- > (before == nullptr ? 0 : *before + 1);) {
    const RankCollective& other = ranks_[which.rank].collectives[i];
    const auto wait = static_cast<double>(std::min(other.wait(), other.exposed));
    const uint32_t its_match = match_of_unit_[which.rank][i];
    if (wait <= 0 || its_match == kNoIndex || culprits_[its_match].empty()) continue;
    waited += wait;
    for (const BlameShare& share : culprits_[its_match]) culprits[{share.rank, share.cause}] += wait * share.share;
  }
  return waited;
}

bool BlameTracer::typical_spending(uint32_t match, Spending& typical) const {
  const auto members = static_cast<uint32_t>(matches_[match].members.size());
  std::vector<Spending> spent(members);
  typical.has_host = true;
  for (uint32_t member = 0; member < members; ++member) {
    if (!spent_since_previous(match, member, spent[member])) return false;
    typical.has_host &= spent[member].has_host;
  }
  const auto lower_median = [&](auto&& value_of) {
    const auto middle = spent.begin() + (members - 1) / 2;
    std::nth_element(spent.begin(), middle, spent.end(),
                     [&](const Spending& a, const Spending& b) { return value_of(a) < value_of(b); });
    return value_of(*middle);
  };
  for (size_t row = 0; row < kLedgerRowCount; ++row)
    typical.device.rows[row] = lower_median([row](const Spending& s) { return s.device.rows[row]; });
  typical.device.compute_spans = lower_median([](const Spending& s) { return s.device.compute_spans; });
  typical.host = {lower_median([](const Spending& s) { return s.host.sync; }),
                  lower_median([](const Spending& s) { return s.host.launch; }),
                  lower_median([](const Spending& s) { return s.host.data_wait; }),
                  lower_median([](const Spending& s) { return s.host.stall; })};
  return true;
}

void BlameTracer::add_device_excess(uint32_t match, uint32_t member, const Spending& own, const Spending& typical,
                                    Excess& sums) const {
  const uint32_t rank = matches_[match].members[member].rank;
  // At least half of the kernels that it ran more of must be more work, not catching up.
  const auto more = static_cast<int64_t>(own.device.compute_spans) - static_cast<int64_t>(typical.device.compute_spans);
  const bool more_spans = more > 0 && 2 * lead_.gained(match, member) >= more;
  for (size_t row = 0; row < kLedgerRowCount; ++row) {
    auto excess = static_cast<double>(own.device.rows[row] - typical.device.rows[row]);
    if (excess <= 0) continue;
    if (static_cast<LedgerRow>(row) == LedgerRow::kExposedCommUnsplit) {
      std::map<std::pair<uint32_t, Cause>, double> culprits;
      const double waited = upstream(match, member, culprits);
      const double moved = std::min(excess, waited);
      for (const auto& [who, amount] : culprits) sums[who] += moved * amount / waited;
      excess -= moved;
    }
    if (excess > 0) sums[{rank, cause_of(static_cast<LedgerRow>(row), more_spans)}] += excess;
  }
}

Nanoseconds BlameTracer::idle_excess(const Spending& own, const Spending& typical) {
  Nanoseconds sum = 0;
  for (auto row = static_cast<size_t>(LedgerRow::kIdleDependency); row < kLedgerRowCount; ++row)
    sum += std::max<Nanoseconds>(0, own.device.rows[row] - typical.device.rows[row]);
  return sum;
}

void BlameTracer::add_host_excess(uint32_t match, uint32_t member, const Spending& own, const Spending& typical,
                                  Excess& sums) const {
  const uint32_t rank = matches_[match].members[member].rank;
  const auto add = [&](Nanoseconds excess, Cause cause) {
    if (excess > 0) sums[{rank, cause}] += static_cast<double>(excess);
  };
  add(own.host.launch - typical.host.launch, Cause::kHostLaunch);
  add(own.host.data_wait - typical.host.data_wait, Cause::kDataWait);
  add(own.host.stall - typical.host.stall, Cause::kHostStall);
  const auto synchronised = static_cast<double>(own.host.sync - typical.host.sync);
  if (synchronised <= 0) return;
  // A thread that waits for its device is as late as the device is: ask that.
  Excess device;
  add_device_excess(match, member, own, typical, device);
  double total = 0;
  for (const auto& [who, amount] : device) total += amount;
  if (total <= 0) return add(own.host.sync - typical.host.sync, Cause::kHostSync);
  for (const auto& [who, amount] : device) sums[who] += synchronised * amount / total;
}

std::vector<BlameShare> BlameTracer::reasons(uint32_t match, uint32_t member, Nanoseconds lateness,
                                             const Spending* typical) const {
  const uint32_t rank = matches_[match].members[member].rank;
  const std::vector<BlameShare> nothing_known{{rank, Cause::kUnknown, 1}};
  Spending own;
  if (typical == nullptr || !spent_since_previous(match, member, own)) return nothing_known;
  const RankCollective& late = unit(match, member);
  const bool started_directly = typical->has_host && late.start - late.launch_end <= kDirectStart;
  Excess excess;
  if (started_directly && 2 * idle_excess(own, *typical) < lateness)
    add_host_excess(match, member, own, *typical, excess);
  else
    add_device_excess(match, member, own, *typical, excess);
  double explained = 0;
  for (const auto& [who, amount] : excess) explained += amount;
  // What no excess explains was there before: the rank came late to the previous collective, too.
  const double inherited = std::max(0.0, static_cast<double>(lateness) - explained);
  const auto before = reasons_[previous_[match]].find(rank);
  const std::vector<BlameShare>& earlier = before == reasons_[previous_[match]].end() ? nothing_known : before->second;
  const double total = explained + inherited;
  if (total <= 0) return nothing_known;
  for (const BlameShare& share : earlier)
    if (inherited > 0) excess[{share.rank, share.cause}] += inherited * share.share;
  std::vector<BlameShare> result;
  for (const auto& [who, amount] : excess) result.push_back({who.first, who.second, amount / total});
  return result;
}

std::vector<double> BlameTracer::direct_blame(uint32_t match, const std::vector<Arrival>& order) const {
  const size_t n = order.size();
  std::vector<int64_t> waiters(n + 1, 0);  // in the slice after each arrival, as differences
  for (size_t i = 0; i < n; ++i) {
    const uint32_t rank = matches_[match].members[order[i].member].rank;
    const Nanoseconds ready = unit(match, order[i].member).ready + ranks_[rank].clock_shift;
    const auto until = std::lower_bound(order.begin(), order.end(), ready,
                                        [](const Arrival& a, Nanoseconds time) { return a.time < time; });
    const auto last = static_cast<size_t>(until - order.begin());
    if (last <= i) continue;
    ++waiters[i];
    --waiters[last];
  }
  std::vector<double> blame(n, 0);
  double so_far = 0;
  int64_t waiting = 0;
  for (size_t slice = 0; slice + 1 < n; ++slice) {
    waiting += waiters[slice];
    const Nanoseconds length = order[slice + 1].time - order[slice].time;
    so_far += static_cast<double>(length) * static_cast<double>(waiting) / static_cast<double>(n - slice - 1);
    blame[slice + 1] = so_far;
  }
  return blame;
}

std::vector<BlameTracer::Blame> BlameTracer::trace() {
  std::vector<std::pair<Nanoseconds, uint32_t>> by_ready;
  for (uint32_t i = 0; i < matches_.size(); ++i) {
    const bool is_split = std::all_of(matches_[i].members.begin(), matches_[i].members.end(), [&](const auto& member) {
      return ranks_[member.rank].collectives[member.collective].is_split;
    });
    if (is_split && matches_[i].members.size() > 1) by_ready.emplace_back(arrivals(i).back().time, i);
  }
  std::sort(by_ready.begin(), by_ready.end());
  std::vector<Blame> result;
  for (const auto& [ready, match] : by_ready) {
    const std::vector<Arrival> order = arrivals(match);
    const std::vector<double> direct = direct_blame(match, order);
    Spending typical;
    const bool comparable = typical_spending(match, typical);
    std::map<std::pair<uint32_t, Cause>, double> sums;
    double total = 0;
    for (size_t late = 0; late < order.size(); ++late) {
      if (direct[late] <= 0) continue;
      const Nanoseconds lateness = order[late].time - order[(order.size() - 1) / 2].time;
      Blame blame{match, matches_[match].members[order[late].member].rank,
                  reasons(match, order[late].member, lateness, comparable ? &typical : nullptr)};
      reasons_[match][blame.late_rank] = blame.shares;
      for (BlameShare& share : blame.shares) {
        share.share *= direct[late];
        sums[{share.rank, share.cause}] += share.share;
        total += share.share;
      }
      result.push_back(std::move(blame));
    }
    for (const auto& [who, amount] : sums) culprits_[match].push_back({who.first, who.second, amount / total});
  }
  return result;
}

}  // namespace tauprof
