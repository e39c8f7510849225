// The operations of a run, and what each of them waits for.
//
// An operation is device work, a stretch of the host, a call. It starts once all operations before it have ended, each
// edge's lag later, and lasts its duration:
//
//   start(v) = max over edges u → v of end(u) + lag        end(v) = start(v) + duration(v)
//
// A lag is what is usual for an edge of its kind. What an operation took beyond that is its delay. It belongs to the
// edge that let the operation go last, and is added to that lag: nothing tells how late the operation would have been
// behind another. Example: a launch lets a kernel go after 4 us. A kernel starts 9 us after its launch, the one before
// it ended long ago, so its launch has a delay of 5 us. Launched early, it would follow the one before it as soon as
// any. Only where an operation waited for something that is no operation, its delay is added behind all edges.
//
// Operations of several ranks that need each other meet: a collective. A meeting begins when all its members have
// started, and each member ends its own duration after that, so its duration is what it moves data for, and its wait
// follows from the others. Example: A starts at 0, B at 30, both move data for 10; both end at 40. If B had started at
// 5, both would end at 15. Where only some members need others, each says whom: a receiver its sender, a reduction's
// root all others. Its duration then counts from the last start among itself and those that it needs.
//
// Durations and delays that are measured give the measured times again, to the nanosecond; other durations give the run
// as it would have been (replay.h). `Time` is integer nanoseconds, or seconds for models that are published in them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tauprof {

using OperationId = uint32_t;
inline constexpr int kMeetingBits = 27;
inline constexpr uint32_t kNoMeeting = (1u << kMeetingBits) - 1;
// Of an operation whose delay is behind all of its edges.
inline constexpr uint32_t kAllEdges = (1u << (32 - kMeetingBits)) - 1;

template <class Time>
class OperationGraph {
 public:
  // Lags of integer nanoseconds are at most two seconds.
  using Lag = std::conditional_t<std::is_floating_point_v<Time>, Time, int32_t>;
  struct Edge {
    OperationId before = 0;
    Lag lag = 0;
  };

  void reserve(size_t operations, size_t edges) {
    nodes_.reserve(operations + 1);
    edges_.reserve(edges);
  }

  // An operation after those that `edges` name, which may be added later.
  OperationId add(Time duration, std::span<const Edge> edges) {
    const auto operation = static_cast<OperationId>(size());
    set_duration(operation, duration);
    edges_.insert(edges_.end(), edges.begin(), edges.end());
    nodes_.push_back({.first_edge = static_cast<uint32_t>(edges_.size())});
    return operation;
  }

  // Each member needs every other. `members` are in no other meeting and need nobody else.
  void add_meeting(std::span<const OperationId> members) {
    const auto meeting = static_cast<uint32_t>(first_member_.size() - 1) & kNoMeeting;
    for (const OperationId member : members) nodes_[member].meeting = meeting;
    members_.insert(members_.end(), members.begin(), members.end());
    first_member_.push_back(static_cast<uint32_t>(members_.size()));
  }

  // `operation` cannot move data before `needed` has started.
  void add_need(OperationId operation, OperationId needed) { needs_.emplace_back(operation, needed); }

  // To be called once everything is added. Returns false if operations wait for each other in a circle: the graph
  // cannot be replayed.
  bool sort();
  // Numbers the sorted operations anew, in their order, so that a replay goes through memory from front to back however
  // many ranks take turns. Returns each one's number, by its old one.
  std::vector<OperationId> number_in_order();

  size_t size() const { return nodes_.size() - 1; }
  size_t edge_count() const { return edges_.size(); }
  size_t meeting_count() const { return first_member_.size() - 1; }
  std::span<const Edge> edges(OperationId operation) const {
    const uint32_t first = nodes_[operation].first_edge;
    return {edges_.data() + first, nodes_[operation + 1].first_edge - first};
  }
  std::span<const OperationId> members(uint32_t meeting) const {
    return {members_.data() + first_member_[meeting], first_member_[meeting + 1] - first_member_[meeting]};
  }
  uint32_t meeting(OperationId operation) const { return nodes_[operation].meeting; }
  // Pairs (operation, needed), by operation once sorted.
  std::span<const std::pair<OperationId, OperationId>> needs() const { return needs_; }
  std::span<const std::pair<OperationId, OperationId>> needs(OperationId operation) const;
  bool has_needs(OperationId operation) const { return !has_needs_.empty() && has_needs_[operation]; }
  Time duration(OperationId operation) const { return got(operation, nodes_[operation].duration, long_durations_); }
  Time delay(OperationId operation) const { return got(operation, nodes_[operation].delay, long_delays_); }
  void set_duration(OperationId operation, Time duration) {
    set(operation, duration, nodes_[operation].duration, long_durations_);
  }
  void set_delay(OperationId operation, Time delay) { set(operation, delay, nodes_[operation].delay, long_delays_); }
  // The index of the edge that the delay belongs to; kAllEdges: it is added behind all of them.
  uint32_t delayed_edge(OperationId operation) const { return nodes_[operation].delayed_edge; }
  void set_delayed_edge(OperationId operation, uint32_t edge) {
    nodes_[operation].delayed_edge = std::min(edge, kAllEdges) & kAllEdges;
  }
  void set_lag(OperationId operation, uint32_t edge, Lag lag) { edges_[nodes_[operation].first_edge + edge].lag = lag; }

  // Every operation after those before it. One that needs others comes twice: when it starts, and when all that it
  // needs have started.
  const std::vector<OperationId>& order() const { return order_; }

 private:
  void sort_needs();

  // Nearly all times are shorter than two seconds, and take half the memory. Of the others this stands in the node, and
  // the time in a table.
  static constexpr Lag kLong = std::numeric_limits<Lag>::max();
  using LongTimes = std::unordered_map<OperationId, Time>;
  // The fields of an operation that a replay reads, side by side, so that they come with one access.
  struct Node {
    Lag duration = 0;
    Lag delay = 0;
    uint32_t first_edge = 0;
    uint32_t meeting : kMeetingBits = kNoMeeting;
    uint32_t delayed_edge : 32 - kMeetingBits = kAllEdges;
  };

  static Time got(OperationId operation, Lag stored, const LongTimes& long_times) {
    return stored == kLong ? long_times.at(operation) : stored;
  }
  static void set(OperationId operation, Time time, Lag& stored, LongTimes& long_times) {
    const bool fits = time > std::numeric_limits<Lag>::lowest() && time < kLong;
    stored = fits ? static_cast<Lag>(time) : kLong;
    if (!fits) long_times[operation] = time;
  }

  std::vector<Node> nodes_ = std::vector<Node>(1);  // of each operation, and one past the last
  LongTimes long_durations_;
  LongTimes long_delays_;
  std::vector<Edge> edges_;
  std::vector<uint32_t> first_member_ = std::vector<uint32_t>(1);  // of each meeting, and one past the last
  std::vector<OperationId> members_;
  std::vector<std::pair<OperationId, OperationId>> needs_;
  std::vector<bool> has_needs_;  // by operation; empty: none has
  std::vector<OperationId> order_;
};

extern template class OperationGraph<int64_t>;
extern template class OperationGraph<double>;

}  // namespace tauprof
