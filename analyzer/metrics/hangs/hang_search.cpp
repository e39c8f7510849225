#include "metrics/hangs/hang_search.h"

#include <algorithm>
#include <map>
#include <set>

namespace tauprof {
namespace {

using Participant = HangingOperation::Participant;

// A rank's first call of a hanging operation, and the first one of another group. Calls without a group are apart from
// all others.
class FirstCalls {
 public:
  void add(const Participant& call) {
    if (first_ == nullptr || call.called < first_->called) {
      if (first_ != nullptr && are_apart(*first_, call)) apart_ = first_;
      first_ = &call;
    } else if (are_apart(*first_, call) && (apart_ == nullptr || call.called < apart_->called)) {
      apart_ = &call;
    }
  }
  // Whether a call came before this one that is not of its group.
  bool come_before(const Participant& call) const {
    const Participant* const other = are_apart(*first_, call) ? first_ : apart_;
    return other != nullptr && other->called < call.called;
  }

 private:
  static bool are_apart(const Participant& a, const Participant& b) { return a.group == 0 || a.group != b.group; }

  const Participant* first_ = nullptr;
  const Participant* apart_ = nullptr;
};

class WaitGraph {
 public:
  explicit WaitGraph(const std::vector<HangingOperation>& operations)
      : operations_(operations), missing_(operations.size()) {
    for (const HangingOperation& operation : operations)
      for (const Participant& participant : operation.participants)
        if (participant.has_called) first_calls_[participant.rank].add(participant);
    for (size_t i = 0; i < operations.size(); ++i) divide(i);
  }

  HangCauses causes() {
    HangCauses causes;
    std::set<int32_t> explained;
    for (size_t i = 0; i < operations_.size(); ++i)
      for (const Participant* participant : missing_[i])
        if (participant->is_different || waits_of_.count(participant->rank) == 0) explained.insert(participant->rank);
    for (const int32_t rank : explained)
      if (different_.count(rank) == 0) causes.not_come.push_back(rank);
    for (;;) {
      spread(explained);
      const auto left = std::find_if(waits_of_.begin(), waits_of_.end(),
                                     [&](const auto& waits) { return explained.count(waits.first) == 0; });
      if (left == waits_of_.end()) return causes;
      causes.deadlocks.push_back(circle_from(left->first));
      for (const RankWait& wait : causes.deadlocks.back()) explained.insert(wait.rank);
    }
  }

 private:
  // Participants that have come wait for those that have not, if there are any.
  void divide(size_t operation) {
    std::vector<int32_t> present;
    for (const Participant& participant : operations_[operation].participants)
      if (has_come(participant))
        present.push_back(participant.rank);
      else
        missing_[operation].push_back(&participant);
    if (missing_[operation].empty()) return;
    for (const int32_t rank : present) waits_of_[rank].push_back(operation);
    for (const Participant* participant : missing_[operation])
      if (participant->is_different) different_.insert(participant->rank);
  }

  // Whether it called another hanging operation before this one, and so is still in that one.
  bool is_queued(const Participant& participant) const {
    return first_calls_.at(participant.rank).come_before(participant);
  }

  bool has_come(const Participant& participant) const {
    return participant.has_called && !participant.is_different && !participant.is_silent && !is_queued(participant);
  }

  // Whoever waits for an explained rank is explained, too.
  void spread(std::set<int32_t>& explained) const {
    for (bool has_grown = true; has_grown;) {
      has_grown = false;
      std::vector<bool> is_explained(operations_.size());
      for (size_t i = 0; i < operations_.size(); ++i)
        is_explained[i] = std::any_of(missing_[i].begin(), missing_[i].end(),
                                      [&](const Participant* other) { return explained.count(other->rank) > 0; });
      for (const auto& [rank, waits] : waits_of_)
        if (std::any_of(waits.begin(), waits.end(), [&](size_t operation) { return is_explained[operation]; }))
          has_grown |= explained.insert(rank).second;
    }
  }

  // Follows waits until a rank comes up again. It always does: a rank that is not explained waits only for such ranks.
  std::vector<RankWait> circle_from(int32_t rank) const {
    std::vector<RankWait> path;
    for (;;) {
      const auto begin =
          std::find_if(path.begin(), path.end(), [&](const RankWait& wait) { return wait.rank == rank; });
      if (begin != path.end()) return {begin, path.end()};
      const size_t operation = waits_of_.at(rank).front();
      const int32_t next = missing_[operation].front()->rank;
      path.push_back({rank, next, operations_[operation].communicator, operations_[operation].call});
      rank = next;
    }
  }

  const std::vector<HangingOperation>& operations_;
  std::map<int32_t, FirstCalls> first_calls_;             // by rank
  std::vector<std::vector<const Participant*>> missing_;  // by operation: who has not come
  std::map<int32_t, std::vector<size_t>> waits_of_;       // by rank: the operations that it waits in
  std::set<int32_t> different_;                           // ranks that called something else
};

}  // namespace

HangCauses find_hang_causes(const std::vector<HangingOperation>& operations) { return WaitGraph(operations).causes(); }

}  // namespace tauprof
