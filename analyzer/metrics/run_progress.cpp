#include "metrics/run_progress.h"

#include <algorithm>
#include <map>
#include <set>

namespace tauprof {
namespace {

bool is_same_call(const CalledCollective& a, const CalledCollective& b) {
  return a.operation == b.operation && a.datatype == b.datatype && a.count == b.count && a.peer == b.peer;
}

class Search {
 public:
  explicit Search(const std::vector<RankTimeline>& ranks) : ranks_(ranks) {}

  RunProgress run() {
    for (const RankTimeline& rank : ranks_) newest_ = std::max(newest_, rank.run_clock.to_run(rank.progress.last_sign));
    for (const RankTimeline& rank : ranks_) describe(rank);
    std::map<uint64_t, std::vector<Member>> members;
    for (const RankTimeline& rank : ranks_)
      for (const CommunicatorProgress& progress : rank.progress.communicators)
        members[progress.identity].push_back({&rank, &progress});
    for (const auto& [identity, of_communicator] : members) result_.communicators.push_back(look_at(of_communicator));
    std::stable_sort(result_.communicators.begin(), result_.communicators.end(),
                     [](const CommunicatorState& a, const CommunicatorState& b) { return waited(a) > waited(b); });
    suspect();
    return std::move(result_);
  }

 private:
  struct Member {
    const RankTimeline* rank;
    const CommunicatorProgress* progress;
  };

  static Nanoseconds waited(const CommunicatorState& state) { return state.waiting ? state.waiting->waited : -1; }
  bool is_stuck(const CommunicatorState& state) const {
    if (result_.is_finished || !state.waiting || state.waiting->waited < kStuck) return false;
    if (!state.waiting->not_entered.empty() || !state.waiting->different.empty()) return true;
    return std::any_of(result_.ranks.begin(), result_.ranks.end(), [&](const RankState& rank) {
      return rank.progress.is_in_call && rank.doing_for >= kStuck &&
             std::find(state.ranks.begin(), state.ranks.end(), rank.rank) != state.ranks.end();
    });
  }

  void describe(const RankTimeline& rank) {
    RankState state;
    state.rank = rank.rank;
    state.progress = rank.progress;
    state.silent_for = newest_ - rank.run_clock.to_run(rank.progress.last_sign);
    state.is_silent = !rank.progress.is_closed && state.silent_for > kSilence;
    const Nanoseconds until = rank.progress.is_closed ? rank.progress.last_sign : newest_;
    state.doing_for = std::max<Nanoseconds>(0, until - rank.run_clock.to_run(rank.progress.since));
    result_.is_finished &= rank.progress.is_closed;
    result_.ranks.push_back(std::move(state));
  }

  CommunicatorState look_at(const std::vector<Member>& members) const {
    CommunicatorState state;
    int64_t completed = INT64_MAX;
    for (const auto& [rank, progress] : members) {
      state.ranks.push_back(rank->rank);
      state.size = std::max(state.size, progress->size);
      if (state.name.empty()) state.name = progress->name;
      state.furthest = std::max(state.furthest, progress->entered);
      completed = std::min(completed, progress->completed);
    }
    if (state.name.empty()) state.name = hexadecimal(members.front().progress->identity);
    if (completed > 0) state.completed = completed;
    // Records of what devices have done may come late: look for the first at which the members differ.
    for (int64_t sequence = completed + 1; sequence <= state.furthest; ++sequence) {
      WaitingCollective waiting = waiting_in(sequence, members, state.size);
      const bool all_came = waiting.not_entered.empty() && waiting.different.empty();
      if (all_came && sequence < state.furthest) continue;
      state.waiting = std::move(waiting);
      break;
    }
    return state;
  }

  static std::string hexadecimal(uint64_t identity) {
    char text[24];
    snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(identity));
    return text;
  }

  static const CalledCollective* called(const CommunicatorProgress& progress, int64_t sequence) {
    for (const CalledCollective& call : progress.recent)
      if (call.sequence == sequence) return &call;
    return nullptr;
  }

  WaitingCollective waiting_in(int64_t sequence, const std::vector<Member>& members, int32_t size) const {
    WaitingCollective waiting;
    waiting.call = most_common(sequence, members);
    waiting.call.sequence = sequence;
    waiting.without_log = std::max(0, size - static_cast<int32_t>(members.size()));
    for (const auto& [rank, progress] : members) {
      if (progress->entered < sequence) {
        waiting.not_entered.push_back(rank->rank);
        continue;
      }
      const CalledCollective* call = called(*progress, sequence);
      if (call != nullptr && !is_same_call(*call, waiting.call))
        waiting.different.push_back({rank->rank, *call});
      else
        waiting.entered.push_back(rank->rank);
      if (call != nullptr && call->called != 0)
        waiting.waited = std::max(waiting.waited, newest_ - rank->run_clock.to_run(call->called));
    }
    return waiting;
  }

  // Of equally common ones the one of the lowest rank.
  static CalledCollective most_common(int64_t sequence, const std::vector<Member>& members) {
    std::vector<std::pair<CalledCollective, size_t>> calls;
    for (const auto& [rank, progress] : members) {
      const CalledCollective* call = called(*progress, sequence);
      if (call == nullptr) continue;
      const auto known = std::find_if(calls.begin(), calls.end(),
                                      [&](const auto& counted) { return is_same_call(counted.first, *call); });
      if (known == calls.end())
        calls.emplace_back(*call, 1);
      else
        ++known->second;
    }
    const auto most =
        std::max_element(calls.begin(), calls.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == calls.end() ? CalledCollective{} : most->first;
  }

  void suspect() {
    std::set<int32_t> waiting;  // ranks that have come to a collective that hangs
    for (const CommunicatorState& state : result_.communicators) {
      if (!is_stuck(state)) continue;
      result_.is_stuck = true;
      waiting.insert(state.waiting->entered.begin(), state.waiting->entered.end());
    }
    std::map<int32_t, SuspectReason> suspects;
    for (const CommunicatorState& state : result_.communicators) {
      if (!is_stuck(state)) continue;
      for (const int32_t rank : state.waiting->not_entered)
        if (waiting.count(rank) == 0) suspects.emplace(rank, reason_of(rank));
      for (const DifferentCall& different : state.waiting->different)
        suspects[different.rank] = SuspectReason::kDifferentCall;
      // Two members that disagree: nothing tells which of them is wrong.
      if (!state.waiting->different.empty() && state.waiting->entered.size() == 1)
        suspects[state.waiting->entered.front()] = SuspectReason::kDifferentCall;
    }
    for (const RankState& rank : result_.ranks)
      if (rank.is_silent) suspects.emplace(rank.rank, SuspectReason::kSilent);
    for (const int32_t rank : without_log())
      if (result_.is_stuck) suspects.emplace(rank, SuspectReason::kNoLog);
    for (const auto& [rank, reason] : suspects) result_.suspects.push_back({rank, reason});
  }

  SuspectReason reason_of(int32_t rank) const {
    for (const RankState& state : result_.ranks) {
      if (state.rank != rank) continue;
      if (state.progress.is_closed) return SuspectReason::kEnded;
      if (state.is_silent) return SuspectReason::kSilent;
    }
    return SuspectReason::kElsewhere;
  }

  // Ranks of the job, where a collective hangs all of whose recorded members have come.
  std::vector<int32_t> without_log() const {
    const bool lacks = std::any_of(result_.communicators.begin(), result_.communicators.end(), [&](const auto& state) {
      return is_stuck(state) && state.waiting->without_log > 0 && state.waiting->not_entered.empty() &&
             state.waiting->different.empty();
    });
    std::vector<int32_t> missing;
    int32_t world = 0;
    std::set<int32_t> present;
    for (const RankTimeline& rank : ranks_) {
      world = std::max(world, rank.world_size);
      present.insert(rank.rank);
    }
    for (int32_t rank = 0; lacks && rank < world; ++rank)
      if (present.count(rank) == 0) missing.push_back(rank);
    return missing;
  }

  const std::vector<RankTimeline>& ranks_;
  Nanoseconds newest_ = INT64_MIN;  // sign of any rank, on the run's clock
  RunProgress result_;
};

}  // namespace

RunProgress run_progress(const std::vector<RankTimeline>& ranks) { return Search(ranks).run(); }

}  // namespace tauprof
