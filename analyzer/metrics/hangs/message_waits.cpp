#include "metrics/hangs/message_waits.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "metrics/collectives/communicator_name.h"
#include "metrics/hangs/rank_waits.h"

namespace tauprof {
namespace {

class Channels {
 public:
  Channels(const std::vector<RankTimeline>& ranks, Nanoseconds newest) : newest_(newest) {
    for (const RankTimeline& rank : ranks)
      for (const CommunicatorProgress& progress : rank.progress.communicators) {
        timeline_of_[{progress.identity, progress.rank}] = &rank;
        number_of_[{progress.identity, rank.rank}] = progress.rank;
        if (!progress.name.empty()) names_[progress.identity] = progress.name;
      }
    for (const RankTimeline& rank : ranks)
      for (const CalledMessage& message : rank.progress.messages) add(rank, message);
  }

  std::vector<WaitingMessage> take() {
    std::vector<WaitingMessage> result;
    for (auto& [key, channel] : channels_) {
      complete(key, channel);
      result.push_back(std::move(channel.message));
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const WaitingMessage& a, const WaitingMessage& b) { return a.waited > b.waited; });
    return result;
  }

 private:
  using Key = std::tuple<uint64_t, int32_t, int32_t>;  // communicator, numbers of source and destination
  struct Channel {
    WaitingMessage message;
    int64_t number = 0;  // of the first message that is pending on one side
  };

  void add(const RankTimeline& rank, const CalledMessage& message) {
    const int32_t self = number_of_.at({message.communicator, rank.rank});
    const bool is_send = message.call.operation == log::Operation::kSend;
    const int32_t source = is_send ? self : message.call.peer, destination = is_send ? message.call.peer : self;
    Channel& channel = channels_[{message.communicator, source, destination}];
    std::optional<CalledCollective>& side = is_send ? channel.message.send : channel.message.receive;
    if (side) return;  // not the first
    side = message.call;
    channel.number = message.number;
    channel.message.waited =
        std::max(channel.message.waited, waited_since(rank.run_clock.to_run(message.call.called), rank, newest_));
  }

  void complete(const Key& key, Channel& channel) const {
    const auto& [communicator, from, to] = key;
    WaitingMessage& message = channel.message;
    const RankTimeline *const source = timeline(communicator, from), *const destination = timeline(communicator, to);
    const auto name = names_.find(communicator);
    message.communicator = communicator_name(name == names_.end() ? std::string() : name->second, communicator);
    message.source = source == nullptr ? -1 : source->rank;
    message.destination = destination == nullptr ? -1 : destination->rank;
    message.is_without_log = source == nullptr || destination == nullptr;
    // Message numbers of the two sides agree only if both logs have all calls.
    if (message.is_without_log || !source->progress.has_all_calls || !destination->progress.has_all_calls) return;
    if (!message.send) message.is_sent = find_done(*source, {communicator, to, true, channel.number, {}}, message.send);
    if (!message.receive)
      message.is_received = find_done(*destination, {communicator, from, false, channel.number, {}}, message.receive);
  }

  // Whether the rank has called its side of the wanted message. Fills `side` if that call is still known.
  static bool find_done(const RankTimeline& rank, const MessageCalls& wanted, std::optional<CalledCollective>& side) {
    for (const MessageCalls& calls : rank.progress.message_calls) {
      if (calls.communicator != wanted.communicator || calls.peer != wanted.peer || calls.is_send != wanted.is_send)
        continue;
      const int64_t since = calls.called - wanted.called;  // calls after it
      if (since >= 0 && since < static_cast<int64_t>(calls.recent.size()))
        side = calls.recent[calls.recent.size() - 1 - static_cast<size_t>(since)];
      return since >= 0;
    }
    return false;
  }

  const RankTimeline* timeline(uint64_t communicator, int32_t number) const {
    const auto known = timeline_of_.find({communicator, number});
    return known == timeline_of_.end() ? nullptr : known->second;
  }

  using Member = std::pair<uint64_t, int32_t>;  // communicator, number or rank
  std::map<Member, const RankTimeline*> timeline_of_;
  std::map<Member, int32_t> number_of_;
  std::map<uint64_t, std::string> names_;
  std::map<Key, Channel> channels_;
  Nanoseconds newest_;
};

}  // namespace

std::vector<WaitingMessage> find_waiting_messages(const std::vector<RankTimeline>& ranks, Nanoseconds newest) {
  return Channels(ranks, newest).take();
}

}  // namespace tauprof
