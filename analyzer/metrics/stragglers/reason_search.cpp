#include "metrics/stragglers/reason_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "limits/analysis_limits.h"
#include "metrics/statistics/statistics.h"
#include "metrics/stragglers/excess_cause.h"
#include "metrics/stragglers/more_work.h"

namespace tauprof {
namespace {

// Time that the rank spent computing only to catch up.
Nanoseconds caught_up_time(const SpentTime& own, LedgerRow row, double caught_up) {
  if (row != LedgerRow::kCompute || caught_up <= 0) return 0;
  return std::llround(caught_up / own.work.kernels * static_cast<double>(own.rows[static_cast<size_t>(row)]));
}

Nanoseconds sum(const Spending& spent) {
  return std::accumulate(spent.device.rows.begin(), spent.device.rows.end(), Nanoseconds{0});
}

}  // namespace

double ReasonSearch::upstream(uint32_t match, uint32_t member, Charges& culprits) const {
  const CollectiveMember& which = tables_.matches[match].members[member];
  const uint32_t first = tables_.spending.first_between(match, member);
  const auto& collectives = tables_.ranks[which.rank].collectives;
  const Nanoseconds since = first == 0 ? INT64_MIN : collectives[first - 1].start;
  double waited = 0;
  // Collectives that started before the previous one may have waited beyond it.
  const uint32_t last = first - std::min<uint32_t>(first, kMostAtOnce);
  for (uint32_t i = which.collective; i-- > last;) {
    if (tables_.waited_until[which.rank][i] <= since) break;
    if (i + 1 == first) continue;
    const RankCollective& other = collectives[i];
    const uint32_t its_match = tables_.match_of_unit[which.rank][i];
    if (its_match == kNoIndex) continue;
    // Of a collective that lacks a member's log, nobody knows which part is waiting, nor for whom.
    const bool lacks_member = !other.is_split && !tables_.matches[its_match].is_complete();
    if (!lacks_member && !traced_[its_match].is_traced) continue;
    const Nanoseconds until = lacks_member ? other.end : other.ready;
    const auto wait = static_cast<double>(std::min(until - std::max(since, other.start), other.exposed));
    if (wait <= 0) continue;
    waited += wait;
    for (const TracedMatch::Culprit& share : traced_[its_match].culprits)
      culprits.of(share.rank, share.cause).bring(kept_origin(its_match), wait * share.share);
  }
  return waited;
}

const ReasonSearch::UpstreamTimes& ReasonSearch::typical_upstream(uint32_t match) {
  if (std::exchange(upstream_of_, match) == match) return typical_upstream_;
  const size_t n = tables_.matches[match].members.size();
  std::map<std::pair<uint32_t, Cause>, std::vector<double>> times;
  for (uint32_t member = 0; member < n; ++member) {
    culprits_of_waits_.clear();
    upstream(match, member, culprits_of_waits_);
    for (const Charge& culprit : culprits_of_waits_) times[{culprit.rank, culprit.cause}].push_back(culprit.time.ns);
  }
  culprits_of_waits_.clear();
  typical_upstream_.clear();
  for (auto& [who, of_members] : times) {
    of_members.resize(n);
    const auto middle = of_members.begin() + static_cast<std::ptrdiff_t>((n - 1) / 2);
    std::nth_element(of_members.begin(), middle, of_members.end());
    typical_upstream_[who] = *middle;
  }
  return typical_upstream_;
}

uint32_t ReasonSearch::slow_link_of(uint32_t match, uint32_t member) const {
  const CollectiveMember& which = tables_.matches[match].members[member];
  // The previous collective counts, too: its members left together, but late.
  const uint32_t first = tables_.spending.first_between(match, member);
  for (uint32_t i = which.collective; i-- > (first == 0 ? 0 : first - 1);)
    if (const uint32_t its_match = tables_.match_of_unit[which.rank][i]; its_match != kNoIndex)
      if (const uint32_t culprit = tables_.links.culprit(its_match); culprit != kNoIndex) return culprit;
  return which.rank;
}

void ReasonSearch::add_device_excess(uint32_t match, uint32_t member, const Spending& own, const Spending& typical,
                                    KernelTimes::Peers peers, Charges& charges) const {
  const uint32_t rank = tables_.matches[match].members[member].rank;
  const bool is_between_stages = tables_.stages.lies_between(tables_.matches[match]);
  // Between stages no rank runs ahead beside a message, so all extra work there is new; and so it is at the first
  // collective.
  const ComputeWork more = own.device.work - typical.device.work;
  const bool is_new = is_between_stages || tables_.spending.previous(match) == kNoIndex;
  const ComputeWork gained = is_new ? more : tables_.lead.gained(match, member);
  const ComputeWork additional = tables_.kernel_times.only_additional(rank, peers, gained);
  BesidePeers beside{
      why_longer(computing(own.device, own.exchanged), computing(typical.device, typical.exchanged), additional), false,
      copies_more(own.device, typical.device)};
  const double caught_up = more.kernels - gained.kernels;
  for (size_t row = 0; row < kLedgerRowCount; ++row) {
    const Nanoseconds arrears = caught_up_time(own.device, static_cast<LedgerRow>(row), caught_up);
    auto excess = static_cast<double>(own.device.rows[row] - typical.device.rows[row] - arrears);
    const bool computes =
        static_cast<LedgerRow>(row) == LedgerRow::kCompute || static_cast<LedgerRow>(row) == LedgerRow::kUnclassified;
    if (computes && excess <= (kLonger - 1) * static_cast<double>(typical.device.rows[row])) continue;
    if (static_cast<LedgerRow>(row) == LedgerRow::kExposedCommUnsplit || excess <= 0) continue;
    if (static_cast<LedgerRow>(row) == LedgerRow::kExposedCopy)
      beside.copies_input_longer = tables_.input_times.explain(rank, steps_since_previous(match, member), excess);
    charges.of(rank, cause_of(static_cast<LedgerRow>(row), beside)).ns += excess;
  }
}

void ReasonSearch::add_communication_excess(uint32_t match, uint32_t member, const Spending& own,
                                           const Spending& typical, Charges& charges) {
  constexpr auto kRow = static_cast<size_t>(LedgerRow::kExposedCommUnsplit);
  const bool is_between_stages = tables_.stages.lies_between(tables_.matches[match]);
  auto excess = static_cast<double>(own.device.rows[kRow] - typical.device.rows[kRow]);
  if (excess <= 0 && !is_between_stages) return;
  // Between stages, waiting is excess as far as somebody is to blame for it and the others did not wait for it, too.
  const UpstreamTimes* const of_typical = is_between_stages ? &typical_upstream(match) : nullptr;
  culprits_of_waits_.clear();
  const double waited = upstream(match, member, culprits_of_waits_);
  if (of_typical != nullptr)
    for (const auto& [who, ns] : *of_typical)
      if (ChargedTime* const own_wait = culprits_of_waits_.find(who.first, who.second); own_wait != nullptr) {
        const ChargedTime all = std::exchange(*own_wait, {});
        if (all.ns > ns) own_wait->add(all, all.ns - ns);
      }
  const double blamed = culprits_of_waits_.sum();
  const double moved = is_between_stages ? blamed : std::min(excess, blamed);
  for (const Charge& culprit : culprits_of_waits_)
    if (culprit.time.ns > 0)
      charges.of(culprit.rank, culprit.cause).add(culprit.time, moved * culprit.time.ns / blamed);
  // Waiting that nobody is to blame for, or nobody known, explains its share of the excess, but passes no blame on.
  if (const double unblamed = std::min(excess, waited) - moved; unblamed > 0) charges.of_nobody().ns += unblamed;
  excess -= waited;
  if (excess <= 0) return;
  // A receive that was posted early hides what the device does meanwhile.
  const uint32_t rank = tables_.matches[match].members[member].rank;
  if (is_between_stages && tables_.input_times.explain(rank, steps_since_previous(match, member), excess))
    charges.of(rank, Cause::kInputCopy).ns += excess;
  else
    charges.of(slow_link_of(match, member), Cause::kSlowLink).ns += excess;
}

double ReasonSearch::left_later(uint32_t match, uint32_t member) const {
  const uint32_t origin = tables_.spending.previous(match), rank = tables_.matches[match].members[member].rank;
  if (origin == kNoIndex || tables_.matches[origin].operation != log::Operation::kAllToAll) return 0;
  std::vector<double> ends, sizes;
  double end = 0, size = 0;  // its own
  for (uint32_t i = 0; i < tables_.matches[origin].members.size(); ++i) {
    const uint32_t its_rank = tables_.matches[origin].members[i].rank;
    ends.push_back(static_cast<double>(tables_.ranks[its_rank].run_clock.to_run(tables_.unit(origin, i).end)));
    sizes.push_back(exchanged_bytes(tables_.unit(origin, i)));
    if (its_rank == rank) end = ends.back(), size = sizes.back();
  }
  return size > kMoreWork * lower_median(sizes) ? std::max(0.0, end - lower_median(ends)) : 0;
}

std::pair<int64_t, int64_t> ReasonSearch::steps_since_previous(uint32_t match, uint32_t member) const {
  const CollectiveMember& which = tables_.matches[match].members[member];
  const RankTimeline& rank = tables_.ranks[which.rank];
  const int32_t last = rank.collectives[which.collective].step;
  if (last == kNoStep) return {0, -1};
  const uint32_t first_between = tables_.spending.first_between(match, member);
  const int32_t before = first_between == 0 ? kNoStep : rank.collectives[first_between - 1].step;
  const int32_t first = before == kNoStep ? last : std::min(before + 1, last);
  return {rank.steps[first].number, rank.steps[last].number};
}

Nanoseconds ReasonSearch::idle_excess(const Spending& own, const Spending& typical) {
  Nanoseconds sum = 0;
  for (size_t row = 0; row < kLedgerRowCount; ++row)
    if (is_idle(static_cast<LedgerRow>(row)))
      sum += std::max<Nanoseconds>(0, own.device.rows[row] - typical.device.rows[row]);
  return sum;
}

void ReasonSearch::add_host_excess(uint32_t match, uint32_t member, const Spending& own, const Spending& typical) {
  const uint32_t rank = tables_.matches[match].members[member].rank;
  const auto add = [&](Nanoseconds excess, Cause cause) {
    if (excess > 0) excess_.of(rank, cause).ns += static_cast<double>(excess);
  };
  const HostSpending more = own.host - typical.host;
  for (const LedgerRow row : kHostRows)
    if (row != LedgerRow::kIdleHostSync) add(more[row], cause_of_more(row));
  const auto synchronised = static_cast<double>(more[LedgerRow::kIdleHostSync]);
  if (synchronised <= 0) return;
  // A thread that waits for its device is late because the device is: look at the device's excess.
  device_excess_.clear();
  add_device_excess(match, member, own, typical, KernelTimes::Peers::kOfStage, device_excess_);
  add_communication_excess(match, member, own, typical, device_excess_);
  const double total = device_excess_.sum();
  if (total <= 0) return add(more[LedgerRow::kIdleHostSync], Cause::kHostSync);
  for (const Charge& charge : device_excess_)
    excess_.of(charge.rank, charge.cause).add(charge.time, synchronised * charge.time.ns / total);
}

// Lateness that no excess explains was inherited: the rank was late at the previous collective, too. Between stages it
// lies in the pipeline's nature, unless the rank was the receiver of the last message between the two and came when the
// sender had left: waiting for anybody since then would have made up for that.
ReasonSearch::Inherited ReasonSearch::inherited(uint32_t match, uint32_t member, const Spending& own,
                                                double unexplained) const {
  const uint32_t origin = tables_.spending.previous(match), rank = tables_.matches[match].members[member].rank;
  std::optional<std::span<const BlameShare>> earlier;
  if (origin != kNoIndex && traced_[origin].reasons != nullptr) earlier = traced_[origin].reasons->of(rank);
  if (!tables_.stages.lies_between(tables_.matches[match])) return {unexplained, earlier};
  if (origin == kNoIndex || traced_[origin].unwaited == 0 || !earlier) return {};
  const Nanoseconds waited = own.device.rows[static_cast<size_t>(LedgerRow::kExposedCommUnsplit)];
  return {std::clamp(static_cast<double>(traced_[origin].unwaited - waited), 0.0, unexplained), earlier};
}

void ReasonSearch::add_reasons(const PreparedMatch& prepared, uint32_t member, Nanoseconds lateness,
                              LateReasons& found) {
  const uint32_t match = prepared.match;
  const uint32_t rank = tables_.matches[match].members[member].rank;
  found.start(rank);
  const bool is_between_stages = tables_.stages.lies_between(tables_.matches[match]);
  // Members reach a communicator's first collective from start-up, whose duration is nobody's fault.
  const bool is_first = tables_.unit(match, member).has_identity && tables_.unit(match, member).sequence == 1;
  const auto nothing_known = [&] { found.add({rank, Cause::kUnknown, is_between_stages || is_first ? 0.0 : 1.0}); };
  if (is_first) return nothing_known();
  struct InStage {
    Spending own, typical, usual;
  };
  std::optional<InStage> in_stage;
  if (is_between_stages) in_stage.emplace();
  if (in_stage ? !tables_.spending.typical_of_stage(match, member, in_stage->typical) ||
                     !tables_.spending.since_previous(match, member, in_stage->own)
               : !prepared.spending.is_known)
    return nothing_known();
  const Spending& own = in_stage ? in_stage->own : prepared.spending.spent[member];
  const Spending& typical = in_stage ? in_stage->typical : prepared.spending.typical;
  const uint32_t origin = tables_.spending.previous(match);
  // Recordings that started together are a common origin.
  if (origin == kNoIndex && are_most(std::abs(sum(own) - sum(typical) - lateness), lateness)) return nothing_known();
  const RankCollective& late = tables_.unit(match, member);
  const bool started_directly = typical.has_host && late.start - late.launch_end <= kDirectStart;
  // Between stages most of the lateness may lie in the pipeline's nature.
  if (in_stage) in_stage->usual = tables_.spending.without_stage_excess(match, member, typical);
  const Spending& usual = in_stage ? in_stage->usual : typical;
  const Nanoseconds in_question = is_between_stages ? std::min(lateness, sum(own) - sum(usual)) : lateness;
  excess_.clear();
  if (started_directly && !explains(idle_excess(own, usual), in_question)) {
    add_host_excess(match, member, own, typical);
  } else {
    add_device_excess(match, member, own, typical, KernelTimes::Peers::kOfStage, excess_);
    add_communication_excess(match, member, own, typical, excess_);
    // The rank may be slow at what is more of in its stage; each excess has a cause of its own.
    if (is_between_stages) add_device_excess(match, member, typical, usual, KernelTimes::Peers::kAll, excess_);
  }
  if (const double later = left_later(match, member); later > 0) excess_.of(rank, Cause::kMoreTokens).ns += later;
  const double explained = excess_.sum();
  std::array<double, kCauseCount> since_previous{};  // its own
  for (const Charge& charge : excess_)
    if (charge.rank == rank) since_previous[static_cast<size_t>(charge.cause)] = charge.time.ns;
  const double unexplained = std::max(0.0, static_cast<double>(lateness) - explained);
  const double total = explained + unexplained;
  if (total <= 0) return nothing_known();
  const Inherited brought = inherited(match, member, own, unexplained);
  if (brought.time > 0 && !brought.shares) excess_.of(rank, Cause::kUnknown).ns += brought.time;
  if (brought.time > 0 && brought.shares)
    for (const BlameShare& share : *brought.shares)
      excess_.of(share.rank, share.cause).bring(kept_origin(origin), brought.time * share.share);
  for (Charge& charge : excess_.take_largest(kMostShares)) {
    const double of_itself = charge.rank == rank ? since_previous[static_cast<size_t>(charge.cause)] : 0;
    charge.time.scale(1 / total);
    found.add({charge.rank, charge.cause, charge.time.ns, of_itself, std::move(charge.time.brought)});
  }
}

}  // namespace tauprof
