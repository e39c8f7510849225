#include "metrics/collectives/message_table.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "metrics/collectives/communicator_name.h"

namespace tauprof {
namespace {

// Both sides of a message; null: not recorded.
struct Sides {
  const CollectiveMember* source = nullptr;
  const CollectiveMember* destination = nullptr;
};

Sides sides_of(const MatchedCollective& match) {
  Sides sides;
  for (const auto* const members : {&match.members, &match.untimed})
    for (const CollectiveMember& member : *members) (member.receives ? sides.destination : sides.source) = &member;
  return sides;
}

class ChannelTable {
 public:
  ChannelTable(const std::vector<RankTimeline>& ranks, const StepSelection& steps)
      : ranks_(ranks), steps_(steps), pipelines_(ranks, steps) {
    for (const RankTimeline& rank : ranks_) held_up_by_.emplace_back(rank.collectives.size());
  }

  void add(const MatchedCollective& match) {
    const Sides sides = sides_of(match);
    if (sides.source == nullptr || sides.destination == nullptr) return;
    if (!is_analysed(*sides.source) && !is_analysed(*sides.destination)) return;
    MessageChannel& channel = channels_[{match.communicator, sides.source->rank, sides.destination->rank}];
    if (channel.count++ == 0) describe(match, sides, channel);
    channel.bytes += match.bytes_out;
    if (!match.untimed.empty()) return;
    pipelines_.add_message(*sides.source, *sides.destination);
    if (!unit(*sides.source).is_split || !unit(*sides.destination).is_split) return;
    ++channel.split;
    channel.source_wait += wait_for(*sides.source, *sides.destination);
    const Nanoseconds wait = wait_for(*sides.destination, *sides.source);
    channel.destination_wait += wait;
    channel.transfer += unit(*sides.destination).end - unit(*sides.destination).start - wait;
  }

  MessageTable finish() {
    MessageTable table;
    table.pipelines = pipelines_.find(held_up_by_);
    for (auto& [key, channel] : channels_) table.channels.push_back(std::move(channel));
    std::stable_sort(table.channels.begin(), table.channels.end(),
                     [](const MessageChannel& a, const MessageChannel& b) {
                       return a.source_wait + a.destination_wait > b.source_wait + b.destination_wait;
                     });
    return table;
  }

 private:
  const RankCollective& unit(const CollectiveMember& member) const { return called(ranks_, member); }
  Nanoseconds on_run(const CollectiveMember& member, Nanoseconds time) const {
    return ranks_[member.rank].run_clock.to_run(time);
  }
  bool is_analysed(const CollectiveMember& member) const {
    const int32_t step = unit(member).step;
    return step != kNoStep && steps_.has(ranks_[member.rank].steps[step].number);
  }

  void describe(const MatchedCollective& match, const Sides& sides, MessageChannel& channel) const {
    const auto& names = ranks_[sides.source->rank].communicator_names;
    const auto name = names.find(match.communicator);
    channel.communicator =
        match.has_identity ? communicator_name(name == names.end() ? std::string() : name->second, match.communicator)
                           : "unnamed-" + std::to_string(match.communicator);
    channel.source = ranks_[sides.source->rank].rank;
    channel.destination = ranks_[sides.destination->rank].rank;
  }

  Nanoseconds wait_for(const CollectiveMember& own, const CollectiveMember& other) {
    const Nanoseconds start = on_run(own, unit(own).start), arrival = on_run(other, unit(other).start);
    // A sender may have left before its receiver came, but nobody receives what has not been sent.
    if (arrival <= start || (arrival >= on_run(own, unit(own).end) && !own.receives)) return 0;
    HeldUp& held = held_up_by_[own.rank][own.collective];
    if (held.by == kNoIndex || arrival > held.until) held = {other.rank, arrival};
    return std::min(arrival - start, unit(own).end - unit(own).start);
  }

  const std::vector<RankTimeline>& ranks_;
  const StepSelection& steps_;
  std::map<std::tuple<uint64_t, uint32_t, uint32_t>, MessageChannel> channels_;  // by timelines
  PipelineSearch pipelines_;
  std::vector<std::vector<HeldUp>> held_up_by_;  // by rank and unit
};

}  // namespace

MessageTable message_table(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                           const StepSelection& steps) {
  ChannelTable table(ranks, steps);
  for (const MatchedCollective& match : matches)
    if (match.is_point_to_point) table.add(match);
  return table.finish();
}

}  // namespace tauprof
