#include "replay/operation_graph.h"

#include <unordered_set>
#include <utility>

namespace tauprof {
namespace {

// The operations after each operation.
template <class Time>
struct Successors {
  explicit Successors(const OperationGraph<Time>& graph) : first(graph.size() + 1), after(graph.edge_count()) {
    for (OperationId operation = 0; operation < graph.size(); ++operation)
      for (const auto& edge : graph.edges(operation)) ++first[edge.before + 1];
    for (size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    LargeArray<uint32_t> next(first.begin(), first.end());
    for (OperationId operation = 0; operation < graph.size(); ++operation)
      for (const auto& edge : graph.edges(operation)) after[next[edge.before]++] = operation;
  }
  std::span<const OperationId> of(OperationId operation) const {
    return {after.data() + first[operation], first[operation + 1] - first[operation]};
  }

  LargeArray<uint32_t> first;
  LargeArray<OperationId> after;
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
  }

  LargeArray<OperationId> sort() {
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
  // Its end is known once those that it needs have started.
  void start(OperationId operation) {
    const uint32_t meeting = graph_.meeting(operation);
    if (meeting == kNoMeeting) return finish(operation);
    const auto members = graph_.members(meeting);
    switch (graph_.kind(meeting)) {
      case MeetingKind::kAll:
        if (--missing_[meeting] == 0)
          for (const OperationId member : members) finish(member);
        return;
      case MeetingKind::kFromFirst:
        if (operation == members.front()) {
          for (const OperationId member : members)
            if (member == operation || started_.contains(member)) finish(member);
          has_first_.insert(meeting);
        } else if (has_first_.contains(meeting)) {
          finish(operation);
        } else {
          started_.insert(operation);
        }
        return;
      case MeetingKind::kToFirst:
        if (operation != members.front()) finish(operation);
        if (--missing_[meeting] == 0) finish(members.front());
        return;
    }
  }

  void finish(OperationId operation) {
    for (const OperationId after : successors_.of(operation))
      if (--open_[after] == 0) ready_.push_back(after);
  }

  const OperationGraph<Time>& graph_;
  Successors<Time> successors_;
  LargeArray<uint32_t> open_;      // edges from operations that have not ended
  std::vector<uint32_t> missing_;  // of each meeting: members that have not started
  std::vector<OperationId> ready_;
  std::unordered_set<OperationId> started_;  // members that wait for the first one
  std::unordered_set<uint32_t> has_first_;
  LargeArray<OperationId> order_;
};

}  // namespace

template <class Time>
bool OperationGraph<Time>::sort() {
  order_ = Sorter<Time>(*this).sort();
  return order_.size() == size();
}

template class OperationGraph<int64_t>;
template class OperationGraph<double>;

}  // namespace tauprof
