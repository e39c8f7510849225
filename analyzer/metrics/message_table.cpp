#include "metrics/message_table.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "metrics/communicator_name.h"
#include "metrics/wait_totals.h"

namespace tauprof {
namespace {

using log::Operation;

// Both sides of a message; of one that is not recorded, nothing.
struct Sides {
  const CollectiveMember* source = nullptr;
  const CollectiveMember* destination = nullptr;
};

Sides sides_of(const MatchedCollective& match) {
  Sides sides;
  for (const CollectiveMember& member : match.members) (member.receives ? sides.destination : sides.source) = &member;
  return sides;
}

class Table {
 public:
  Table(const std::vector<RankTimeline>& ranks, const StepSelection& steps) : ranks_(ranks), steps_(steps) {
    for (const RankTimeline& rank : ranks_) held_up_by_.emplace_back(rank.collectives.size());
  }

  void add(const MatchedCollective& match) {
    const Sides sides = sides_of(match);
    if (sides.source == nullptr || sides.destination == nullptr) return;
    if (!is_analysed(*sides.source) && !is_analysed(*sides.destination)) return;
    MessageChannel& channel = channels_[{match.communicator, sides.source->rank, sides.destination->rank}];
    if (channel.count++ == 0) describe(match, sides, channel);
    channel.bytes += match.bytes_out;
    note_first(sides);
    if (!unit(*sides.source).is_split || !unit(*sides.destination).is_split) return;
    ++channel.split;
    channel.source_wait += wait_for(*sides.source, *sides.destination);
    const Nanoseconds wait = wait_for(*sides.destination, *sides.source);
    channel.destination_wait += wait;
    channel.transfer += unit(*sides.destination).end - unit(*sides.destination).start - wait;
  }

  MessageTable finish() {
    MessageTable table;
    for (const std::vector<uint32_t>& chain : chains())
      if (chain.size() > 1) table.pipelines.push_back(pipeline_of(chain));
    for (auto& [key, channel] : channels_) table.channels.push_back(std::move(channel));
    std::stable_sort(table.channels.begin(), table.channels.end(),
                     [](const MessageChannel& a, const MessageChannel& b) {
                       return a.source_wait + a.destination_wait > b.source_wait + b.destination_wait;
                     });
    return table;
  }

 private:
  // Who came last to a unit, and when: all its waiting is for that one.
  struct HeldUp {
    uint32_t by = kNoIndex;  // index of a timeline
    Nanoseconds until = 0;   // on the run's clock
  };
  using Pair = std::pair<uint32_t, uint32_t>;

  const RankCollective& unit(const CollectiveMember& member) const {
    return ranks_[member.rank].collectives[member.collective];
  }
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
    if (arrival <= start || arrival >= on_run(own, unit(own).end)) return 0;
    HeldUp& held = held_up_by_[own.rank][own.collective];
    if (held.by == kNoIndex || arrival > held.until) held = {other.rank, arrival};
    return std::min(arrival - start, unit(own).end - unit(own).start);
  }

  // The analysed step in which the host called it. (Devices may begin to receive long before: still in the step
  // before.)
  const RankStep* step_of(const CollectiveMember& member) const {
    const RankCollective& own = unit(member);
    const std::vector<RankStep>& steps = ranks_[member.rank].steps;
    const auto behind = std::upper_bound(steps.begin(), steps.end(), own.launch_start,
                                         [](Nanoseconds time, const RankStep& step) { return time < step.host.start; });
    if (own.launch_start == 0 || behind == steps.begin() || !steps_.has((behind - 1)->number)) return nullptr;
    return &*(behind - 1);
  }

  // The way of the first message between two ranks in each step counts; the clock decides which is the first.
  void note_first(const Sides& sides) {
    const RankStep* const step = step_of(*sides.source);
    if (step == nullptr) return;
    const uint32_t from = sides.source->rank, to = sides.destination->rank;
    const Nanoseconds time = on_run(*sides.destination, unit(*sides.destination).end);
    const auto [first, is_new] = first_.try_emplace({std::min(from, to), std::max(from, to), step->number}, time, from);
    if (!is_new && time < first->second.first) first->second = {time, from};
  }

  // Pairs of ranks in the way of their first messages, in most steps; those that come first in their steps first.
  std::vector<Pair> links() const {
    std::map<int64_t, Nanoseconds> begins;
    for (const auto& [key, first] : first_) {
      auto& begin = begins.try_emplace(std::get<2>(key), first.first).first->second;
      begin = std::min(begin, first.first);
    }
    std::map<Pair, std::pair<int64_t, double>> found;  // times this way rather than that, and when in the steps
    for (const auto& [key, first] : first_) {
      const auto& [low, high, step] = key;
      auto& [votes, time] = found[{low, high}];
      votes += first.second == low ? 1 : -1;
      time += static_cast<double>(first.first - begins[step]);
    }
    std::vector<std::pair<double, Pair>> ordered;
    for (const auto& [pair, link] : found)
      ordered.push_back({link.second, link.first >= 0 ? pair : Pair{pair.second, pair.first}});
    std::sort(ordered.begin(), ordered.end());
    std::vector<Pair> links;
    for (const auto& [time, pair] : ordered) links.push_back(pair);
    return links;
  }

  std::vector<std::vector<uint32_t>> chains() const {
    std::map<uint32_t, uint32_t> next, previous;
    const auto end_of = [&](uint32_t rank) {
      for (auto at = next.find(rank); at != next.end(); at = next.find(rank)) rank = at->second;
      return rank;
    };
    for (const auto& [from, to] : links())
      if (next.count(from) == 0 && previous.count(to) == 0 && end_of(to) != from) next[from] = to, previous[to] = from;
    std::vector<std::vector<uint32_t>> chains;
    for (const auto& [from, to] : next) {
      if (previous.count(from) > 0 || !sends_first(from)) continue;
      chains.push_back({from});
      for (auto at = next.find(from); at != next.end(); at = next.find(at->second)) chains.back().push_back(at->second);
    }
    return chains;
  }

  // The first messages that the rank calls in an analysed step are sends.
  bool sends_first(uint32_t rank) const {
    const RankCollective* first = nullptr;
    for (uint32_t i = 0; i < ranks_[rank].collectives.size(); ++i) {
      const RankCollective& own = ranks_[rank].collectives[i];
      if (own.peer_calls.empty() || step_of({rank, i}) == nullptr) continue;
      if (first == nullptr || own.launch_start < first->launch_start) first = &own;
    }
    return first != nullptr && std::all_of(first->peer_calls.begin(), first->peer_calls.end(),
                                           [](const PeerCall& call) { return call.is_send; });
  }

  Pipeline pipeline_of(const std::vector<uint32_t>& chain) const {
    Pipeline pipeline;
    for (size_t i = 0; i < chain.size(); ++i) pipeline.stages.push_back(stage_of(chain, i));
    double compute = 0, bubble = 0;
    for (size_t i = 0; i < chain.size(); ++i) {
      compute += static_cast<double>(pipeline.stages[i].compute);
      bubble += pipeline.stages[i].bubble();
      if (pipeline.stages[i].compute > pipeline.stages[pipeline.critical].compute) pipeline.critical = i;
    }
    const auto stages = static_cast<double>(chain.size());
    if (compute > 0)
      pipeline.imbalance = static_cast<double>(pipeline.stages[pipeline.critical].compute) * stages / compute;
    pipeline.bubble = bubble / stages;
    double messages = 0;
    for (const auto& [key, channel] : channels_)
      if (std::get<1>(key) == chain[0] && std::get<2>(key) == chain[1]) messages += static_cast<double>(channel.count);
    if (!steps_.analysed.empty()) pipeline.messages_per_step = messages / static_cast<double>(steps_.analysed.size());
    if (pipeline.messages_per_step >= 1)
      pipeline.ideal_bubble = (stages - 1) / (pipeline.messages_per_step + stages - 1);
    return pipeline;
  }

  PipelineStage stage_of(const std::vector<uint32_t>& chain, size_t place) const {
    const uint32_t index = chain[place];
    const RankTimeline& rank = ranks_[index];
    PipelineStage stage;
    stage.rank = rank.rank;
    for (const RankStep& step : rank.steps)
      if (steps_.has(step.number)) stage.compute += step.compute;
    const std::vector<Nanoseconds> exposed = exposed_waits(rank);
    for (uint32_t i = 0; i < rank.collectives.size(); ++i) {
      const HeldUp& held = held_up_by_[index][i];
      if (held.by == kNoIndex || !is_analysed({index, i})) continue;
      if (place > 0 && held.by == chain[place - 1]) stage.wait_previous += exposed[i];
      if (place + 1 < chain.size() && held.by == chain[place + 1]) stage.wait_next += exposed[i];
    }
    return stage;
  }

  const std::vector<RankTimeline>& ranks_;
  const StepSelection& steps_;
  std::map<std::tuple<uint64_t, uint32_t, uint32_t>, MessageChannel> channels_;                // by timelines
  std::map<std::tuple<uint32_t, uint32_t, int64_t>, std::pair<Nanoseconds, uint32_t>> first_;  // when, and who sent
  std::vector<std::vector<HeldUp>> held_up_by_;                                                // by rank and unit
};

}  // namespace

MessageTable message_table(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                           const StepSelection& steps) {
  Table table(ranks, steps);
  for (const MatchedCollective& match : matches)
    if (match.is_point_to_point) table.add(match);
  return table.finish();
}

}  // namespace tauprof
