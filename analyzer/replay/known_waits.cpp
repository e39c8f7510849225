#include "replay/known_waits.h"

#include <algorithm>
#include <map>
#include <utility>

#include "limits/analysis_limits.h"
#include "model/operation_names.h"

namespace tauprof {

bool KnownWaits::is_split(const Subjects::Operation& operation) const {
  const RankCollective& collective = subjects_.collective(operation);
  const bool has_peers = collective.communicator_size != 1;
  const bool waits_for_nobody =
      collective.is_split &&
      (collective.wait() == 0 || (collective.is_one_way() && collective.rare->peer_calls.front().is_send));
  return !has_peers || run_.is_waiting_known(operation.id) || waits_for_nobody;
}

double KnownWaits::least() const { return kMostReplayError * run_.mean_step(run_.measured()); }

std::string KnownWaits::why_not_split(const std::vector<Subjects::Operation>& operations) const {
  const double least = this->least();
  std::map<std::pair<uint32_t, int64_t>, double> unsplit;  // by rank and step, in ns
  for (const Subjects::Operation& one : operations) {
    if (one.collective == kNoIndex || !is_analysed(one) || is_split(one)) continue;
    const auto [start, end] = run_.measured()[one.id];
    if ((unsplit[{one.rank, one.step}] += static_cast<double>(end - start)) > least) return text_of(one);
  }
  return {};
}

std::string KnownWaits::text_of(const Subjects::Operation& one) const {
  return "how long " + std::string(name_of(subjects_.collective(one).operation)) + " of rank " +
         std::to_string(run_.rank_number(one.rank)) + " waits and how long it moves data is not known";
}

// A rank's gain or loss against others shows in how long they wait in collectives. If that is known in most steps, so
// is the gain or loss.
std::vector<std::string> KnownWaits::unknown_by_rank() const {
  std::vector<std::map<int64_t, double>> unsplit(run_.rank_count());  // by step, in ns
  std::vector<std::string> named(run_.rank_count());
  for (const Subjects::Operation& one : subjects_.named_by({Subject::Kind::kCommunication, ""})) {
    if (one.collective == kNoIndex || !is_analysed(one) || is_split(one)) continue;
    const auto [start, end] = run_.measured()[one.id];
    unsplit[one.rank][one.step] += static_cast<double>(end - start);
    if (named[one.rank].empty()) named[one.rank] = text_of(one);
  }
  const double least = this->least();
  std::vector<std::string> unknown(run_.rank_count());
  for (size_t rank = 0; rank < unknown.size(); ++rank) {
    const auto steps = std::count_if(unsplit[rank].begin(), unsplit[rank].end(),
                                     [least](const auto& of_step) { return of_step.second > least; });
    if (2 * static_cast<size_t>(steps) > run_.steps(rank).size()) unknown[rank] = named[rank];
  }
  return unknown;
}

std::string KnownWaits::why_not(const Repair& repair) {
  if (!replayed_) replayed_ = run_.step_numbers();
  const auto is_replayed = [&](int64_t step) { return replayed_->contains(step); };
  if (!repair.steps.empty() && std::none_of(repair.steps.begin(), repair.steps.end(), is_replayed))
    return "none of its steps is among those that are replayed";
  const bool takes_transfers = repair.kind == RepairKind::kRow && moves_data(*repair.row);
  if (repair.ranks.empty() && !takes_transfers) return {};
  if (!unknown_) unknown_ = unknown_by_rank();
  for (size_t rank = 0; rank < unknown_->size(); ++rank)
    if (repair.is_about(run_.rank_number(rank)) && !(*unknown_)[rank].empty()) return (*unknown_)[rank];
  return {};
}

bool KnownWaits::is_analysed(const Subjects::Operation& operation) const {
  const std::vector<GraphStep>& steps = run_.steps(operation.rank);
  return std::any_of(steps.begin(), steps.end(), [&](const GraphStep& step) { return step.number == operation.step; });
}

}  // namespace tauprof
