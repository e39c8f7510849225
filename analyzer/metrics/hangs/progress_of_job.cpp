#include "metrics/hangs/progress_of_job.h"

#include <algorithm>
#include <map>
#include <set>

#include "limits/analysis_limits.h"
#include "metrics/collectives/communicator_name.h"
#include "metrics/hangs/rank_waits.h"
#include "metrics/hangs/suspects.h"

namespace tauprof {
namespace {

bool is_same_call(const CalledCollective& a, const CalledCollective& b) {
  return a.operation == b.operation && a.datatype == b.datatype && a.count == b.count && a.peer == b.peer;
}

struct Member {
  const RankTimeline* rank;
  const CommunicatorProgress* progress;
};
using Members = std::vector<Member>;

class ProgressSearch {
 public:
  explicit ProgressSearch(const std::vector<RankTimeline>& ranks) : ranks_(ranks) {}

  JobProgress run() {
    for (const RankTimeline& rank : ranks_) newest_ = std::max(newest_, rank.run_clock.to_run(rank.progress.last_sign));
    result_.patience = std::max(kStuck, longest_step());
    for (const RankTimeline& rank : ranks_) describe(rank);
    std::map<uint64_t, Members> members;
    for (const RankTimeline& rank : ranks_)
      for (const CommunicatorProgress& progress : rank.progress.communicators)
        members[progress.identity].push_back({&rank, &progress});
    for (const auto& [identity, of_communicator] : members) note_later_life(of_communicator);
    for (const auto& [identity, of_communicator] : members) search_communicator(of_communicator);
    std::stable_sort(result_.communicators.begin(), result_.communicators.end(),
                     [](const CommunicatorState& a, const CommunicatorState& b) { return waited(a) > waited(b); });
    if (!result_.is_finished) {
      search_messages();
      search_inside_nccl();
    }
    find_suspects(operations_, world_size(), result_);
    return std::move(result_);
  }

 private:
  static Nanoseconds waited(const CommunicatorState& state) { return state.waiting ? state.waiting->waited : -1; }

  void describe(const RankTimeline& rank) {
    RankState state;
    state.rank = rank.rank;
    state.progress = rank.progress;
    state.silent_for = silent_for(rank, newest_);
    state.is_silent = is_silent(rank, newest_);
    const Nanoseconds until = rank.progress.is_closed ? rank.run_clock.to_run(rank.progress.last_sign) : newest_;
    state.doing_for = std::max<Nanoseconds>(0, until - rank.run_clock.to_run(rank.progress.since));
    result_.is_finished &= rank.progress.is_closed;
    state_of_[rank.rank] = result_.ranks.size();
    result_.ranks.push_back(std::move(state));
  }

  const RankTimeline& timeline(int32_t rank) const { return ranks_[state_of_.at(rank)]; }
  const RankState& state_of(int32_t rank) const { return result_.ranks[state_of_.at(rank)]; }
  bool stands_still(int32_t rank) const { return state_of(rank).doing_for >= result_.patience; }
  bool sits_in_call(int32_t rank) const { return state_of(rank).progress.is_in_call && stands_still(rank); }
  // Whether one has waited for long. Without device times, a rank that goes on may have carried it out.
  bool waits(const HangingOperation::Participant& participant) const {
    return !participant.is_silent && participant.called != 0 &&
           waited_since(participant.called, timeline(participant.rank), newest_) >= result_.patience &&
           (timeline(participant.rank).progress.has_device_times || stands_still(participant.rank));
  }
  bool waits_for_silent(const HangingOperation& operation) const {
    const auto& members = operation.participants;
    return std::any_of(members.begin(), members.end(), [](const auto& member) { return member.is_silent; }) &&
           std::any_of(members.begin(), members.end(), [&](const auto& member) { return waits(member); });
  }

  // Slices of time are no steps.
  Nanoseconds longest_step() const {
    Nanoseconds longest = 0;
    for (const RankTimeline& rank : ranks_)
      for (const RankStep& step : rank.steps)
        if (rank.steps_source != kByTime) longest = std::max(longest, step.device.value_or(step.host).length());
    return longest;
  }

  static int64_t met_by_all(const Members& members) {
    int64_t met = 0;
    for (const auto& [rank, progress] : members) met = std::max(met, progress->met);
    return met;
  }

  // A rank was alive after the end of its log if it took part in something that its log lacks.
  void note_later_life(const Members& members) {
    for (const auto& [rank, progress] : members)
      for (const auto& [peer, of_peer] : members) {
        if (progress->entered >= of_peer->met) continue;
        RankState& state = result_.ranks[state_of_.at(rank->rank)];
        state.silent_for = std::min(state.silent_for, newest_ - peer->run_clock.to_run(of_peer->met_at));
        state.is_silent &= state.silent_for > kSilence;
      }
  }

  void search_communicator(const Members& members) {
    CommunicatorState state;
    int64_t completed = INT64_MAX;
    for (const auto& [rank, progress] : members) {
      state.ranks.push_back(rank->rank);
      state.size = std::max(state.size, progress->size);
      if (state.name.empty()) state.name = progress->name;
      state.furthest = std::max(state.furthest, progress->entered);
      completed = std::min(completed, progress->completed);
    }
    completed = std::max(completed, met_by_all(members));
    if (state.furthest == 0) return;  // not used for collectives
    state.name = communicator_name(state.name, members.front().progress->identity);
    if (completed > 0) state.completed = completed;
    HangingOperation operation;
    for (const int64_t sequence : telling_sequences(members, completed, state.furthest)) {
      WaitingCollective waiting = waiting_in(sequence, members, state.size, operation);
      // Records of device work may come late, so skip to the first collective at which the members differ.
      if (waiting.is_called_alike() && sequence < state.furthest && !hangs(waiting, operation)) continue;
      state.waiting = std::move(waiting);
      break;
    }
    state.is_stuck = !result_.is_finished && state.waiting && is_stuck(*state.waiting, operation);
    if (state.is_stuck) {
      operation.communicator = state.name;
      operations_.push_back(std::move(operation));
    }
    result_.communicators.push_back(std::move(state));
  }

  // The numbers after `completed` at which something can differ from the number before. All others are between calls
  // that every member entered and none remembers.
  static std::set<int64_t> telling_sequences(const Members& members, int64_t completed, int64_t furthest) {
    std::set<int64_t> telling;
    const auto add = [&](int64_t sequence) {
      if (sequence > completed && sequence <= furthest) telling.insert(sequence);
    };
    add(furthest);
    for (const auto& [rank, progress] : members) {
      if (progress->entered < furthest) add(progress->entered + 1);
      for (const CalledCollective& call : progress->recent) add(call.sequence);
    }
    return telling;
  }

  bool is_stuck(const WaitingCollective& waiting, const HangingOperation& operation) const {
    if (waiting.waited < result_.patience) return false;
    return !waiting.is_called_alike() || waits_for_silent(operation) ||
           std::any_of(operation.participants.begin(), operation.participants.end(),
                       [&](const HangingOperation::Participant& member) { return sits_in_call(member.rank); });
  }

  // All members called it long ago, and their devices have not carried it out.
  bool hangs(const WaitingCollective& waiting, const HangingOperation& operation) const {
    return waiting.without_log == 0 && std::all_of(operation.participants.begin(), operation.participants.end(),
                                                   [&](const HangingOperation::Participant& participant) {
                                                     return participant.called != 0 &&
                                                            newest_ - participant.called >= result_.patience &&
                                                            state_of(participant.rank).progress.has_device_times;
                                                   });
  }

  static const CalledCollective* called(const CommunicatorProgress& progress, int64_t sequence) {
    for (const CalledCollective& call : progress.recent)
      if (call.sequence == sequence) return &call;
    return nullptr;
  }

  WaitingCollective waiting_in(int64_t sequence, const Members& members, int32_t size,
                               HangingOperation& operation) const {
    WaitingCollective waiting;
    waiting.call = most_common(sequence, members);
    waiting.call.sequence = sequence;
    waiting.without_log = std::max(0, size - static_cast<int32_t>(members.size()));
    operation.call = waiting.call;
    operation.participants.clear();
    for (const auto& [rank, progress] : members) {
      HangingOperation::Participant participant;
      participant.rank = rank->rank;
      participant.has_called = progress->entered >= sequence;
      participant.is_silent = state_of(rank->rank).is_silent;
      const CalledCollective* call = called(*progress, sequence);
      participant.is_different = call != nullptr && !is_same_call(*call, waiting.call);
      if (!participant.has_called)
        waiting.not_entered.push_back(rank->rank);
      else if (participant.is_different)
        waiting.different.push_back({rank->rank, *call});
      else
        waiting.entered.push_back(rank->rank);
      if (call != nullptr && call->called != 0) {
        participant.called = rank->run_clock.to_run(call->called);
        participant.group = call->group;
        waiting.waited = std::max(waiting.waited, waited_since(participant.called, *rank, newest_));
      }
      operation.participants.push_back(participant);
    }
    return waiting;
  }

  // Among equally common calls, that of the lowest rank.
  static CalledCollective most_common(int64_t sequence, const Members& members) {
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

  void search_messages() {
    for (WaitingMessage& message : find_waiting_messages(ranks_, newest_)) {
      if (message.waited < result_.patience) continue;
      HangingOperation operation;
      operation.communicator = message.communicator;
      operation.call = message.send ? *message.send : *message.receive;
      if (!message.is_sent) add_side(message.source, message.send, message, operation);
      if (!message.is_received) add_side(message.destination, message.receive, message, operation);
      if (!is_stuck(message, operation)) continue;
      operations_.push_back(std::move(operation));
      result_.messages.push_back(std::move(message));
    }
  }

  // A host may call messages long before its device comes to them, so calls by both sides prove no progress.
  bool is_stuck(const WaitingMessage& message, const HangingOperation& operation) const {
    if (waits_for_silent(operation)) return true;
    const bool is_open = message.lacks_side() || message.is_different() || message.is_without_log;
    for (const int32_t rank : {message.source, message.destination})
      if (rank >= 0 && (sits_in_call(rank) || (is_open && state_of(rank).progress.has_device_times))) return true;
    return false;
  }

  void add_side(int32_t rank, const std::optional<CalledCollective>& call, const WaitingMessage& message,
                HangingOperation& operation) const {
    if (rank < 0) return;
    HangingOperation::Participant side{rank, call.has_value(), message.is_different(), 0, 0, state_of(rank).is_silent};
    if (call) {
      side.called = timeline(rank).run_clock.to_run(call->called);
      side.group = call->group;
    }
    operation.participants.push_back(side);
  }

  // Calls that make a communicator or connect to a peer wait for ranks that no record names.
  void search_inside_nccl() {
    const std::set<int32_t> explained = callers_of(operations_);
    for (const RankState& state : result_.ranks)
      if (state.progress.call.starts_with("nccl") && sits_in_call(state.rank) && !state.is_silent &&
          explained.count(state.rank) == 0)
        result_.inside_nccl.push_back(state.rank);
  }

  int32_t world_size() const {
    int32_t world = 0;
    for (const RankTimeline& rank : ranks_) world = std::max(world, rank.world_size);
    return world;
  }

  const std::vector<RankTimeline>& ranks_;
  Nanoseconds newest_ = INT64_MIN;  // the last sign of life of any rank, on the run's clock
  std::map<int32_t, size_t> state_of_;
  std::vector<HangingOperation> operations_;
  JobProgress result_;
};

}  // namespace

JobProgress progress_of_job(const std::vector<RankTimeline>& ranks) { return ProgressSearch(ranks).run(); }

}  // namespace tauprof
