#include "replay/process_operations.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "limits/analysis_limits.h"
#include "metrics/input/input_copies.h"
#include "metrics/ledger/idle_cause.h"
#include "model/release.h"
#include "phases/call_order.h"
#include "replay/device_nodes.h"
#include "replay/edge_lags.h"
#include "replay/full_queue.h"
#include "replay/handovers.h"
#include "replay/host_time.h"
#include "replay/inferred_waits.h"
#include "replay/silent_waits.h"
#include "replay/spans_of_calls.h"
#include "replay/stream_state.h"
#include "replay/thread_turns.h"
#include "steps/device_times.h"

namespace tauprof {
namespace {

// An edge before it is known where in the graph it will stand.
struct LooseEdge {
  uint32_t after = 0;
  OperationEdge edge;
};

// Such a call returns when the device has nothing left to do.
bool frees_device_memory(std::string_view function) {
  return function.find("Free") != std::string_view::npos && function.find("Async") == std::string_view::npos &&
         function.find("Host") == std::string_view::npos;
}

class Builder {
 public:
  Builder(const ProcessTrace& trace, const PhaseRules& rules, bool keeps_places)
      : trace_(trace),
        keeps_places_(keeps_places),
        nodes_(add_device_operations(trace, result_)),
        device_operations_(static_cast<uint32_t>(result_.operations.size())),
        streams_(trace, nodes_.of_span),
        inferred_(trace),
        work_(trace),
        turns_(trace),
        idle_(std::in_place, trace, trace.devices.front(), rules),
        waits_after_input_(waits_after_input(trace)),
        lines_(trace.threads.size()),
        launches_(device_operations_),
        queue_(trace, nodes_.of_span) {}

  ProcessOperations build() {
    const auto counts = [](CallClass call) { return launches_work(call) || blocks_host(call); };
    const std::vector<uint32_t> calls = outermost_calls_in_order(trace_, counts);
    if (keeps_places_) start_places();
    reserve(static_cast<size_t>(std::count_if(
        calls.begin(), calls.end(), [&](uint32_t call) { return has_operation(trace_.calls[call].call_class); })));
    if (!calls.empty()) open_first_step(calls.front());
    for (const uint32_t call : calls) take(call);
    add_inferred_waits();
    find_handovers();
    add_silent_waits();
    add_handovers();
    idle_.reset();
    join_streams();
    place_edges();
    name_operations();
    for (const HostStep& step : trace_.steps) result_.step_numbers.push_back(step.number);
    for (uint32_t device = 0; device < trace_.devices.size(); ++device)
      result_.steps.push_back(steps_of_device(trace_, device, nodes_.of_span[device], result_.times, opening_));
    set_lags(result_);
    return std::move(result_);
  }

 private:
  static constexpr Nanoseconds kNever = INT64_MIN;

  // Where a thread stands: after its last operation, or in what it does since.
  struct Line {
    uint32_t last = kNoIndex;
    Nanoseconds last_end = INT64_MIN;
    Nanoseconds opened = kNever;         // when it began with the first step, before its first call
    uint32_t last_call = kNoIndex;       // also one that has no operation of its own
    uint32_t last_operation = kNoIndex;  // the call of the last operation
    HostTime since = {};                 // its time since
    Nanoseconds told = kNever;           // when it told a stream to wait, since
    int32_t step = kNoStep;              // of its last operation …
    uint32_t calls = 0;                  // … and how many it had in this step before
  };

  // Two operations a call, each after the one before; device work after its launch and its stream. Others wait for
  // more.
  void reserve(size_t calls) {
    result_.operations.reserve(device_operations_ + 2 * calls);
    result_.times.reserve(device_operations_ + 2 * calls);
    loose_.reserve(2 * (device_operations_ + calls) + calls / 2);
  }

  // Adds the host's time in the first step before the first call of all.
  void open_first_step(uint32_t first_call) {
    const HostCall& call = trace_.calls[first_call];
    if (trace_.steps.empty() || trace_.steps.front().start >= call.start) return;
    Line& line = lines_[call.thread];
    line.opened = trace_.steps.front().start;
    line.since.add(idle_->pieces_between({line.opened, call.start}, kNoIndex, first_call));
  }

  static bool has_operation(CallClass call) { return call != CallClass::kOther && call != CallClass::kStreamWait; }

  void take(uint32_t index) {
    const HostCall& call = trace_.calls[index];
    streams_.take_call(index);
    Line& line = lines_[call.thread];
    if (line.last_call != kNoIndex && call.start > trace_.calls[line.last_call].end)
      line.since.add(idle_->pieces_between({trace_.calls[line.last_call].end, call.start}, line.last_call, index));
    const uint32_t previous = std::exchange(line.last_call, index);
    if (!has_operation(call.call_class)) {
      if (call.call_class == CallClass::kStreamWait && line.told == kNever) line.told = call.start;
      line.since.rows[static_cast<size_t>(LedgerRow::kIdleHostLaunch)] += call.end - call.start;
      return;
    }
    const std::optional<Interval> silence = silence_until_told(call.thread);
    const uint32_t behind = line.last;
    const uint32_t between = add_between(previous, index, line);
    // A call waits for work launched before it, or for its own copy.
    std::optional<std::vector<uint32_t>> known;
    const bool may_be_inferred = call.call_class == CallClass::kSync && !(known = streams_.awaited_by(index));
    std::vector<uint32_t> awaited = known.value_or(std::vector<uint32_t>());
    if (may_be_inferred)
      inferred_.add_call(streams_.device_of(call), index, static_cast<uint32_t>(result_.operations.size()));
    std::vector<StreamState::Held> held;
    for (const auto [device, span] : work_.of(index)) {
      streams_.take_launch(device, span, held);
      const uint32_t operation = nodes_.of_span[device][span];
      if (launches_.before(operation) == kNoIndex) {
        const bool is_held = streams_.is_held(device, span);
        launches_.add(operation, between, call.thread, silence);
        if (is_held) result_.operations[operation].row = LedgerRow::kIdleDependency;
        if (!streams_.has_handles()) inferred_.add_work(device, span, operation, is_held, behind);
      }
      if (is_copy(call.call_class)) result_.operations[operation].call_class = call.call_class;
      if (is_copy(call.call_class) && blocks_host(call.call_class)) awaited.push_back(operation);
    }
    for (const StreamState::Held& one : held)
      if (one.operation != one.awaited) loose_.push_back({one.operation, {one.awaited, EdgeKind::kEvent}});
    if (awaited.empty() && !may_be_inferred) awaited = drained_by(call);
    add_call(index, between, awaited);
  }

  // A thread that begins with this was silent since the step's start. None: it told no stream to wait.
  std::optional<Interval> silence_until_told(uint16_t thread) {
    Line& line = lines_[thread];
    const Nanoseconds told = std::exchange(line.told, kNever);
    if (told == kNever) return std::nullopt;
    if (line.last != kNoIndex) return Interval{line.last_end, told};
    return Interval{trace_.steps.empty() ? told : trace_.steps.front().start, told};
  }

  void start_places() {
    result_.places.hosts.resize(device_operations_);
    result_.places.of_span = nodes_.of_span;
    for (const HostStep& step : trace_.steps)
      result_.places.steps.push_back({{step.start, step.end}, device_times_in(trace_, {step.start, step.end})});
  }

  void keep_place(uint32_t call) {
    if (keeps_places_) result_.places.hosts.push_back({call, trace_.calls[call].thread});
  }

  OperationLabel host_operation(uint32_t index, OperationKind kind) const {
    const HostCall& call = trace_.calls[index];
    OperationLabel operation;
    operation.name = call.function;
    operation.step = call.step;
    operation.device = static_cast<uint8_t>(streams_.device_of(call));
    operation.kind = kind;
    operation.phase = call.phase;
    operation.call_class = call.call_class;
    return operation;
  }

  // Adds the thread's time before the call, since its last operation or since another thread handed over to it.
  uint32_t add_between(uint32_t previous, uint32_t index, Line& line) {
    const HostCall& call = trace_.calls[index];
    const auto id = static_cast<uint32_t>(result_.operations.size());
    const ThreadTurns::Turn turn =
        line.last == kNoIndex ? turns_.before(call.thread, {INT64_MIN, call.start}) : ThreadTurns::Turn();
    Nanoseconds start = line.last == kNoIndex ? call.start : line.last_end;
    if (line.last == kNoIndex && line.opened != kNever) {
      start = line.opened;
      opening_ = id;
    }
    if (line.last == kNoIndex && turn.operation != kNoIndex) start = turn.end;
    if (std::exchange(line.step, call.step) != call.step) line.calls = 0;
    ++line.calls;
    OperationLabel between = host_operation(index, OperationKind::kBetween);
    std::exchange(line.since, {}).set_row(between);
    result_.operations.push_back(between);
    keep_place(index);
    // A call may start before the one before it has returned: clocks of threads differ, records are lost.
    result_.times.push_back({std::min(start, call.start), call.start});
    if (line.last == kNoIndex) {
      if (turn.operation != kNoIndex) take_turn({id, previous, index, {start, call.start}, call.step, kNoIndex, turn});
    } else {
      loose_.push_back({id, {line.last, EdgeKind::kThread}});
      note_silence(id, previous, index);
    }
    return id;
  }

  void note_silence(uint32_t between, uint32_t previous, uint32_t index) {
    const HostCall& call = trace_.calls[index];
    const Line& line = lines_[call.thread];
    const Interval time = result_.times[between];
    if (time.length() < kTurnTaken) return;
    turns_.note(call.thread, line.calls, {between, previous, index, time, call.step, line.last});
    SilentWait wait{between, time, INT64_MIN, {}};
    for (const uint32_t operation : streams_.last_launched(streams_.device_of(call))) {
      const Nanoseconds end = result_.times[operation].end;
      wait.drained = std::max(wait.drained, end);
      if (end > time.start) wait.awaited.push_back(operation);
    }
    if (SilentWaits::may_be(time, wait.drained))
      silences_.emplace_back(SilentWaits::place_between(trace_.calls[line.last_operation], call), std::move(wait));
  }

  // Since then the thread's time is its own. Who waits for input still does: for the thread that prepares it.
  void take_turn(const ThreadTurns::Silence& silence) {
    loose_.push_back({silence.operation, {silence.turn.operation, EdgeKind::kTurn, silence.is_assumed}});
    Interval& time = result_.times[silence.operation];
    time.start = std::clamp(silence.turn.end, time.start, time.end);
    HostTime since;
    since.add(idle_->pieces_between(time, silence.previous, silence.call));
    OperationLabel& between = result_.operations[silence.operation];
    const OperationLabel whole = between;
    since.set_row(between);
    if (whole.row == LedgerRow::kIdleDataWait && between.row != whole.row) between = whole;
  }

  void add_silent_waits() {
    for (const ThreadTurns::Silence& silence : turns_.take()) take_turn(silence);
    for (auto& [place, wait] : silences_) {
      wait.silence.start = result_.times[wait.operation].start;  // another thread's turn is over by then
      if (wait.silence.length() >= kTurnTaken && SilentWaits::may_be(wait.silence, wait.drained))
        silent_waits_.add(place, std::move(wait));
    }
    release(silences_);
    for (const SilentWait& wait : silent_waits_.take(trace_.steps.size())) {
      for (const uint32_t operation : wait.awaited) loose_.push_back({wait.operation, {operation, EdgeKind::kTurn}});
      result_.times[wait.operation].start = wait.drained;
    }
  }

  void add_inferred_waits() {
    for (const InferredWaits::Found& wait : inferred_.take()) {
      const EdgeKind kind = wait.is_call ? EdgeKind::kWaitFor : EdgeKind::kEvent;
      loose_.push_back({wait.operation, {wait.awaited, kind, wait.is_assumed}});
    }
  }

  void find_handovers() {
    std::vector<Handover> handovers;
    for (const LooseEdge& one : loose_)
      if (one.edge.kind == EdgeKind::kEvent)
        launches_.find_handover(one.after, one.edge.before, one.edge.is_assumed, handovers);
    test_handovers(handovers, result_.times);
    for (const Handover& one : handovers) {
      turns_.note_taker(one.giver, {one.taker + 1, result_.times[one.taker + 1].end}, one.is_assumed);
      const Nanoseconds given = result_.times[one.giver].end;
      if (one.ends_silence(given)) turns_.note_giver(one.taker, {one.giver, given});
    }
    handovers_ = telling_handovers(std::move(handovers), result_.times);
  }

  // Those behind which nobody had to wait. Of an operation's edges only one may be assumed.
  void add_handovers() {
    std::unordered_set<uint32_t> assuming;
    for (const LooseEdge& one : loose_)
      if (one.edge.is_assumed) assuming.insert(one.after);
    for (const Handover& one : handovers_)
      if (!one.is_assumed || assuming.insert(one.taker).second)
        loose_.push_back({one.taker, {one.giver, EdgeKind::kTurn, one.is_assumed}});
    release(handovers_);
  }

  void add_call(uint32_t index, uint32_t between, const std::vector<uint32_t>& awaited) {
    const HostCall& call = trace_.calls[index];
    Line& line = lines_[call.thread];
    const auto id = static_cast<uint32_t>(result_.operations.size());
    const bool waits = !awaited.empty() || blocks_host(call.call_class);
    OperationLabel operation = host_operation(index, waits ? OperationKind::kReturn : OperationKind::kCall);
    operation.row = row_inside(call.call_class);
    if (waits && (call.is_input_copy || waits_after_input_.contains(index)))
      operation.copy_kind = log::CopyKind::kHostToDevice;
    result_.operations.push_back(operation);
    keep_place(index);
    result_.times.push_back({waits ? call.end : call.start, call.end});
    loose_.push_back({id, {between, waits ? EdgeKind::kAlone : EdgeKind::kThread}});
    for (const uint32_t other : awaited) loose_.push_back({id, {other, EdgeKind::kWaitFor}});
    turns_.add(call.thread, {call.start, call.end}, id, call.step, line.calls);
    line.last = id;
    line.last_operation = index;
    line.last_end = call.end;
  }

  // A launch that blocked because the device's queue was full, or a call that frees memory, which waits for the device:
  // it returned when some work had ended.
  std::vector<uint32_t> drained_by(const HostCall& call) const {
    const uint32_t device = streams_.device_of(call);
    if (frees_device_memory(trace_.names[call.function])) return streams_.last_launched(device);
    const bool is_short = call.end - call.start < kTurnTaken;
    const uint32_t made_room = is_short ? kNoIndex : queue_.made_room(device, call, streams_.launched(device));
    return made_room == kNoIndex ? std::vector<uint32_t>() : std::vector<uint32_t>{made_room};
  }

  // Device work after what is before it in its stream, and after its launch.
  void join_streams() {
    for (uint32_t device = 0; device < trace_.devices.size(); ++device) {
      std::vector<uint32_t> last(trace_.devices[device].streams.size(), kNoIndex);
      for (uint32_t i = 0; i < nodes_.of_span[device].size(); ++i) {
        const uint32_t operation = nodes_.of_span[device][i];
        if (operation == kNoIndex) continue;
        uint32_t& previous = last[trace_.devices[device].spans[i].stream];
        if (previous != kNoIndex && previous != operation) loose_.push_back({operation, {previous, EdgeKind::kStream}});
        previous = operation;
      }
    }
    for (uint32_t operation = 0; operation < device_operations_; ++operation)
      if (launches_.before(operation) != kNoIndex)
        loose_.push_back({operation, {launches_.before(operation), EdgeKind::kLaunch}});
  }

  void place_edges() {
    const auto count = result_.operations.size();
    result_.first_edge.assign(count + 1, 0);
    for (const LooseEdge& one : loose_) ++result_.first_edge[one.after + 1];
    for (size_t i = 1; i <= count; ++i) result_.first_edge[i] += result_.first_edge[i - 1];
    result_.edges.resize(loose_.size());
    std::vector<uint32_t> next(result_.first_edge.begin(), result_.first_edge.end());
    for (const LooseEdge& one : loose_) result_.edges[next[one.after]++] = one.edge;
    for (size_t i = 0; i < count; ++i)
      std::sort(result_.edges.begin() + result_.first_edge[i], result_.edges.begin() + result_.first_edge[i + 1],
                [](const OperationEdge& a, const OperationEdge& b) {
                  return std::pair(a.is_assumed, a.kind) < std::pair(b.is_assumed, b.kind);
                });
    release(loose_);
  }

  // Only the names that operations use.
  void name_operations() {
    std::vector<uint32_t> number(trace_.names.size(), kNoIndex);
    for (OperationLabel& operation : result_.operations) {
      uint32_t& known = number[operation.name];
      if (known == kNoIndex) {
        known = static_cast<uint32_t>(result_.names.size());
        result_.names.emplace_back(trace_.names[operation.name]);
      }
      operation.name = known;
    }
  }

  const ProcessTrace& trace_;
  const bool keeps_places_;
  ProcessOperations result_;
  const DeviceNodes nodes_;
  const uint32_t device_operations_;
  StreamState streams_;
  InferredWaits inferred_;
  const SpansOfCalls work_;
  ThreadTurns turns_;
  std::optional<IdleCause> idle_;  // until all times are known, as it is large
  const std::unordered_map<uint32_t, uint32_t> waits_after_input_;
  std::vector<Line> lines_;      // by thread
  uint32_t opening_ = kNoIndex;  // the host's work from the first step's start to its first call
  SilentWaits silent_waits_;
  std::vector<std::pair<SilentWaits::Place, SilentWait>> silences_;  // that may be waits for the device
  Launches launches_;
  const FullQueue queue_;
  std::vector<Handover> handovers_;
  std::vector<LooseEdge> loose_;
};

}  // namespace

ProcessOperations process_operations(const ProcessTrace& trace, const PhaseRules& rules, bool keeps_places) {
  return Builder(trace, rules, keeps_places).build();
}

}  // namespace tauprof
