#include "replay/gradient_buckets.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "metrics/collectives/bandwidth.h"

namespace tauprof {
namespace {

class BucketSearch {
 public:
  BucketSearch(const RunGraph& run, const std::vector<RankTimeline>& ranks,
               const std::vector<MatchedCollective>& matches)
      : run_(run), ranks_(ranks), matches_(matches) {
    for (const RankTimeline& rank : ranks) match_of_.emplace_back(rank.collectives.size(), kNoIndex);
    for (uint32_t match = 0; match < matches.size(); ++match)
      for (const CollectiveMember& member : matches[match].members) match_of_[member.rank][member.collective] = match;
    for (size_t rank = 0; rank < run.rank_count(); ++rank) note_what_kernels_need(rank);
  }

  std::vector<BucketGroup> find(std::string& reason) {
    for (size_t rank = 0; rank < run_.rank_count(); ++rank) walk(rank);
    std::vector<BucketGroup> groups;
    for (auto& [key, found] : found_) {
      std::optional<BucketGroup> group = group_of(found);
      if (!group && !is_analysed(key.second)) continue;  // it stays as it is
      if (!group) {
        reason = "in step " + std::to_string(key.second) +
                 ", the ranks' buckets of gradients differ, or nothing says which kernel each of them waits for";
        return {};
      }
      groups.push_back(std::move(*group));
    }
    if (groups.empty())
      reason =
          "no all_reduce or reduce_scatter of gradients: one that the backward pass launches and does not wait for, "
          "with all ranks' logs";
    return groups;
  }

 private:
  struct Found {
    std::vector<uint32_t> matches;
    std::vector<GradientBucket> buckets;
  };
  using Key = std::pair<uint64_t, int64_t>;  // communicator, step

  bool is_candidate(size_t rank, const OperationLabel& operation) const {
    if (operation.kind != OperationKind::kComm || operation.phase != Phase::kBackward) return false;
    if (operation.collective == kNoIndex) return false;
    const RankCollective& collective = ranks_[rank].collectives[operation.collective];
    const uint32_t match = match_of_[rank][operation.collective];
    const bool reduces =
        collective.operation == log::Operation::kAllReduce || collective.operation == log::Operation::kReduceScatter;
    return reduces && collective.has_identity && !collective.is_of_several && collective.is_split &&
           match != kNoIndex && matches_[match].is_complete();
  }

  void note_what_kernels_need(size_t rank) {
    std::map<OperationId, uint64_t> communicator;
    run_.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
      if (is_candidate(rank, operation)) communicator[id] = ranks_[rank].collectives[operation.collective].communicator;
    });
    run_.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
      if (operation.kind != OperationKind::kCompute || operation.phase != Phase::kBackward) return;
      for (const auto& edge : run_.graph().edges(id))
        if (const auto needed = communicator.find(edge.before); needed != communicator.end())
          needed_.insert(needed->second);
    });
  }

  bool is_analysed(int64_t number) const {
    for (size_t rank = 0; rank < run_.rank_count(); ++rank)
      for (const GraphStep& step : run_.steps(rank))
        if (step.number == number) return true;
    return false;
  }

  // Goes through the device's work in its order.
  void walk(size_t rank) {
    std::map<int64_t, std::vector<OperationId>> kernels;  // of the backward pass so far, by step
    std::map<Key, OperationId> last;                      // that a bucket waited for
    run_.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
      const int64_t step = run_.step_of(rank, operation);
      if (step == kNoStep) return;
      if (operation.kind == OperationKind::kCompute) {
        std::vector<OperationId>& pass = kernels[step];
        // Only the last micro-batch's pass reduces.
        if (operation.phase == Phase::kForward) pass.clear();
        if (operation.phase == Phase::kBackward) pass.push_back(id);
      }
      if (!is_candidate(rank, operation)) return;
      const uint64_t communicator = ranks_[rank].collectives[operation.collective].communicator;
      if (needed_.contains(communicator)) return;
      Found& found = found_[{communicator, step}][rank];
      found.matches.push_back(match_of_[rank][operation.collective]);
      found.buckets.push_back(bucket(id, kernels[step], found.buckets));
    });
  }

  GradientBucket bucket(OperationId id, const std::vector<OperationId>& pass,
                        const std::vector<GradientBucket>& before) const {
    GradientBucket made;
    made.collective = id;
    made.ready.before = made.launch.before = kNoIndex;
    const Schedule<Nanoseconds>& measured = run_.measured();
    for (const auto& edge : run_.graph().edges(id)) {
      const OperationKind kind = run_.kind(edge.before);
      if (kind == OperationKind::kCompute) made.ready = edge;
      if (is_on_host(kind)) made.launch = edge;
      if (kind != OperationKind::kComm || (!before.empty() && edge.before == before.back().collective)) continue;
      const bool is_earlier = pass.empty() || measured[edge.before].start < measured[pass.front()].start;
      (is_earlier ? made.queue : made.others).push_back(edge);
    }
    // The kernels since the one that the bucket before it waited for.
    const OperationId after = before.empty() ? kNoIndex : before.back().ready.before;
    const auto known = std::find(pass.begin(), pass.end(), after);
    const auto first = known == pass.end() ? pass.begin() : known + 1;
    if (const auto last = std::find(first, pass.end(), made.ready.before); last != pass.end())
      made.kernels.assign(first, last + 1);
    // Another piece of a gradient that is larger than a bucket.
    if (after != kNoIndex && after == made.ready.before) made.kernels = {after};
    return made;
  }

  // Whether every member has the same buckets, and it is known with which kernel each is ready.
  std::optional<BucketGroup> group_of(const std::map<size_t, Found>& found) const {
    BucketGroup group;
    const Found& first = found.begin()->second;
    std::set<std::string_view> hosts;
    for (const auto& [rank, of_rank] : found) {
      if (of_rank.matches != first.matches) return std::nullopt;
      for (const GradientBucket& one : of_rank.buckets)
        if (one.ready.before == kNoIndex || one.launch.before == kNoIndex || one.kernels.empty() ||
            one.kernels.back() != one.ready.before)
          return std::nullopt;
      group.members.push_back(of_rank.buckets);
      group.ranks.push_back(rank);
      hosts.insert(ranks_[rank].host);
    }
    for (const uint32_t index : first.matches) {
      const MatchedCollective& match = matches_[index];
      if (match.members.size() != found.size()) return std::nullopt;
      if (!group.bytes.empty() && group.operation != match.operation) return std::nullopt;
      group.operation = match.operation;
      group.bytes.push_back(
          static_cast<double>(collective_bytes(match.operation, match.count, match.datatype, match.expected)));
      if (!(group.bytes.back() > 0)) return std::nullopt;
    }
    group.hosts = hosts.contains({}) ? 0 : static_cast<int32_t>(hosts.size());
    return group;
  }

  const RunGraph& run_;
  const std::vector<RankTimeline>& ranks_;
  const std::vector<MatchedCollective>& matches_;
  std::vector<std::vector<uint32_t>> match_of_;   // by rank and collective
  std::set<uint64_t> needed_;                     // communicators that the backward pass waits for
  std::map<Key, std::map<size_t, Found>> found_;  // by rank
};

}  // namespace

std::vector<BucketGroup> gradient_buckets(const RunGraph& run, const std::vector<RankTimeline>& ranks,
                                          const std::vector<MatchedCollective>& matches, std::string& reason) {
  return BucketSearch(run, ranks, matches).find(reason);
}

}  // namespace tauprof
