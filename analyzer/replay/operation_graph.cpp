#include "replay/operation_graph.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>


namespace tauprof {
namespace {

// The operations after each operation.
template <class Time>
struct Successors {
  explicit Successors(const OperationGraph<Time>& graph) : first(graph.size() + 1), after(graph.edge_count()) {
    for (OperationId operation = 0; operation < graph.size(); ++operation)
      for (const auto& edge : graph.edges(operation)) ++first[edge.before + 1];
    for (size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<uint32_t> next(first.begin(), first.end());
    for (OperationId operation = 0; operation < graph.size(); ++operation)
      for (const auto& edge : graph.edges(operation)) after[next[edge.before]++] = operation;
  }
  std::span<const OperationId> of(OperationId operation) const {
    return {after.data() + first[operation], first[operation + 1] - first[operation]};
  }

  std::vector<uint32_t> first;
  std::vector<OperationId> after;
};

// Kahn's algorithm, with a stack: it follows one rank until that has to wait, so neighbours in the order are neighbours
// in memory.
template <class Time>
class Sorter {
 public:
  explicit Sorter(const OperationGraph<Time>& graph)
      : graph_(graph), successors_(graph), open_(graph.size()), missing_(graph.meeting_count()) {
    order_.reserve(graph.size());
    for (uint32_t meeting = 0; meeting < missing_.size(); ++meeting)
      missing_[meeting] = static_cast<uint32_t>(graph.members(meeting).size());
    for (const auto& [operation, needed] : graph.needs()) {
      ++open_needs_[operation];
      needed_by_[needed].push_back(operation);
    }
    // An operation with needs has to start itself, too.
    for (auto& [operation, count] : open_needs_) ++count;
  }

  std::vector<OperationId> sort() {
    for (OperationId operation = static_cast<OperationId>(graph_.size()); operation-- > 0;) {
      open_[operation] = static_cast<uint32_t>(graph_.edges(operation).size());
      if (open_[operation] == 0) ready_.push_back(operation);
    }
    while (!ready_.empty()) {
      const OperationId operation = ready_.back();
      ready_.pop_back();
      order_.push_back(operation);
      start(operation);
    }
    return std::move(order_);
  }

 private:
  void start(OperationId operation) {
    if (const auto waiting = needed_by_.find(operation); waiting != needed_by_.end())
      for (const OperationId other : waiting->second) count_need(other);
    if (graph_.has_needs(operation)) return count_need(operation);
    const uint32_t meeting = graph_.meeting(operation);
    if (meeting == kNoMeeting) return finish(operation);
    if (--missing_[meeting] == 0)
      for (const OperationId member : graph_.members(meeting)) finish(member);
  }

  void count_need(OperationId operation) {
    if (--open_needs_[operation] > 0) return;
    order_.push_back(operation);
    finish(operation);
  }

  void finish(OperationId operation) {
    for (const OperationId after : successors_.of(operation))
      if (--open_[after] == 0) ready_.push_back(after);
  }

  const OperationGraph<Time>& graph_;
  Successors<Time> successors_;
  std::vector<uint32_t> open_;     // edges from operations that have not ended
  std::vector<uint32_t> missing_;  // of each meeting: members that have not started
  std::unordered_map<OperationId, uint32_t> open_needs_;
  std::unordered_map<OperationId, std::vector<OperationId>> needed_by_;
  std::vector<OperationId> ready_;
  std::vector<OperationId> order_;
};

}  // namespace

template <class Time>
void OperationGraph<Time>::sort_needs() {
  std::sort(needs_.begin(), needs_.end());
  needs_.erase(std::unique(needs_.begin(), needs_.end()), needs_.end());
  has_needs_.assign(needs_.empty() ? 0 : size(), false);
  for (const auto& [operation, needed] : needs_) has_needs_[operation] = true;
}

template <class Time>
bool OperationGraph<Time>::sort() {
  sort_needs();
  const auto twice = static_cast<size_t>(std::count(has_needs_.begin(), has_needs_.end(), true));
  order_ = Sorter<Time>(*this).sort();
  return order_.size() == size() + twice;
}

// One array after the other, since each is as large as the memory that is left may be.
template <class Time>
std::vector<OperationId> OperationGraph<Time>::number_in_order() {
  constexpr OperationId kNone = std::numeric_limits<OperationId>::max();
  std::vector<OperationId> number(size(), kNone);
  std::vector<Edge> edges;
  edges.reserve(edge_count());
  OperationId next = 0;
  for (const OperationId operation : order_) {
    if (number[operation] != kNone) continue;  // it comes for the second time
    number[operation] = next++;
    for (const Edge& edge : this->edges(operation)) edges.push_back({number[edge.before], edge.lag});
  }
  edges_ = std::move(edges);
  std::vector<Node> nodes(nodes_.size());
  for (OperationId operation = 0; operation < size(); ++operation) {
    Node& node = nodes[number[operation]] = nodes_[operation];
    node.first_edge = nodes_[operation + 1].first_edge - node.first_edge;
  }
  uint32_t first_edge = 0;
  for (Node& node : nodes) first_edge += std::exchange(node.first_edge, first_edge);
  nodes_ = std::move(nodes);
  for (LongTimes* const times : {&long_durations_, &long_delays_}) {
    LongTimes renamed;
    for (const auto& [operation, time] : *times) renamed[number[operation]] = time;
    *times = std::move(renamed);
  }
  for (OperationId& operation : order_) operation = number[operation];
  for (OperationId& member : members_) member = number[member];
  for (auto& [operation, needed] : needs_) operation = number[operation], needed = number[needed];
  sort_needs();
  return number;
}

template <class Time>
std::span<const std::pair<OperationId, OperationId>> OperationGraph<Time>::needs(OperationId operation) const {
  const auto begin = std::lower_bound(needs_.begin(), needs_.end(), std::pair(operation, OperationId{0}));
  auto end = begin;
  while (end != needs_.end() && end->first == operation) ++end;
  return {begin, end};
}

template class OperationGraph<int64_t>;
template class OperationGraph<double>;

}  // namespace tauprof
