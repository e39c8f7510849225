#include "replay/bucket_sizes.h"

#include <algorithm>
#include <cmath>

#include "metrics/statistics/statistics.h"
#include "model/operation_names.h"
#include "replay/passing_time.h"

namespace tauprof {
namespace {

constexpr double kRounding = 1e-6;  // of a bucket

}  // namespace

struct BucketSizes::Changed {
  struct Node {
    Nanoseconds duration;
    std::vector<Graph::Edge> edges;
  };
  std::unordered_map<OperationId, Node> replaced;      // operations of the run
  std::unordered_map<OperationId, OperationId> moved;  // the successor of this one on its thread now follows that one
  std::vector<Node> added;                             // behind the run's
  std::vector<std::vector<OperationId>> meetings;      // of added ones
  std::vector<std::vector<OperationId>> collectives;   // the same, by rank
  OperationId next;                                    // the operation added next

  OperationId add(Nanoseconds duration, std::vector<Graph::Edge> edges) {
    added.push_back({duration, std::move(edges)});
    return next++;
  }
};

BucketSizes::BucketSizes(const RunGraph& run, const std::vector<RankTimeline>& ranks,
                         const std::vector<MatchedCollective>& matches, const LinkModel& links)
    : run_(run), links_(links), groups_(gradient_buckets(run, ranks, matches, reason_)) {
  for (OperationId id = 0; id < run.graph().size(); ++id)
    if (run.kind(id) == OperationKind::kCall && !run.graph().edges(id).empty())
      call_after_[run.graph().edges(id).front().before] = id;
  double measured = 0, expected = 0;
  for (const BucketGroup& group : groups_)
    for (size_t i = 0; i < group.bytes.size(); ++i) {
      Nanoseconds shortest = INT64_MAX;
      for (const auto& member : group.members)
        shortest = std::min(shortest, run.graph().duration(member[i].collective));
      const std::optional<double> line = predicted(group, group.bytes[i]);
      measured += line ? static_cast<double>(shortest) : 0;
      expected += line.value_or(0);
    }
  if (expected > 0) slowdown_ = measured / expected;
  set_host_cost();
}

// The median of what the host did for a bucket since the call before it, and of its call.
void BucketSizes::set_host_cost() {
  std::vector<Nanoseconds> before, calls;
  for (const BucketGroup& group : groups_)
    for (const auto& member : group.members)
      for (const GradientBucket& bucket : member) {
        before.push_back(run_.graph().duration(bucket.launch.before));
        if (const auto call = call_after_.find(bucket.launch.before); call != call_after_.end())
          calls.push_back(run_.graph().duration(call->second));
      }
  if (!before.empty()) before_launch_ = lower_median(before);
  if (!calls.empty()) launch_ = lower_median(calls);
}

std::optional<double> BucketSizes::predicted(const BucketGroup& group, double bytes) const {
  return links_.predict(group.operation, static_cast<int32_t>(group.members.size()), bytes, group.hosts);
}

std::vector<BucketSizes::NewBucket> BucketSizes::cut(const BucketGroup& group, double bytes) {
  std::vector<NewBucket> buckets;
  double filled = 0;
  for (size_t i = 0; i < group.bytes.size(); ++i) {
    double taken = 0;
    while (filled + (group.bytes[i] - taken) >= bytes) {
      taken += bytes - filled;
      buckets.push_back({bytes, i, taken / group.bytes[i]});
      filled = 0;
    }
    filled += group.bytes[i] - taken;
  }
  if (filled >= 1) buckets.push_back({filled, group.bytes.size() - 1, 1});
  return buckets;
}

// A launch that was not there, right after that of the kernel that the bucket waits for.
BucketSizes::Graph::Edge BucketSizes::launched(const GradientBucket& measured, OperationId kernel,
                                               Changed& changed) const {
  for (const Graph::Edge& edge : run_.graph().edges(kernel)) {
    if (!is_on_host(run_.kind(edge.before))) continue;
    const auto call = call_after_.find(edge.before);
    if (call == call_after_.end()) return {edge.before, measured.launch.lag};
    const auto before = changed.moved.find(call->second);
    const OperationId after = before == changed.moved.end() ? call->second : before->second;
    const OperationId launch = changed.add(before_launch_ + launch_, {{after, 0}});
    changed.moved[call->second] = launch;
    return {launch, measured.launch.lag};
  }
  return measured.launch;
}

// The kernel with which this part of a measured bucket is ready.
OperationId BucketSizes::ready_with(const GradientBucket& measured, double part) const {
  double all = 0, so_far = 0;
  for (const OperationId kernel : measured.kernels) all += static_cast<double>(run_.graph().duration(kernel));
  for (const OperationId kernel : measured.kernels) {
    so_far += static_cast<double>(run_.graph().duration(kernel));
    if (so_far >= (part - kRounding) * all) return kernel;
  }
  return measured.ready.before;
}

// The host no longer launches a bucket that ends within a larger one.
void BucketSizes::remove_launch(const GradientBucket& measured, Changed& changed) const {
  const auto shorten = [&](OperationId id, Nanoseconds by) {
    const auto edges = run_.graph().edges(id);
    changed.replaced[id] = {std::max<Nanoseconds>(0, run_.graph().duration(id) - by), {edges.begin(), edges.end()}};
  };
  shorten(measured.launch.before, before_launch_);
  if (const auto call = call_after_.find(measured.launch.before); call != call_after_.end())
    shorten(call->second, launch_);
}

std::string BucketSizes::rebucket(const BucketGroup& group, double bytes, Changed& changed) const {
  const std::vector<NewBucket> buckets = cut(group, bytes);
  std::vector<Nanoseconds> durations;
  for (const NewBucket& bucket : buckets) {
    const std::optional<double> time = predicted(group, bucket.bytes);
    if (!time)
      return "how long " + std::string(name_of(group.operation)) + " of " + std::to_string(std::llround(bucket.bytes)) +
             " bytes on " + std::to_string(group.members.size()) +
             " ranks takes is not told by the sizes that were seen";
    durations.push_back(std::llround(*time * slowdown_));
  }
  std::vector<std::vector<OperationId>> meetings(buckets.size());
  for (size_t member = 0; member < group.members.size(); ++member) {
    const std::vector<OperationId> added = replace(group.members[member], buckets, durations, changed);
    for (size_t i = 0; i < added.size(); ++i) meetings[i].push_back(added[i]);
    std::vector<OperationId>& of_rank = changed.collectives[group.ranks[member]];
    of_rank.insert(of_rank.end(), added.begin(), added.end());
  }
  changed.meetings.insert(changed.meetings.end(), meetings.begin(), meetings.end());
  return {};
}

// Puts new buckets in the place of a member's measured ones.
std::vector<OperationId> BucketSizes::replace(const std::vector<GradientBucket>& measured,
                                              const std::vector<NewBucket>& buckets,
                                              const std::vector<Nanoseconds>& durations, Changed& changed) const {
  std::vector<OperationId> added;
  std::vector<Graph::Edge> queue = measured.front().queue;  // the operations before the next in its stream
  size_t next = 0;                                          // measured bucket whose end is not replaced yet
  for (size_t i = 0; i < buckets.size(); ++i) {
    const GradientBucket& last = measured[buckets[i].measured];
    const bool ends_alike = buckets[i].part > 1 - kRounding;
    const OperationId kernel = ready_with(last, buckets[i].part);
    std::vector<Graph::Edge> edges = queue;
    if (ends_alike) edges.insert(edges.end(), last.others.begin(), last.others.end());
    edges.push_back({kernel, last.ready.lag});
    edges.push_back(ends_alike ? last.launch : launched(last, kernel, changed));
    added.push_back(changed.add(durations[i], std::move(edges)));
    queue = {{added.back(), 0}};
    for (const size_t end = buckets[i].measured + (ends_alike ? 1 : 0); next < end; ++next) {
      changed.replaced[measured[next].collective] = {0, queue};
      if (next != buckets[i].measured) remove_launch(measured[next], changed);
    }
  }
  return added;
}

BucketSizes::Graph BucketSizes::as_changed(const Changed& changed) const {
  const Graph& old = run_.graph();
  Graph graph;
  graph.reserve(old.size() + changed.added.size(), old.edge_count() + 4 * changed.added.size());
  std::vector<Graph::Edge> edges;
  for (OperationId id = 0; id < old.size(); ++id) {
    const auto replaced = changed.replaced.find(id);
    const bool is_replaced = replaced != changed.replaced.end();
    edges.assign(old.edges(id).begin(), old.edges(id).end());
    if (is_replaced) edges = replaced->second.edges;
    if (is_on_host(run_.kind(id)) && !edges.empty())
      if (const auto moved = changed.moved.find(edges.front().before); moved != changed.moved.end())
        edges.front().before = moved->second;
    graph.add(is_replaced ? replaced->second.duration : old.duration(id), edges);
    graph.set_delay(id, is_replaced && run_.kind(id) == OperationKind::kComm ? 0 : old.delay(id));
    graph.set_delayed_edge(id, old.delayed_edge(id));
  }
  for (const Changed::Node& node : changed.added) graph.add(node.duration, node.edges);
  for (uint32_t meeting = 0; meeting < old.meeting_count(); ++meeting)
    if (!changed.replaced.contains(old.members(meeting).front())) graph.add_meeting(old.members(meeting));
  for (const auto& [operation, needed] : old.needs()) graph.add_need(operation, needed);
  for (const std::vector<OperationId>& members : changed.meetings) graph.add_meeting(members);
  return graph;
}

Answer BucketSizes::with(double bytes) const {
  if (!reason_.empty()) return {std::nullopt, 0, reason_};
  Changed changed;
  changed.next = static_cast<OperationId>(run_.graph().size());
  changed.collectives.resize(run_.rank_count());
  for (const BucketGroup& group : groups_)
    if (std::string reason = rebucket(group, bytes, changed); !reason.empty()) return {std::nullopt, 0, reason};
  Graph graph = as_changed(changed);
  if (!graph.sort()) return {std::nullopt, 0, "buckets of this size would wait for each other in a circle"};
  const size_t known = run_.graph().size();
  const Contention& contention = run_.contention();
  const auto lost = [&](OperationId id) { return id < known ? contention.measured(id) : 0; };
  ContendedRun run{run_,
                   graph,
                   contention.is_known(),
                   [&](OperationId id) { return graph.duration(id) - lost(id); },
                   lost,
                   [&](OperationId id) { return graph.delay(id); },
                   NoLead(),
                   [&](OperationId id) { return graph.edges(id); },
                   std::vector<uint16_t>(graph.size() - known, Contention::kNoDevice)};
  for (size_t rank = 0; rank < changed.collectives.size(); ++rank)
    for (const OperationId id : changed.collectives[rank]) run.added_on[id - known] = static_cast<uint16_t>(rank);
  const ContendedReplay replayed = replay_contended(run);
  return {replayed.step_ns, replayed.contention_ns, {}};
}

}  // namespace tauprof
