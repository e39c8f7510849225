#include "metrics/collectives/pipelines.h"

#include <algorithm>

namespace tauprof {

void PipelineSearch::add_message(const CollectiveMember& source, const CollectiveMember& destination) {
  ++messages_[{source.rank, destination.rank}];
  const RankStep* const step = step_of(source);
  if (step == nullptr) return;
  const uint32_t from = source.rank, to = destination.rank;
  const RankTimeline& receiver = ranks_[to];
  const Nanoseconds time = receiver.run_clock.to_run(receiver.collectives[destination.collective].end);
  const auto [first, is_new] = first_.try_emplace({std::min(from, to), std::max(from, to), step->number}, time, from);
  if (!is_new && time < first->second.first) first->second = {time, from};
}

std::vector<Pipeline> PipelineSearch::find(const std::vector<std::vector<HeldUp>>& held_up) const {
  std::vector<Pipeline> found;
  for (const std::vector<uint32_t>& chain : chains())
    if (chain.size() > 1) found.push_back(pipeline_of(chain, held_up));
  return found;
}

// The analysed step in which the host made the call; null: none. (A device may start to receive during the step
// before.)
const RankStep* PipelineSearch::step_of(const CollectiveMember& member) const {
  const RankCollective& collective = ranks_[member.rank].collectives[member.collective];
  const std::vector<RankStep>& steps = ranks_[member.rank].steps;
  const auto behind = std::upper_bound(steps.begin(), steps.end(), collective.launch_start,
                                       [](Nanoseconds time, const RankStep& step) { return time < step.host.start; });
  if (collective.launch_start == 0 || behind == steps.begin() || !steps_.has((behind - 1)->number)) return nullptr;
  return &*(behind - 1);
}

// Pairs of ranks, source before destination: the direction of the pair's first message in most steps. Sorted by how
// early in their steps those messages come.
std::vector<PipelineSearch::Pair> PipelineSearch::links() const {
  std::map<int64_t, Nanoseconds> starts;
  for (const auto& [key, first] : first_) {
    auto& start = starts.try_emplace(std::get<2>(key), first.first).first->second;
    start = std::min(start, first.first);
  }
  std::map<Pair, std::pair<int64_t, double>> found;  // votes for low to high, and time since the step's first message
  for (const auto& [key, first] : first_) {
    const auto& [low, high, step] = key;
    auto& [votes, time] = found[{low, high}];
    votes += first.second == low ? 1 : -1;
    time += static_cast<double>(first.first - starts[step]);
  }
  std::vector<std::pair<double, Pair>> ordered;
  for (const auto& [pair, link] : found)
    ordered.push_back({link.second, link.first >= 0 ? pair : Pair{pair.second, pair.first}});
  std::sort(ordered.begin(), ordered.end());
  std::vector<Pair> links;
  for (const auto& [time, pair] : ordered) links.push_back(pair);
  return links;
}

std::vector<std::vector<uint32_t>> PipelineSearch::chains() const {
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

// Whether the first messages that the rank calls in an analysed step are sends.
bool PipelineSearch::sends_first(uint32_t rank) const {
  const RankCollective* first = nullptr;
  for (uint32_t i = 0; i < ranks_[rank].collectives.size(); ++i) {
    const RankCollective& collective = ranks_[rank].collectives[i];
    if (collective.rare->peer_calls.empty() || step_of({rank, i}) == nullptr) continue;
    if (first == nullptr || collective.launch_start < first->launch_start) first = &collective;
  }
  return first != nullptr && std::all_of(first->rare->peer_calls.begin(), first->rare->peer_calls.end(),
                                         [](const PeerCall& call) { return call.is_send; });
}

Pipeline PipelineSearch::pipeline_of(const std::vector<uint32_t>& chain,
                                     const std::vector<std::vector<HeldUp>>& held_up) const {
  Pipeline pipeline;
  for (size_t i = 0; i < chain.size(); ++i) pipeline.stages.push_back(stage_of(chain, i, held_up[chain[i]]));
  for (size_t i = 0; i < chain.size(); ++i) {
    if (i > 0) pipeline.stages[i - 1].caused += pipeline.stages[i].wait_previous;
    if (i + 1 < chain.size()) pipeline.stages[i + 1].caused += pipeline.stages[i].wait_next;
  }
  double compute = 0, bubble = 0;
  for (size_t i = 0; i < chain.size(); ++i) {
    compute += static_cast<double>(pipeline.stages[i].compute);
    bubble += pipeline.stages[i].bubble();
    if (pipeline.stages[i].compute > pipeline.stages[pipeline.critical].compute) pipeline.critical = i;
    if (pipeline.stages[i].caused > pipeline.stages[pipeline.most_waited_for].caused) pipeline.most_waited_for = i;
  }
  const auto stages = static_cast<double>(chain.size());
  if (compute > 0)
    pipeline.imbalance = static_cast<double>(pipeline.stages[pipeline.critical].compute) * stages / compute;
  pipeline.bubble = bubble / stages;
  const auto counted = messages_.find({chain[0], chain[1]});
  const double messages = counted == messages_.end() ? 0 : static_cast<double>(counted->second);
  if (!steps_.analysed.empty()) pipeline.messages_per_step = messages / static_cast<double>(steps_.analysed.size());
  if (pipeline.messages_per_step >= 1) pipeline.ideal_bubble = (stages - 1) / (pipeline.messages_per_step + stages - 1);
  return pipeline;
}

PipelineStage PipelineSearch::stage_of(const std::vector<uint32_t>& chain, size_t position,
                                       const std::vector<HeldUp>& held_up) const {
  const RankTimeline& rank = ranks_[chain[position]];
  PipelineStage stage;
  stage.rank = rank.rank;
  for (const RankStep& step : rank.steps)
    if (steps_.has(step.number)) stage.compute += step.compute;
  for (uint32_t i = 0; i < rank.collectives.size(); ++i) {
    const HeldUp& held = held_up[i];
    const int32_t step = rank.collectives[i].step;
    if (held.by == kNoIndex || step == kNoStep || !steps_.has(rank.steps[step].number)) continue;
    if (position > 0 && held.by == chain[position - 1]) stage.wait_previous += rank.collectives[i].exposed_wait;
    if (position + 1 < chain.size() && held.by == chain[position + 1])
      stage.wait_next += rank.collectives[i].exposed_wait;
  }
  return stage;
}

}  // namespace tauprof
