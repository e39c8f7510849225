// The operations of all ranks as one graph, on the run's clock.
//
// Collectives are meetings of their members; the transfer of a member is what lies between the last arrival and its own
// end. In rooted operations the others need the root, or the root the others, unless all are seen to wait for all. A
// receiver needs its sender, and a sender its receiver, unless senders are seen to leave early (member_waits.h). Where
// a member's log is missing, the known members meet, and how long they wait for it stays as it was.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "metrics/collectives/collective_match.h"
#include "metrics/statistics/step_selection.h"
#include "replay/contention.h"
#include "replay/replay.h"

namespace tauprof {

// A step of a rank, as in OperationStep, with operations of the run's graph.
using GraphStep = OperationStep;  // by the graph's numbers of operations

class RunGraph {
 public:
  // Of ranks with operations, whose times and edges it takes over. `steps`: the analysed ones, whose lengths are what
  // the replay is about. Of more than `most_operations`, the typical steps that fit are joined.
  RunGraph(std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches, const StepSelection& steps,
           uint64_t most_operations = UINT64_MAX);

  // Why it cannot be replayed; empty: it can.
  const std::string& reason() const { return reason_; }
  // Which steps were joined, in words; empty: all.
  const std::string& limited_to() const { return limited_to_; }
  const OperationGraph<Nanoseconds>& graph() const { return graph_; }
  OperationGraph<Nanoseconds>& graph() { return graph_; }
  const Schedule<Nanoseconds>& measured() const { return measured_; }
  const Contention& contention() const { return contention_; }

  size_t rank_count() const { return ranks_.size(); }
  int32_t rank_number(size_t rank) const { return ranks_[rank].number; }
  const std::vector<GraphStep>& steps(size_t rank) const { return ranks_[rank].steps; }
  // Of its process, which other ranks may share: the labels of all operations, and the graph's number of each.
  const ProcessOperations& process(size_t rank) const { return *ranks_[rank].process; }
  OperationId id_of(size_t rank, uint32_t operation) const { return number_[ranks_[rank].first + operation]; }
  // The numbers of the steps that it is about.
  std::set<int64_t> step_numbers() const;
  // Calls take(id, operation) for all operations of the rank, in its process's order.
  template <class Take>
  void for_operations(size_t rank, Take&& take) const {
    const Rank& one = ranks_[rank];
    const std::vector<OperationLabel>& operations = one.process->operations;
    for (uint32_t i = 0; i < operations.size(); ++i)
      if (operations[i].device == one.device) take(number_[one.first + i], operations[i]);
  }
  // The number of the step that it belongs to; kNoStep: none.
  int64_t step_of(size_t rank, const OperationLabel& operation) const {
    const auto& numbers = ranks_[rank].step_numbers;
    const auto step = static_cast<size_t>(operation.step);
    return operation.step == kNoStep || step >= numbers.size() ? kNoStep : numbers[step];
  }
  // The product that it computes; null: none, or not known.
  const ProductKind* product_of(size_t rank, const OperationLabel& operation) const {
    return operation.product == 0 ? nullptr : &ranks_[rank].process->products[operation.product - 1u];
  }
  // How much its rank moves in an all-to-all, in bytes or elements, for comparison with other members; 0: not known, or
  // as much as all others.
  int64_t own_amount(size_t rank, const OperationLabel& operation) const {
    const std::vector<int64_t>& amounts = ranks_[rank].amounts;
    return operation.collective < amounts.size() ? amounts[operation.collective] : 0;
  }
  // Whether other processes load this rank's input while it trains, as the framework says.
  bool loads_ahead(size_t rank) const { return ranks_[rank].loads_ahead; }
  const std::string& device_name(size_t rank) const { return ranks_[rank].process->device_names[ranks_[rank].device]; }
  // The same names have the same number on all ranks.
  uint32_t name_of(size_t rank, const OperationLabel& operation) const { return ranks_[rank].names[operation.name]; }
  const std::string& name(uint32_t number) const { return names_[number]; }
  size_t name_count() const { return names_.size(); }
  OperationKind kind(OperationId operation) const { return kinds_[operation]; }
  // Whether its last edge is only assumed.
  bool has_assumed_edge(OperationId operation) const { return is_assumed_[operation]; }
  bool has_assumed_edges() const { return assumed_edges_ > 0; }
  // The mean step without assumed edges and their waits, once replayed (doubt.h).
  std::optional<double>& step_without_assumed_ns() { return step_without_assumed_ns_; }
  // How much of a collective or a message of an analysed step may be waiting, where nothing tells: what it takes longer
  // than the shortest of its kind on its rank. 0: it is known, or nothing waits.
  Nanoseconds unknown_wait(OperationId operation) const {
    const auto found = unknown_waits_.find(operation);
    return found == unknown_waits_.end() ? 0 : found->second;
  }
  bool has_unknown_waits() const { return !unknown_waits_.empty(); }
  // Of the time in the analysed steps that hosts spend in blocking calls and device work waits for other streams, the
  // share whose cause is recorded or tested; none: nothing waits.
  std::optional<double> explained_share() const {
    return waited_ > 0 ? std::optional(waits_explained_ / waited_) : std::nullopt;
  }
  // Of a collective or a message: whom it waits for, so that its waiting and its moving data can be told apart.
  bool is_waiting_known(OperationId operation) const { return waiting_is_known_[operation]; }

  // The steps of the run that it stands for, of which it has some: those that could be replayed. The others stay as
  // they were, so that those behind them begin as they did. Example: rank 1 was recorded from step 2 on. If steps 0 and
  // 1 of the others became shorter, they would wait for rank 1 in step 2. But a left-out step behind one that is
  // replayed, which ends where that begins, changes with it.
  void stand_for(const StepSelection& steps);
  size_t steps_of_run() const { return steps_of_run_; }
  // Whether it belongs to a step that stays as it was.
  bool stays(OperationId operation) const { return !stays_.empty() && stays_[operation]; }

  // Whose steps step_lengths and mean_step are about; none: those of all ranks.
  void be_about(std::optional<std::set<int32_t>> rank_numbers) { rank_numbers_ = std::move(rank_numbers); }
  // The lengths of the analysed steps in a schedule, each the mean over its ranks, by number.
  std::vector<double> step_lengths(const Schedule<Nanoseconds>& schedule) const;
  double mean_step(const Schedule<Nanoseconds>& schedule) const;
  // The mean of the analysed steps of all ranks but those with this number.
  double mean_step_of_others(const Schedule<Nanoseconds>& schedule, int32_t rank_number) const;

 private:
  struct Rank {
    std::shared_ptr<const ProcessOperations> process;
    uint8_t device;
    int32_t number;
    uint32_t first;  // of its process's operations in number_
    std::vector<GraphStep> steps;
    std::vector<int64_t> step_numbers;  // by index of the process's steps
    std::vector<uint32_t> names;        // by the process's names
    std::vector<int64_t> amounts;       // by collective (own_amount); empty: no all-to-all
    bool loads_ahead = false;
  };

  using Processes = std::map<ProcessOperations*, std::vector<const RankTimeline*>>;  // with their devices
  void fit(const Processes& processes, const StepSelection& steps, uint64_t most_operations);
  void reserve(const Processes& processes);
  OperationId add_process(ProcessOperations& process, const std::vector<const RankTimeline*>& devices,
                          const StepSelection& steps);
  void add_wait(const ProcessOperations& process, uint32_t operation);
  void add_rank(const RankTimeline& timeline, OperationId first, const StepSelection& steps);
  void add_collectives(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches);
  bool joins(const MatchedCollective& match, const std::vector<RankTimeline>& ranks) const;
  bool meet(const std::vector<OperationId>& members, std::set<OperationId>& met);
  template <class TimeOf>
  bool waits_for_more(const MatchedCollective& match, const TimeOf& time_of) const;
  OperationId operation_of(const CollectiveMember& member) const {
    return operation_of_collective_[member.rank][member.collective];
  }
  void number_in_order();
  void set_durations();
  void find_unknown_waits(const std::vector<RankTimeline>& ranks);

  OperationGraph<Nanoseconds> graph_;
  Schedule<Nanoseconds> measured_;
  std::vector<Rank> ranks_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, uint32_t> number_of_name_;
  std::vector<OperationKind> kinds_;
  std::vector<bool> waiting_is_known_;
  std::vector<bool> is_assumed_;
  size_t assumed_edges_ = 0;
  std::optional<double> step_without_assumed_ns_;
  std::unordered_map<OperationId, Nanoseconds> unknown_waits_;
  double waited_ = 0, waits_explained_ = 0;  // in ns
  std::vector<OperationId> number_;          // of each operation, process by process
  Contention contention_;
  std::vector<std::vector<OperationId>> operation_of_collective_;  // while it is made: by rank and collective
  std::string reason_;
  std::string limited_to_;
  size_t steps_of_run_ = 0;
  std::vector<bool> stays_;  // by operation; empty: none does
  std::optional<std::set<int32_t>> rank_numbers_;
};

}  // namespace tauprof
