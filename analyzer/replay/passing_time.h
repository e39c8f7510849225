// How a contended replay (contended_replay.h) goes through time. What it asks of each operation, it asks several times,
// so these are templates.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "limits/analysis_limits.h"
#include "replay/contended_replay.h"

namespace tauprof {

// The values that a replay asks of each operation, by its number.
template <class WorkOf, class ExtraOf, class DelayOf, class LeadOf, class EdgesOf>
struct ContendedRun {
  const RunGraph& run;
  const OperationGraph<Nanoseconds>& graph;  // of the run, with or without changes
  bool is_contended;                         // it is known what kernels lose
  WorkOf work;                               // how long it takes away from communication
  ExtraOf extra;                             // time lost by a kernel, as measured; 0 unless that is known
  DelayOf delay;
  LeadOf lead;                          // how much shorter all lags to it are
  EdgesOf edges;                        // those that count
  std::vector<uint16_t> added_on = {};  // collectives that the run lacks, behind its operations: the rank of each
};

template <class WorkOf, class ExtraOf, class DelayOf, class LeadOf, class EdgesOf>
ContendedRun(const RunGraph&, const OperationGraph<Nanoseconds>&, bool, WorkOf, ExtraOf, DelayOf, LeadOf, EdgesOf,
             std::vector<uint16_t> = {}) -> ContendedRun<WorkOf, ExtraOf, DelayOf, LeadOf, EdgesOf>;

// The operations that run on a device.
struct ContendedDevice {
  struct Kernel {
    OperationId id;
    double left;        // of its work
    Nanoseconds since;  // when that was left
    double rate;
  };
  std::vector<Kernel> kernels;
  int waiting = 0, moving = 0;  // collectives
};

template <class Run>
class PassingTime {
 public:
  explicit PassingTime(const Run& run)
      : run_(run), graph_(run.graph), contention_(run.run.contention()), devices_(run.run.rank_count()) {}

  Schedule<Nanoseconds> replayed() {
    prepare();
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      if (event.is_end)
        end(event);
      else
        start(event.id, event.time);
    }
    return std::move(schedule_);
  }

 private:
  struct Event {
    Nanoseconds time;
    OperationId id;
    uint32_t version;  // of an end: an end of an earlier version does not happen
    bool is_end;
    bool operator>(const Event& other) const { return time > other.time; }
  };

  using Device = ContendedDevice;

  void prepare() {
    const size_t size = graph_.size();
    schedule_.assign(size, {0, 0});
    ready_.assign(size, std::numeric_limits<Nanoseconds>::lowest());
    open_.assign(size, 0);
    version_.assign(size, 0);
    first_after_.assign(size + 1, 0);
    for (OperationId id = 0; id < size; ++id) {
      const auto edges = run_.edges(id);
      open_[id] = static_cast<uint32_t>(edges.size());
      for (const auto& edge : edges) ++first_after_[edge.before + 1];
    }
    for (size_t i = 1; i <= size; ++i) first_after_[i] += first_after_[i - 1];
    after_.resize(first_after_.back());
    std::vector<uint32_t> next(first_after_.begin(), first_after_.end());
    for (OperationId id = 0; id < size; ++id) {
      const auto edges = run_.edges(id);
      const uint32_t delayed = graph_.delayed_edge(id);
      for (uint32_t i = 0; i < edges.size(); ++i)
        after_[next[edges[i].before]++] = {id, edges[i].lag + (i == delayed ? run_.delay(id) : 0)};
    }
    missing_.resize(graph_.meeting_count());
    for (uint32_t i = 0; i < missing_.size(); ++i) missing_[i] = static_cast<uint32_t>(graph_.members(i).size());
    for (const auto& [id, needed] : graph_.needs()) {
      ++open_needs_.try_emplace(id, 1).first->second;  // it has to start itself, too
      needed_by_[needed].push_back(id);
    }
    for (OperationId id = 0; id < size; ++id)
      if (open_[id] == 0) events_.push({behind_all(id), id, 0, false});
  }

  Device* device_of(OperationId id) {
    const size_t size = run_.run.graph().size();
    const uint16_t device = id < size ? contention_.device(id) : run_.added_on[id - size];
    return device == Contention::kNoDevice ? nullptr : &devices_[device];
  }
  bool is_collective(OperationId id) const {
    return id >= run_.run.graph().size() ? true : run_.run.kind(id) == OperationKind::kComm;
  }

  void start(OperationId id, Nanoseconds time) {
    schedule_[id].start = time;
    Device* const device = device_of(id);
    if (device != nullptr && is_collective(id)) change(*device, time, 1, 0);
    if (const auto waiting = needed_by_.find(id); waiting != needed_by_.end())
      for (const OperationId other : waiting->second) count_need(other, time);
    if (graph_.has_needs(id)) return count_need(id, time);
    const uint32_t meeting = graph_.meeting(id);
    if (meeting == kNoMeeting) return begin(id, time);
    if (--missing_[meeting] == 0)
      for (const OperationId member : graph_.members(meeting)) begin(member, time);
  }

  void count_need(OperationId id, Nanoseconds time) {
    if (--open_needs_[id] == 0) begin(id, time);
  }

  // It waits for nothing any more.
  void begin(OperationId id, Nanoseconds time) {
    Device* const device = device_of(id);
    const Nanoseconds work = run_.work(id);
    if (device == nullptr) return events_.push({time + work, id, 0, true});
    if (is_collective(id)) {
      change(*device, time, -1, 1);
      return events_.push({time + work, id, 0, true});
    }
    device->kernels.push_back({id, static_cast<double>(work), time, rate(*device, id)});
    expect_end(device->kernels.back());
  }

  double rate(const Device& device, OperationId id) const {
    if (device.moving > 0) return contention_.rates(id).moving;
    return device.waiting > 0 ? contention_.rates(id).waiting : 1;
  }

  void expect_end(const Device::Kernel& kernel) {
    events_.push({kernel.since + std::llround(kernel.left / kernel.rate), kernel.id, ++version_[kernel.id], true});
  }

  // More or fewer collectives wait or move data from now on.
  void change(Device& device, Nanoseconds time, int waiting, int moving) {
    device.waiting += waiting;
    device.moving += moving;
    for (Device::Kernel& kernel : device.kernels) {
      const double now = rate(device, kernel.id);
      if (now == kernel.rate) continue;
      const auto passed = static_cast<double>(std::max<Nanoseconds>(0, time - kernel.since));
      kernel.left = std::max(0.0, kernel.left - passed * kernel.rate);
      kernel.since = std::max(kernel.since, time);
      kernel.rate = now;
      expect_end(kernel);
    }
  }

  void end(const Event& event) {
    const OperationId id = event.id;
    if (event.version != version_[id]) return;
    if (Device* const device = device_of(id); device != nullptr && is_collective(id))
      change(*device, event.time, 0, -1);
    else if (device != nullptr)
      std::erase_if(device->kernels, [&](const Device::Kernel& kernel) { return kernel.id == id; });
    schedule_[id].end = event.time;
    for (uint32_t i = first_after_[id]; i < first_after_[id + 1]; ++i) {
      const After& after = after_[i];
      ready_[after.id] = std::max<Nanoseconds>(ready_[after.id], event.time + after.lag);
      if (--open_[after.id] == 0) events_.push({ready_[after.id] + behind_all(after.id), after.id, 0, false});
    }
  }

  // How long after all of its edges an operation starts.
  Nanoseconds behind_all(OperationId id) const {
    const bool is_of_an_edge = graph_.delayed_edge(id) < run_.edges(id).size();
    return (is_of_an_edge ? 0 : run_.delay(id)) - run_.lead(id);
  }

  struct After {
    OperationId id;
    Nanoseconds lag;  // with the delay that belongs to it
  };
  const Run& run_;
  const OperationGraph<Nanoseconds>& graph_;
  const Contention& contention_;
  std::vector<Device> devices_;
  Schedule<Nanoseconds> schedule_;
  std::vector<Nanoseconds> ready_;
  std::vector<uint32_t> open_;
  std::vector<uint32_t> version_;
  std::vector<uint32_t> first_after_;
  std::vector<After> after_;
  std::vector<uint32_t> missing_;
  std::unordered_map<OperationId, uint32_t> open_needs_;
  std::unordered_map<OperationId, std::vector<OperationId>> needed_by_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

template <class... Functions>
ContendedReplay replay_contended(const ContendedRun<Functions...>& run) {
  ContendedReplay result;
  const auto duration_of = [&](OperationId id) { return run.work(id) + run.extra(id); };
  const auto edges_of = [&](OperationId id, const auto&) { return run.edges(id); };
  replay(run.graph, duration_of, run.delay, result.schedule, edges_of, run.lead);
  result.step_ns = run.run.mean_step(result.schedule);
  if (!run.is_contended || run.graph.size() > kMostContended) return result;
  result.schedule = PassingTime(run).replayed();
  const double as_measured = std::exchange(result.step_ns, run.run.mean_step(result.schedule));
  result.contention_ns = as_measured - result.step_ns;
  return result;
}

}  // namespace tauprof
