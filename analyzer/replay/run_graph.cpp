#include "replay/run_graph.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <type_traits>
#include <vector>

#include "metrics/collectives/bandwidth.h"
#include "model/operation_names.h"
#include "model/release.h"
#include "replay/edge_lags.h"
#include "replay/fitting_steps.h"
#include "replay/found_roots.h"
#include "replay/member_waits.h"

namespace tauprof {
namespace {

using log::Operation;
double length_of(const GraphStep& step, const Schedule<Nanoseconds>& schedule) {
  return static_cast<double>(step.in(schedule).length());
}

// Of its all-to-alls, in which ranks may move more or less than others.
std::vector<int64_t> own_amounts(const RankTimeline& rank) {
  std::vector<int64_t> amounts;
  for (size_t i = 0; i < rank.collectives.size(); ++i) {
    const RankCollective& one = rank.collectives[i];
    if (one.operation != Operation::kAllToAll) continue;
    amounts.resize(rank.collectives.size());
    const int64_t bytes = std::max(one.rare->bytes_out, one.rare->bytes_in);
    amounts[i] = bytes > 0 ? bytes : one.count;
  }
  return amounts;
}

}  // namespace

RunGraph::RunGraph(std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                   const StepSelection& steps, uint64_t most_operations) {
  Processes processes;
  for (const RankTimeline& rank : ranks) {
    if (rank.operations == nullptr)
      reason_ = !rank.not_replayed_because.empty() ? rank.not_replayed_because
                                                   : "rank " + std::to_string(rank.rank) + " has no device times";
    if (rank.clock_basis == ClockBasis::kUnknown) reason_ = "the ranks' clocks are not known";
    if (rank.operations != nullptr) processes[rank.operations.get()].push_back(&rank);
  }
  if (reason_.empty()) fit(processes, steps, most_operations);
  if (!reason_.empty()) return;
  reserve(processes);
  std::map<const ProcessOperations*, OperationId> first;
  for (const auto& [process, devices] : processes) first[process] = add_process(*process, devices, steps);
  for (const RankTimeline& rank : ranks) add_rank(rank, first[rank.operations.get()], steps);
  Nanoseconds base = INT64_MAX;
  for (const auto& one : measured_) base = std::min(base, one.start);
  for (auto& one : measured_) one = {one.start - base, one.end - base};
  add_collectives(ranks, matches);
  if (!graph_.sort()) {
    reason_ = "its operations wait for each other in a circle: times or handles in the logs contradict each other";
    return;
  }
  number_in_order();
  set_durations();
  find_unknown_waits(ranks);
  set_delays(graph_, measured_);
  contention_ = Contention(*this);
}

void RunGraph::fit(const Processes& processes, const StepSelection& steps, uint64_t most_operations) {
  uint64_t operations = 0;
  std::vector<const ProcessOperations*> all;
  for (const auto& [process, devices] : processes) {
    operations += process->operations.size();
    all.push_back(process);
  }
  if (operations <= most_operations) return;
  const std::string size = std::to_string(operations / 1'000'000) + " million operations";
  const std::optional<FittingSteps> kept = fitting_steps(all, steps, most_operations);
  if (!kept) {
    reason_ = "its " + size + " need more than half of the memory, and so does each step";
    return;
  }
  for (const auto& [process, devices] : processes) keep_steps(*kept, *process);
  limited_to_ = "steps " + std::to_string(kept->first) + " to " + std::to_string(kept->last) +
                ", which are typical; all of its " + size + " need more than half of the memory";
}

void RunGraph::reserve(const Processes& processes) {
  size_t operations = 0, edges = 0;
  for (const auto& [process, devices] : processes) {
    operations += process->operations.size();
    edges += process->edges.size();
  }
  graph_.reserve(operations, edges);
  measured_.reserve(operations);
  kinds_.reserve(operations);
}

OperationId RunGraph::add_process(ProcessOperations& process, const std::vector<const RankTimeline*>& devices,
                                  const StepSelection& steps) {
  const auto first = static_cast<OperationId>(graph_.size());
  std::vector<const ClockMap*> clocks(process.lags.size(), &devices.front()->run_clock);
  for (const RankTimeline* const device : devices) clocks[device->operations_device] = &device->run_clock;
  std::vector<bool> is_analysed;  // by the process's steps
  for (const int64_t number : process.step_numbers) is_analysed.push_back(steps.has(number));
  std::vector<OperationGraph<Nanoseconds>::Edge> edges;
  for (uint32_t i = 0; i < process.operations.size(); ++i) {
    const OperationLabel& operation = process.operations[i];
    edges.clear();
    for (uint32_t e = process.first_edge[i]; e < process.first_edge[i + 1]; ++e) {
      const OperationEdge& edge = process.edges[e];
      const Nanoseconds lag = process.lags[operation.device][static_cast<size_t>(edge.kind)];
      edges.push_back({first + edge.before, static_cast<int32_t>(lag)});
    }
    const OperationId id = graph_.add(process.times[i].length(), edges);
    if (const std::optional<uint32_t> last = last_edge(process, i)) graph_.set_delayed_edge(id, *last);
    const ClockMap& clock = *clocks[operation.device];
    measured_.push_back({clock.to_run(process.times[i].start), clock.to_run(process.times[i].end)});
    kinds_.push_back(operation.kind);
    is_assumed_.push_back(process.first_edge[i + 1] > process.first_edge[i] &&
                          process.edges[process.first_edge[i + 1] - 1].is_assumed);
    assumed_edges_ += is_assumed_.back() ? 1u : 0u;
    if (operation.step != kNoStep && is_analysed[static_cast<size_t>(operation.step)]) add_wait(process, i);
  }
  release(process.times);
  release(process.edges);
  release(process.first_edge);
  return first;
}

// Counts how long a blocking call, or work behind another stream's, waited after its own queue had let it go.
void RunGraph::add_wait(const ProcessOperations& process, uint32_t id) {
  const OperationLabel& operation = process.operations[id];
  const auto& lags = process.lags[operation.device];
  Nanoseconds ready = INT64_MIN;
  bool is_held = is_on_host(operation.kind)
                     ? operation.kind == OperationKind::kReturn && blocks_host(operation.call_class)
                     : operation.row == LedgerRow::kIdleDependency;
  bool is_explained = false;
  for (uint32_t e = process.first_edge[id]; e < process.first_edge[id + 1]; ++e) {
    const OperationEdge& edge = process.edges[e];
    if (edge.kind == EdgeKind::kEvent || edge.kind == EdgeKind::kWaitFor) {
      is_held = true;
      is_explained |= !edge.is_assumed;
    } else {
      ready = std::max(ready, process.times[edge.before].end + lags[static_cast<size_t>(edge.kind)]);
    }
  }
  if (!is_held || ready == INT64_MIN) return;
  const auto wait = static_cast<double>(std::max<Nanoseconds>(0, process.times[id].start - ready));
  waited_ += wait;
  waits_explained_ += is_explained ? wait : 0;
}

void RunGraph::add_rank(const RankTimeline& timeline, OperationId first, const StepSelection& steps) {
  const ProcessOperations& process = *timeline.operations;
  Rank rank{timeline.operations,  timeline.operations_device, timeline.rank, first, {}, process.step_numbers, {},
            own_amounts(timeline)};
  const auto workers = timeline.settings.find("loader.workers");
  rank.loads_ahead = workers != timeline.settings.end() && std::atoi(workers->second.c_str()) > 0;
  for (const OperationStep& step : process.steps[rank.device])
    if (steps.has(step.number)) {
      rank.steps.push_back(step);
      rank.steps.back().renumber([first](uint32_t operation) { return first + operation; });
    }
  for (const std::string& name : process.names) {
    const auto number = number_of_name_.try_emplace(name, static_cast<uint32_t>(names_.size())).first->second;
    if (number == names_.size()) names_.push_back(name);
    rank.names.push_back(number);
  }
  std::vector<OperationId>& collectives = operation_of_collective_.emplace_back(timeline.collectives.size(), kNoIndex);
  for (uint32_t i = 0; i < process.operations.size(); ++i)
    if (const OperationLabel& one = process.operations[i];
        one.device == rank.device && one.collective < collectives.size())
      collectives[one.collective] = first + i;
  ranks_.push_back(std::move(rank));
}

// Whether its members' waits are known, so that they can be replayed.
bool RunGraph::joins(const MatchedCollective& match, const std::vector<RankTimeline>& ranks) const {
  return match.members.size() > 1 &&
         std::all_of(match.members.begin(), match.members.end(), [&](const CollectiveMember& member) {
           return ranks[member.rank].collectives[member.collective].is_split && operation_of(member) != kNoIndex;
         });
}

void RunGraph::add_collectives(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches) {
  const auto time_of = [this](const CollectiveMember& member) {
    const auto& time = measured_[operation_of(member)];
    return Interval{time.start, time.end};
  };
  MemberWaits waits(ranks, time_of);
  FoundRoots roots(ranks, time_of);
  for (size_t i = 0; i < matches.size(); ++i) {
    if (!joins(matches[i], ranks)) continue;
    waits.look_at(matches[i]);
    if (is_rooted(matches[i].operation)) roots.look_at(i, matches[i]);
  }
  waiting_is_known_.resize(graph_.size());
  std::set<OperationId> met;
  std::vector<OperationId> members;
  for (size_t i = 0; i < matches.size(); ++i) {
    const MatchedCollective& match = matches[i];
    if (!joins(match, ranks)) continue;
    members.clear();
    OperationId root = kNoIndex;
    for (const CollectiveMember& member : match.members) {
      const RankCollective& collective = ranks[member.rank].collectives[member.collective];
      members.push_back(operation_of(member));
      const bool is_root = match.is_point_to_point
                               ? !member.receives
                               : collective.peer >= 0 && collective.peer == collective.communicator_rank;
      if (is_root) root = members.back();
    }
    if (const std::optional<uint32_t> found = root == kNoIndex ? roots.root_of(i) : std::nullopt)
      for (const CollectiveMember& member : match.members)
        if (member.rank == *found) root = operation_of(member);
    const bool from_root = comes_from_root(match.operation), to_root = goes_to_root(match.operation);
    const bool is_rooted = (from_root || to_root) && root != kNoIndex;
    const bool all_wait = !match.is_point_to_point && (from_root || to_root) && waits.wait_for_all(match);
    if (match.is_point_to_point || (is_rooted && !all_wait)) {
      for (const OperationId member : members) waiting_is_known_[member] = true;
      for (const OperationId member : members) {
        if (member == root) continue;
        if (match.is_point_to_point || from_root) graph_.add_need(member, root);
        if (to_root || (match.is_point_to_point && !waits.leave_early(match))) graph_.add_need(root, member);
      }
    } else if ((all_wait || is_all_pairs(match.operation)) && meet(members, met)) {
      for (const OperationId member : members) waiting_is_known_[member] = true;
    }
  }
  for (const MatchedCollective& match : matches) {
    if (joins(match, ranks) || !waits_for_more(match, time_of)) continue;
    members.clear();
    for (const CollectiveMember& member : match.members) members.push_back(operation_of(member));
    meet(members, met);
  }
}

bool RunGraph::meet(const std::vector<OperationId>& members, std::set<OperationId>& met) {
  if (std::any_of(members.begin(), members.end(), [&](OperationId id) { return met.contains(id); })) return false;
  met.insert(members.begin(), members.end());
  graph_.add_meeting(members);
  return true;
}

// Whether its members wait for each other, and for others whose logs are missing. How long for those is not known, and
// stays in the time since the last known one has arrived.
template <class TimeOf>
bool RunGraph::waits_for_more(const MatchedCollective& match, const TimeOf& time_of) const {
  if (match.is_point_to_point || match.members.size() < 2 || !is_all_pairs(match.operation)) return false;
  if (match.expected == 0 || match.is_complete()) return false;
  Nanoseconds latest = INT64_MIN, first_end = INT64_MAX;
  for (const CollectiveMember& member : match.members) {
    if (operation_of(member) == kNoIndex) return false;
    latest = std::max(latest, time_of(member).start);
    first_end = std::min(first_end, time_of(member).end);
  }
  return latest <= first_end;
}

// Gives all that names operations their numbers in the order of a replay.
void RunGraph::number_in_order() {
  number_ = graph_.number_in_order();
  const auto put_in_order = [&](auto& of_operations) {
    std::remove_reference_t<decltype(of_operations)> ordered(of_operations.size());
    for (size_t i = 0; i < number_.size(); ++i) ordered[number_[i]] = of_operations[i];
    of_operations = std::move(ordered);
  };
  put_in_order(measured_);
  put_in_order(kinds_);
  put_in_order(waiting_is_known_);
  put_in_order(is_assumed_);
  for (Rank& rank : ranks_)
    for (GraphStep& step : rank.steps) step.renumber([this](uint32_t operation) { return number_[operation]; });
}

// A member's duration counts from the last start among those that it needs.
void RunGraph::set_durations() {
  for (uint32_t meeting = 0; meeting < graph_.meeting_count(); ++meeting) {
    Nanoseconds latest = INT64_MIN;
    for (const OperationId member : graph_.members(meeting)) latest = std::max(latest, measured_[member].start);
    for (const OperationId member : graph_.members(meeting))
      graph_.set_duration(member, measured_[member].end - latest);
  }
  for (const auto& [operation, needed] : graph_.needs()) {
    const Nanoseconds since = measured_[operation].end - std::max(measured_[operation].start, measured_[needed].start);
    graph_.set_duration(operation, std::min(graph_.duration(operation), since));
  }
}

void RunGraph::find_unknown_waits(const std::vector<RankTimeline>& ranks) {
  for (size_t rank = 0; rank < ranks_.size(); ++rank) {
    using Kind = std::tuple<uint32_t, uint64_t, int64_t>;  // name, communicator, how much is moved
    std::map<Kind, std::vector<OperationId>> kinds;
    std::set<int64_t> analysed;
    for (const GraphStep& step : steps(rank)) analysed.insert(step.number);
    for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
      if (operation.kind != OperationKind::kComm || is_waiting_known(id)) return;
      if (!analysed.contains(step_of(rank, operation))) return;
      if (operation.collective >= ranks[rank].collectives.size()) return;
      const RankCollective& collective = ranks[rank].collectives[operation.collective];
      if (collective.communicator_size != 1)
        kinds[{operation.name, collective.communicator, collective.count}].push_back(id);
    });
    for (const auto& [kind, operations] : kinds) {
      Nanoseconds shortest = INT64_MAX;
      for (const OperationId id : operations) shortest = std::min(shortest, graph_.duration(id));
      for (const OperationId id : operations)
        if (graph_.duration(id) > shortest) unknown_waits_[id] = graph_.duration(id) - shortest;
    }
  }
}

std::vector<double> RunGraph::step_lengths(const Schedule<Nanoseconds>& schedule) const {
  std::map<int64_t, std::pair<double, size_t>> lengths;
  for (const Rank& rank : ranks_) {
    if (rank_numbers_ && rank_numbers_->count(rank.number) == 0) continue;
    for (const GraphStep& step : rank.steps) {
      auto& [sum, count] = lengths[step.number];
      sum += length_of(step, schedule);
      ++count;
    }
  }
  std::vector<double> means;
  for (const auto& [number, length] : lengths) means.push_back(length.first / static_cast<double>(length.second));
  return means;
}

void RunGraph::stand_for(const StepSelection& steps) {
  steps_of_run_ = steps.analysed.size();
  const std::set<int64_t> replayed = step_numbers();
  std::set<int64_t> left_out;
  for (const int64_t number : steps.numbers)
    if (!replayed.contains(number) && !replayed.contains(number - 1)) left_out.insert(number);
  if (left_out.empty() || !reason_.empty()) return;
  stays_.assign(graph_.size(), false);
  for (size_t rank = 0; rank < ranks_.size(); ++rank)
    for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
      stays_[id] = left_out.contains(step_of(rank, operation));
    });
}

std::set<int64_t> RunGraph::step_numbers() const {
  std::set<int64_t> numbers;
  for (const Rank& rank : ranks_)
    for (const GraphStep& step : rank.steps) numbers.insert(step.number);
  return numbers;
}

double RunGraph::mean_step(const Schedule<Nanoseconds>& schedule) const {
  const std::vector<double> lengths = step_lengths(schedule);
  double sum = 0;
  for (const double length : lengths) sum += length;
  return lengths.empty() ? 0 : sum / static_cast<double>(lengths.size());
}

double RunGraph::mean_step_of_others(const Schedule<Nanoseconds>& schedule, int32_t rank_number) const {
  double sum = 0;
  size_t count = 0;
  for (const Rank& rank : ranks_) {
    if (rank.number == rank_number) continue;
    for (const GraphStep& step : rank.steps) sum += length_of(step, schedule);
    count += rank.steps.size();
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

}  // namespace tauprof
