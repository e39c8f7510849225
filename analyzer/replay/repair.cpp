#include "replay/repair.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "limits/analysis_limits.h"
#include "metrics/efficiency/device_peaks.h"
#include "metrics/statistics/statistics.h"
#include "replay/alignment.h"
#include "replay/as_graph.h"
#include "replay/other_products.h"

namespace tauprof {
namespace {

template <class Value>
bool is_chosen(const std::vector<Value>& chosen, Value value) {
  return chosen.empty() || std::find(chosen.begin(), chosen.end(), value) != chosen.end();
}

// Asynchronous copies of input have a repair of their own.
bool waits_for_device(const OperationLabel& operation) {
  const bool brings_input =
      operation.call_class == CallClass::kAwaitedCopy && operation.copy_kind == log::CopyKind::kHostToDevice;
  return blocks_host(operation.call_class) && !brings_input;
}

// How much further on in a list the examples of a draw are.
size_t shift_of(Draw draw, size_t count) { return draw == Draw::kFirst ? 0 : std::max<size_t>(1, count / 2); }

// Whether a row of the ledger would be shorter without the operation.
bool is_of_row(const OperationLabel& operation, LedgerRow row) {
  if (moves_data(row)) return operation.kind == OperationKind::kComm;
  switch (row) {
    case LedgerRow::kExposedCopy:
      return operation.kind == OperationKind::kCopy;
    case LedgerRow::kIdleHostSync:
      return operation.kind == OperationKind::kReturn && waits_for_device(operation);
    case LedgerRow::kIdleHostAllocation:
      return is_on_host(operation.kind) && operation.kind != OperationKind::kBetween && operation.row == row;
    default:
      return is_on_host(operation.kind) && operation.row == row;
  }
}

// A copy of input, or the wait of a call for one.
bool is_input_copy(const OperationLabel& operation) {
  const bool may_be = operation.kind == OperationKind::kCopy || operation.kind == OperationKind::kReturn;
  return may_be && operation.copy_kind == log::CopyKind::kHostToDevice && brings_input(operation.phase);
}

}  // namespace

void let_run_beside(size_t rank, OperationId id, const OperationLabel& operation, Changes& changes) {
  if (operation.kind == OperationKind::kCopy)
    changes.run_beside(rank, id, operation, operation.is_pinned || !blocks_host(operation.call_class));
  else
    changes.remove(id);
}

template <class Visit>
void Repairs::for_chosen(const Repair& repair, Visit&& visit) const {
  for (size_t rank = 0; rank < run_.rank_count(); ++rank) {
    if (!repair.is_about(run_.rank_number(rank))) continue;
    const ChosenSteps chosen(run_, rank, repair.steps, repair.are_windows);
    run_.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
      const int64_t step = run_.step_of(rank, operation);
      if (step != kNoStep && chosen.has(id, step)) visit(rank, id, operation);
    });
  }
}

std::string Repairs::apply(const Repair& repair, const Faults& held_up, Changes& changes, Draw draw) {
  if (std::string reason = waits_.why_not(repair); !reason.empty()) return reason;
  switch (repair.kind) {
    case RepairKind::kAsPeers:
      return make_as_peers(repair, held_up, draw, changes);
    case RepairKind::kAsOtherSteps:
      return make_as_other_steps(repair, draw, changes);
    case RepairKind::kLinks:
      return mend_links(repair, changes);
    case RepairKind::kRow:
      if (is_of_device(*repair.row)) return start_as_usual(repair, changes);
      remove_row(*repair.row, repair, changes);
      return {};
    case RepairKind::kAsGraph:
      return launch_as_graphs(run_, repair, changes);
    case RepairKind::kInputCopies:
      for_chosen(repair, [&](size_t rank, OperationId id, const OperationLabel& operation) {
        if (is_input_copy(operation)) let_run_beside(rank, id, operation, changes);
      });
      return {};
    case RepairKind::kTf32:
      return OtherProducts(run_).in_tf32(repair.ranks, changes);
    case RepairKind::kAligned:
      return OtherProducts(run_).aligned(repair.ranks, changes);
    case RepairKind::kFusedUpdate:
      return fuse_update(repair, changes);
    case RepairKind::kNone:
      break;
  }
  return repair.reason.empty() ? "no repair of it can be replayed" : repair.reason;
}

Repair Repairs::plain(const Repair& repair, const Faults& held_up) {
  Repair plain = repair;
  bool is_whole = true;
  for (size_t rank = 0; rank < run_.rank_count() && repair.kind == RepairKind::kAsPeers; ++rank)
    is_whole &= !repair.is_about(run_.rank_number(rank)) || has_whole_example(rank, repair, held_up);
  if (!is_whole) return plain;
  plain.fault = Fault::kAny;
  if (repair.kind == RepairKind::kAsPeers) plain.row.reset();
  return plain;
}

bool Repairs::has_whole_example(size_t rank, const Repair& repair, const Faults& held_up) {
  return !examples_for(rank, Fault::kAny, held_up).empty() || !typical_others(rank, repair.steps).empty();
}

std::vector<int64_t> Repairs::steps_of(size_t rank) const {
  std::vector<int64_t> numbers;
  for (const GraphStep& step : run_.steps(rank)) numbers.push_back(step.number);
  return numbers;
}

std::vector<int64_t> Repairs::typical_others(size_t rank, const std::vector<int64_t>& steps) const {
  std::map<int64_t, Nanoseconds> lengths;
  const Schedule<Nanoseconds>& measured = run_.measured();
  for (size_t other = 0; other < run_.rank_count(); ++other)
    for (const GraphStep& step : run_.steps(other)) lengths[step.number] += step.in(measured).length();
  std::vector<int64_t> others;
  for (const int64_t number : steps_of(rank))
    if (!is_chosen(steps, number)) others.push_back(number);
  std::sort(others.begin(), others.end(), [&](int64_t a, int64_t b) { return lengths[a] < lengths[b]; });
  const auto quarter = static_cast<std::ptrdiff_t>(others.size() / 4);
  std::vector<int64_t> typical(others.begin() + quarter, others.end() - quarter);
  std::sort(typical.begin(), typical.end());
  return typical;
}

std::vector<size_t> Repairs::examples_for(size_t rank, Fault fault, const Faults& held_up) {
  std::vector<size_t> examples;
  for (const size_t peer : peers_.of(rank)) {
    const auto other = held_up.find(run_.rank_number(peer));
    const bool is_example = other == held_up.end()
                                ? fault == Fault::kAny
                                : fault != Fault::kAny && other->second != Fault::kAny && other->second != fault;
    if (is_example && !run_.steps(peer).empty() && examples.size() < kMostExamples) examples.push_back(peer);
  }
  return examples;
}

std::vector<int64_t> Repairs::alike(size_t rank, int64_t step, const std::vector<int64_t>& steps) {
  const size_t work = peers_.device_work(rank, step);
  std::vector<int64_t> alike;
  for (const int64_t other : steps)
    if (peers_.device_work(rank, other) == work) alike.push_back(other);
  return alike.empty() ? steps : alike;
}

// Random variation of a peer affects the rank as well, but not at the same time: the step that waits for both waits for
// the later one. So the example is another step of the peer, unless the ranks vary together, as where each step has
// inputs of another length. Not all ranks need to have recorded the same steps.
Repairs::Example Repairs::example_of(size_t rank, const std::vector<size_t>& ranks, int64_t step, size_t turn,
                                     Draw draw) {
  const auto has_step = [&](size_t peer) {
    const std::vector<int64_t> steps = steps_of(peer);
    return std::find(steps.begin(), steps.end(), step) != steps.end();
  };
  const size_t first = turn + (draw == Draw::kSecond ? 1 : 0);
  size_t peer = ranks[first % ranks.size()];
  for (size_t i = 0; i < ranks.size() && !has_step(peer); ++i) peer = ranks[(first + i) % ranks.size()];
  if (!has_step(peer)) {
    const std::vector<int64_t> others = steps_of(peer);
    return {peer, others[(turn + shift_of(draw, others.size())) % others.size()]};
  }
  if (peers_.vary_together(rank, peer)) return {peer, step};
  const std::vector<int64_t> steps = alike(peer, step, steps_of(peer));
  const auto own = static_cast<size_t>(std::find(steps.begin(), steps.end(), step) - steps.begin());
  return {peer, steps[(own + 1 + shift_of(draw, steps.size())) % steps.size()]};
}

std::set<OperationId> Repairs::at_fault(size_t rank, int64_t step, Fault fault, const ChosenSteps& chosen) {
  std::set<OperationId> found;
  for (const auto& [id, operation] : peers_.operations(rank, step))
    if (is_on_host(operation->kind) == (fault == Fault::kHost) && chosen.has(id, step)) found.insert(id);
  return found;
}

std::string Repairs::make_as_peers(const Repair& repair, const Faults& held_up, Draw draw, Changes& changes) {
  for (size_t rank = 0; rank < run_.rank_count(); ++rank) {
    if (!repair.is_about(run_.rank_number(rank))) continue;
    std::vector<size_t> examples = examples_for(rank, Fault::kAny, held_up);
    const std::vector<int64_t> unhurt = typical_others(rank, repair.steps);
    const bool is_in_part = examples.empty() && unhurt.empty();
    if (is_in_part) examples = examples_for(rank, repair.fault, held_up);
    if (examples.empty() && unhurt.empty() && repair.row) {
      Repair of_rank = repair;
      of_rank.ranks = {run_.rank_number(rank)};
      remove_row(*repair.row, of_rank, changes);
      continue;
    }
    if (examples.empty() && unhurt.empty())
      return "no other rank does the same work as rank " + std::to_string(run_.rank_number(rank)) +
             (peers_.of(rank).empty() ? "" : " but those that are repaired, too, or hold others up themselves") +
             ", and no other step is without it";
    const ChosenSteps chosen(run_, rank, repair.steps, repair.are_windows);
    if (examples.empty()) {
      copy_own_steps(rank, unhurt, false, chosen, draw, changes);
      continue;
    }
    // In turns, so that the examples' own ups and downs stay as random as they are.
    size_t turn = 0;
    for (const int64_t number : steps_of(rank)) {
      const Example example = example_of(rank, examples, number, turn++, draw);
      const std::set<OperationId> part =
          is_in_part ? at_fault(rank, number, repair.fault, chosen) : std::set<OperationId>();
      copy_step(rank, number, example, false, chosen, is_in_part ? &part : nullptr, changes);
    }
  }
  return {};
}

// On all ranks after the same step, so that the members of a collective fit together.
std::string Repairs::make_as_other_steps(const Repair& repair, Draw draw, Changes& changes) {
  for (size_t rank = 0; rank < run_.rank_count(); ++rank) {
    const std::vector<int64_t> unhurt = typical_others(rank, repair.steps);
    if (unhurt.empty()) return "no other step is without it";
    copy_own_steps(rank, unhurt, true, ChosenSteps(run_, rank, repair.steps, repair.are_windows), draw, changes);
  }
  return {};
}

// Host work before a step lies in its device's window of the step before. So where that is chosen, the example is the
// work after an unhurt step.
void Repairs::copy_own_steps(size_t rank, const std::vector<int64_t>& unhurt, bool with_transfers,
                             const ChosenSteps& chosen, Draw draw, Changes& changes) {
  const std::vector<int64_t> numbers = steps_of(rank);
  std::vector<int64_t> after;
  for (size_t i = 1; i < numbers.size(); ++i)
    if (std::find(unhurt.begin(), unhurt.end(), numbers[i - 1]) != unhurt.end()) after.push_back(numbers[i]);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const int64_t example = unhurt[(i + shift_of(draw, unhurt.size())) % unhurt.size()];
    const std::set<OperationId> left =
        copy_step(rank, numbers[i], {rank, example}, with_transfers, chosen, nullptr, changes);
    if (!left.empty() && !after.empty())
      copy_step(rank, numbers[i], {rank, after[i % after.size()]}, with_transfers, chosen, &left, changes);
  }
}

std::set<OperationId> Repairs::copy_step(size_t rank, int64_t step, Example from, bool with_transfers,
                                         const ChosenSteps& chosen, const std::set<OperationId>* only,
                                         Changes& changes) {
  const std::vector<Peers::Placed>& operations = peers_.operations(rank, step);
  const std::vector<Peers::Placed>& examples = peers_.operations(from.rank, from.step);
  const std::vector<uint32_t> partners =
      partners_of(peers_.families(rank, step), peers_.families(from.rank, from.step));
  std::set<OperationId> left;
  for (size_t i = 0; i < operations.size(); ++i) {
    const auto& [id, operation] = operations[i];
    const bool has_example = partners[i] != kNoPartner;
    if (only != nullptr ? !only->contains(id) : !chosen.has(id, step)) continue;
    if (operation->kind == OperationKind::kComm && !has_example) continue;
    if (operation->kind == OperationKind::kComm && !with_transfers) {
      move_as_much(rank, {id, operation}, from.rank, examples[partners[i]], changes);
      continue;
    }
    if (!has_example) {
      changes.remove(id);
      continue;
    }
    const OperationId example = examples[partners[i]].id;
    if (from.rank == rank && chosen.has(example, from.step)) {
      left.insert(id);
      continue;
    }
    from.rank == rank ? changes.copy_other_step(id, example) : changes.copy_peer(id, example);
    // The first thing that a thread does: how late it comes is its delay.
    if (run_.graph().edges(id).empty() && run_.graph().edges(example).empty())
      changes.set_delay(id, run_.graph().delay(example));
  }
  return left;
}

// How much a rank sends and receives is its work; how fast that goes is its link's.
void Repairs::move_as_much(size_t rank, const Peers::Placed& own, size_t other, const Peers::Placed& example,
                           Changes& changes) const {
  const auto amount = static_cast<double>(run_.own_amount(rank, *own.operation));
  const auto of_example = static_cast<double>(run_.own_amount(other, *example.operation));
  if (amount > 0 && of_example > 0 && amount != of_example) changes.set_amount(own.id, of_example / amount);
}

// Gives slow collectives the transfer time of the same one among ranks that share no communicator with the mended ones.
std::string Repairs::mend_links(const Repair& repair, Changes& changes) {
  std::set<uint32_t> slow;  // meetings in which a mended rank takes part
  for (size_t rank = 0; rank < run_.rank_count(); ++rank)
    if (repair.is_about(run_.rank_number(rank)))
      run_.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
        if (operation.kind == OperationKind::kComm) slow.insert(run_.graph().meeting(id));
      });
  slow.erase(kNoMeeting);
  using Place = std::tuple<int64_t, uint64_t, uint64_t>;  // step, family, how many came before it
  std::map<Place, std::vector<Nanoseconds>> elsewhere;
  const auto for_all = [&](auto&& take) {
    for (size_t rank = 0; rank < run_.rank_count(); ++rank)
      for (const int64_t step : steps_of(rank)) {
        if (!is_chosen(repair.steps, step)) continue;
        std::unordered_map<uint64_t, uint64_t> counts;  // by family
        for (const auto& [id, operation] : peers_.operations(rank, step)) {
          if (operation->kind != OperationKind::kComm || run_.graph().meeting(id) == kNoMeeting) continue;
          const uint64_t family = Peers::family(run_.name_of(rank, *operation), *operation);
          take({step, family, counts[family]++}, id, slow.contains(run_.graph().meeting(id)));
        }
      }
  };
  for_all([&](const Place& place, OperationId id, bool is_slow) {
    if (!is_slow) elsewhere[place].push_back(run_.graph().duration(id));
  });
  bool is_known = false;
  for_all([&](const Place& place, OperationId id, bool is_slow) {
    const auto others = elsewhere.find(place);
    if (!is_slow || others == elsewhere.end()) return;
    is_known = true;
    changes.set_duration(id, std::min(lower_median(others->second), run_.graph().duration(id)));
  });
  return is_known ? "" : "the same collectives are nowhere without these ranks";
}

// The update's first kernel takes as long as moving the bytes; all others, and their launches, are gone.
std::string Repairs::fuse_update(const Repair& repair, Changes& changes) {
  for (size_t rank = 0; rank < run_.rank_count(); ++rank) {
    if (!repair.is_about(run_.rank_number(rank))) continue;
    const std::optional<double> bandwidth = memory_bandwidth(run_.device_name(rank));
    if (!bandwidth) return "the memory bandwidth of " + run_.device_name(rank) + " is not known";
    const auto length = static_cast<Nanoseconds>(1e9 * repair.update_bytes / *bandwidth);
    std::set<std::pair<int64_t, OperationKind>> seen;  // kinds of operations of a step's update
    run_.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
      const int64_t step = run_.step_of(rank, operation);
      if (step == kNoStep || operation.phase != Phase::kOptimStep || operation.kind == OperationKind::kComm) return;
      if (!seen.emplace(step, operation.kind).second)
        changes.remove(id);
      else if (operation.kind == OperationKind::kCompute)
        changes.set_duration(id, length);
    });
  }
  return {};
}

void Repairs::remove_row(LedgerRow row, const Repair& repair, Changes& changes) {
  for_chosen(repair, [&](size_t rank, OperationId id, const OperationLabel& operation) {
    if (!is_of_row(operation, row)) return;
    if (row == LedgerRow::kExposedCopy)
      let_run_beside(rank, id, operation, changes);
    else if (operation.row == LedgerRow::kIdleDataWait)
      changes.remove_wait(id, operation.besides_ns);
    else if (operation.row == LedgerRow::kIdleHostStall && operation.besides_ns > 0)
      changes.set_duration(id, std::min<Nanoseconds>(run_.graph().duration(id), operation.besides_ns));
    else
      changes.remove(id);
  });
}

// Operations that start late after all that they wait for start as soon as is usual on their device. Where the usual
// delay is most of the time already, nothing tells how much would be left.
std::string Repairs::start_as_usual(const Repair& repair, Changes& changes) {
  Nanoseconds usual = 0, beyond = 0;
  for_chosen(repair, [&](size_t, OperationId id, const OperationLabel& operation) {
    if (is_on_host(operation.kind) || operation.row != repair.row) return;
    Nanoseconds ready = INT64_MIN, lag = 0;
    for (const auto& edge : run_.graph().edges(id)) {
      const Nanoseconds noticed = run_.measured()[edge.before].end + edge.lag;
      if (noticed <= ready) continue;
      ready = noticed;
      lag = edge.lag;
    }
    if (ready == INT64_MIN) return;
    const Nanoseconds delay = run_.graph().delay(id);
    usual += std::max<Nanoseconds>(0, lag + std::min<Nanoseconds>(0, delay));
    if (delay <= 0) return;
    beyond += delay;
    changes.set_delay(id, 0);
  });
  if (beyond > usual) return {};
  return "most of it is the time that this device always takes from one piece of work to the next: what would be left "
         "of it with fewer pieces is not in the records";
}

}  // namespace tauprof
