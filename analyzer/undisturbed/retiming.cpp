#include "undisturbed/retiming.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace tauprof {
namespace {

// Old times to new ones, in the order of both. Between two known times the way is straight, outside of all it is that
// of the next one.
class TimeMap {
 public:
  void add(Nanoseconds was, Nanoseconds is) {
    if (!was_.empty() && was <= was_.back()) return;
    was_.push_back(was);
    is_.push_back(is_.empty() ? is : std::max(is, is_.back()));
  }

  Nanoseconds at(Nanoseconds time) const {
    if (was_.empty()) return time;
    const auto after = static_cast<size_t>(std::upper_bound(was_.begin(), was_.end(), time) - was_.begin());
    if (after == 0) return time + is_.front() - was_.front();
    if (after == was_.size()) return time + is_.back() - was_.back();
    const Nanoseconds was = was_[after - 1], is = is_[after - 1];
    const double part = static_cast<double>(time - was) / static_cast<double>(was_[after] - was);
    return is + std::llround(part * static_cast<double>(is_[after] - is));
  }
  void move(Nanoseconds& time) const { time = at(time); }
  template <class Timed>
  void move_both(Timed& timed) const {
    move(timed.start);
    move(timed.end);
  }
  size_t size() const { return was_.size(); }

 private:
  std::vector<Nanoseconds> was_, is_;
};

class Mover {
 public:
  Mover(const Retiming& retiming, ProcessTrace& trace) : retiming_(retiming), trace_(trace) {
    maps_.resize(trace.threads.size());
    for (const Retiming::Call& one : retiming.calls) {
      const HostCall& call = trace.calls[one.call];
      maps_[call.thread].add(call.start, call.start + one.shift.start);
      maps_[call.thread].add(call.end, call.end + one.shift.end);
    }
    // A thread that launches nothing keeps to the one that launches most.
    size_t busiest = 0;
    for (size_t thread = 0; thread < maps_.size(); ++thread)
      if (maps_[thread].size() > maps_[busiest].size()) busiest = thread;
    if (!maps_.empty()) of_process_ = maps_[busiest];
  }

  void move() {
    move_devices();
    move_cpu_clocks();
    for (HostCall& call : trace_.calls) of(call.thread).move_both(call);
    for (HostRange& range : trace_.ranges) of(range.thread).move_both(range);
    for (FrameworkMark& mark : trace_.marks) of(mark.thread).move_both(mark);
    for (AnnotatedCollective& one : trace_.annotated_collectives) of(one.thread).move_both(one);
    for (AutogradOperator& one : trace_.autograd_operators) of(one.thread).move_both(one);
    for (LocatedCall& call : trace_.stacks.calls) of(call.thread).move(call.start);
    for (LocatedPause& pause : trace_.stacks.pauses) of(pause.thread).move_both(pause.time);
    for (StepMark& mark : trace_.step_marks) of(mark.thread).move(mark.time);
    for (OpenCall& call : trace_.open_calls) {
      of(call.thread).move(call.start);
      of_process_.move(call.as_of);
    }
    for (MemoryEvent& event : trace_.memory) of_process_.move(event.time);
    for (RecorderStep& step : trace_.recorder_steps) of_process_.move(step.time);
    for (TelemetryReading& reading : trace_.telemetry) of_process_.move(reading.time);
    for (DeviceTimesChange& change : trace_.device_times) of_process_.move(change.time);
    for (RecordingGap& gap : trace_.quality.gaps) of_process_.move_both(gap.time);
    if (trace_.last_alive != 0) of_process_.move(trace_.last_alive);
    for (HostStep& step : trace_.steps) move_step(step);
    trace_.kernel_phases.clear();
  }

 private:
  const TimeMap& of(uint16_t thread) const {
    return thread < maps_.size() && maps_[thread].size() > 0 ? maps_[thread] : of_process_;
  }

  void move_step(HostStep& step) const {
    const TimeMap& map = step.thread < 0 ? of_process_ : of(static_cast<uint16_t>(step.thread));
    map.move_both(step);
    for (Nanoseconds* const time : {&step.extra_start, &step.own_start, &step.updated})
      if (*time != HostStep::kNoExtra) map.move(*time);
    if (step.next_launch != 0) map.move(step.next_launch);
  }

  void move_devices() {
    std::unordered_map<Nanoseconds, Nanoseconds> starts;  // of copies whose bandwidth is known
    for (const CopyBandwidth& one : trace_.bandwidths) starts.emplace(one.start, one.start);
    for (size_t device = 0; device < trace_.devices.size(); ++device) {
      DeviceTrace& moved = trace_.devices[device];
      for (size_t i = 0; i < moved.spans.size(); ++i) {
        DeviceSpan& span = moved.spans[i];
        const Nanoseconds was = span.start;
        if (const std::optional<Shift>& shift = retiming_.spans[device][i]) {
          span.start += shift->start;
          span.end = std::max(span.start, span.end + shift->end);
        } else {
          of_process_.move_both(span);
        }
        if (const auto known = starts.find(was); known != starts.end()) known->second = span.start;
      }
      put_in_order(moved);
    }
    for (CopyBandwidth& one : trace_.bandwidths) one.start = starts[one.start];
    std::stable_sort(trace_.bandwidths.begin(), trace_.bandwidths.end(),
                     [](const CopyBandwidth& a, const CopyBandwidth& b) { return a.start < b.start; });
  }

  // Streams may have overtaken each other.
  static void put_in_order(DeviceTrace& device) {
    std::vector<uint32_t> order(device.spans.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return device.spans[a].start < device.spans[b].start; });
    std::vector<uint32_t> place(order.size());
    std::vector<DeviceSpan> spans;
    spans.reserve(order.size());
    for (const uint32_t was : order) {
      place[was] = static_cast<uint32_t>(spans.size());
      spans.push_back(device.spans[was]);
    }
    device.spans = std::move(spans);
    for (uint32_t& span : device.span_order) span = place[span];
  }

  // Between two readings of a thread's processor clock, what becomes shorter or longer outside of blocking calls is
  // work: a stall lasts as long as it did.
  void move_cpu_clocks() {
    const CpuReading* last = nullptr;
    CpuReading was;
    uint32_t call = 0;
    for (CpuReading& reading : trace_.cpu_readings) {
      const CpuReading read = reading;
      const TimeMap& map = of(read.thread);
      map.move(reading.time);
      const uint32_t first = trace_.first_call[read.thread], end = trace_.first_call[read.thread + 1];
      Nanoseconds blocked_longer = 0;  // since the last one
      for (call = std::max(call, first); call < end && trace_.calls[call].start < read.time; ++call) {
        const HostCall& one = trace_.calls[call];
        if (!blocks_host(one.call_class)) continue;
        blocked_longer += map.at(one.end) - map.at(one.start) - (one.end - one.start);
        blocked_longer = std::clamp(blocked_longer, -kMostCpuTime, kMostCpuTime);
      }
      if (last != nullptr && last->thread == read.thread) {
        const Nanoseconds length = reading.time - last->time;
        const Nanoseconds longer = length - (read.time - was.time) - blocked_longer;
        reading.cpu =
            last->cpu + std::clamp<Nanoseconds>(read.cpu - was.cpu + longer, 0, std::max<Nanoseconds>(0, length));
      }
      last = &reading;
      was = read;
    }
  }

  const Retiming& retiming_;
  ProcessTrace& trace_;
  std::vector<TimeMap> maps_;  // by thread
  TimeMap of_process_;
};

class ShiftsOfRank {
 public:
  ShiftsOfRank(const RunGraph& run, size_t rank, const Schedule<Nanoseconds>& schedule)
      : run_(run), rank_(rank), schedule_(schedule) {}

  Retiming all() const {
    const ProcessOperations& process = run_.process(rank_);
    Retiming retiming;
    retiming.lags = process.lags;
    for (uint32_t i = 0; i + 1 < process.operations.size(); ++i)
      if (process.operations[i].kind == OperationKind::kBetween)
        retiming.calls.push_back({process.places.hosts[i].call, {of(i).end, of(i + 1).end}});
    for (const std::vector<uint32_t>& operations : process.places.of_span) {
      std::vector<std::optional<Shift>>& spans = retiming.spans.emplace_back(operations.size());
      for (size_t span = 0; span < operations.size(); ++span)
        if (operations[span] != kNoIndex) spans[span] = of(operations[span]);
    }
    return retiming;
  }

 private:
  Shift of(uint32_t operation) const {
    const OperationId id = run_.id_of(rank_, operation);
    const auto& was = run_.measured()[id];
    return {schedule_[id].start - was.start, schedule_[id].end - was.end};
  }

  const RunGraph& run_;
  const size_t rank_;
  const Schedule<Nanoseconds>& schedule_;
};

}  // namespace

void retime(const Retiming& retiming, ProcessTrace& trace) {
  if (!retiming.is_empty()) Mover(retiming, trace).move();
}

const Retiming* retiming_of(const std::string& file, const Retimings* retimings) {
  if (retimings == nullptr) return nullptr;
  const auto found = retimings->find(file);
  return found == retimings->end() ? nullptr : &found->second;
}

Retimings retimings_of(const RunGraph& run, const std::vector<RankTimeline>& ranks,
                       const Schedule<Nanoseconds>& schedule) {
  Retimings retimings;
  for (size_t rank = 0; rank < run.rank_count(); ++rank)
    if (!retimings.contains(ranks[rank].file)) retimings[ranks[rank].file] = ShiftsOfRank(run, rank, schedule).all();
  return retimings;
}

}  // namespace tauprof
