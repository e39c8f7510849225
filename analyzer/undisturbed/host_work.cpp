#include "undisturbed/host_work.h"

#include <algorithm>
#include <map>
#include <set>

namespace tauprof {

std::vector<size_t> first_ranks(const RunGraph& run) {
  std::vector<size_t> first;
  std::set<const ProcessOperations*> known;
  for (size_t rank = 0; rank < run.rank_count(); ++rank)
    if (known.insert(&run.process(rank)).second) first.push_back(rank);
  return first;
}

bool is_own_work(const OperationLabel& operation) {
  return operation.kind == OperationKind::kCall ||
         (operation.kind == OperationKind::kBetween && operation.row != LedgerRow::kIdleDataWait);
}

bool WorkOfThread::has_calls_of(const WorkOfThread& other) const {
  return std::equal(calls.begin(), calls.end(), other.calls.begin(), other.calls.end(),
                    [](const WorkOfCall& a, const WorkOfCall& b) { return a.name == b.name; });
}

const WorkOfThread* WorkOfStep::like(const WorkOfThread& other, const std::vector<const WorkOfThread*>& taken) const {
  const WorkOfThread* found = nullptr;
  for (const WorkOfThread& one : threads) {
    if (!one.has_calls_of(other) || std::find(taken.begin(), taken.end(), &one) != taken.end()) continue;
    if (found == nullptr || one.thread == other.thread) found = &one;
  }
  return found;
}

std::vector<WorkOfStep> work_of_steps(const ProcessOperations& process,
                                      const std::function<Interval(uint32_t)>& time_of, CallNames& names) {
  std::vector<WorkOfStep> steps(process.places.steps.size());
  for (size_t step = 0; step < steps.size(); ++step) {
    steps[step].number = process.step_numbers[step];
    steps[step].place = process.places.steps[step];
  }
  std::map<uint16_t, Nanoseconds> last_end;  // by thread
  for (uint32_t i = 0; i + 1 < process.operations.size(); ++i) {
    const OperationLabel& between = process.operations[i];
    if (between.kind != OperationKind::kBetween) continue;
    const uint16_t thread = process.places.hosts[i].thread;
    const Interval before = time_of(i), call = time_of(i + 1);
    const auto [last, is_first] = last_end.try_emplace(thread, before.start);
    const Nanoseconds silence = before.end - last->second;
    last->second = call.end;
    if (between.step == kNoStep) continue;
    std::vector<WorkOfThread>& threads = steps[static_cast<size_t>(between.step)].threads;
    auto own =
        std::find_if(threads.begin(), threads.end(), [&](const WorkOfThread& one) { return one.thread == thread; });
    if (own == threads.end()) own = threads.insert(threads.end(), {thread, {}});
    const OperationLabel& operation = process.operations[i + 1];
    own->calls.push_back({names.number(process.names[between.name]), i, before.length(), silence, call.end - before.end,
                          operation.kind == OperationKind::kReturn, blocks_host(operation.call_class)});
  }
  return steps;
}

namespace {

// The host's work before each call, in order, by thread.
std::vector<std::vector<uint32_t>> calls_of_threads(const ProcessOperations& process) {
  std::vector<std::vector<uint32_t>> threads;
  for (uint32_t i = 0; i < process.operations.size(); ++i) {
    if (process.operations[i].kind != OperationKind::kBetween) continue;
    const uint16_t thread = process.places.hosts[i].thread;
    if (thread >= threads.size()) threads.resize(thread + 1u);
    threads[thread].push_back(i);
  }
  return threads;
}

// Two runs of one program, whose threads need not have the same numbers in both logs.
struct SameProgram {
  SameProgram(const ProcessOperations& one, const ProcessOperations& other)
      : a(one), b(other), calls_of_a(calls_of_threads(one)), calls_of_b(calls_of_threads(other)) {}

  // How many calls of a thread of `a` and one of `b` are the same, from the first on.
  size_t alike(size_t thread_of_a, size_t thread_of_b) const {
    const std::vector<uint32_t>& calls = calls_of_a[thread_of_a];
    const std::vector<uint32_t>& others = calls_of_b[thread_of_b];
    size_t count = 0;
    while (count < std::min(calls.size(), others.size()) &&
           a.names[a.operations[calls[count]].name] == b.names[b.operations[others[count]].name])
      ++count;
    return count;
  }

  // The thread of `b` that is most like it; of equals, the one of its number.
  size_t twin_of(size_t thread_of_a) const {
    size_t twin = std::min(thread_of_a, calls_of_b.size() - 1);
    for (size_t thread = 0; thread < calls_of_b.size(); ++thread)
      if (alike(thread_of_a, thread) > alike(thread_of_a, twin)) twin = thread;
    return twin;
  }

  const ProcessOperations& a;
  const ProcessOperations& b;
  const std::vector<std::vector<uint32_t>> calls_of_a, calls_of_b;  // by thread
};

}  // namespace

void adopt_steps(const ProcessOperations& from, ProcessOperations& to) {
  const SameProgram program(from, to);
  to.step_numbers = from.step_numbers;
  to.places.steps.assign(from.step_numbers.size(), {});
  for (OperationLabel& operation : to.operations) operation.step = kNoStep;
  if (program.calls_of_b.empty()) return;
  size_t busiest = 0;
  for (size_t thread = 0; thread < program.calls_of_a.size(); ++thread)
    if (program.calls_of_a[thread].size() > program.calls_of_a[busiest].size()) busiest = thread;
  std::vector<Nanoseconds> starts(to.step_numbers.size(), INT64_MAX);
  for (size_t thread = 0; thread < program.calls_of_a.size(); ++thread) {
    const size_t twin = program.twin_of(thread);
    for (size_t i = 0; i < program.alike(thread, twin); ++i) {
      const uint32_t call = program.calls_of_b[twin][i];
      const int32_t step = from.operations[program.calls_of_a[thread][i]].step;
      to.operations[call].step = to.operations[call + 1].step = step;
      if (step == kNoStep || thread != busiest) continue;
      Nanoseconds& start = starts[static_cast<size_t>(step)];
      start = std::min(start, to.times[call].end);
    }
  }
  for (size_t step = 0; step + 1 < starts.size(); ++step)
    if (starts[step] < starts[step + 1] && starts[step + 1] != INT64_MAX)
      to.places.steps[step].host = {starts[step], starts[step + 1]};
}

}  // namespace tauprof
