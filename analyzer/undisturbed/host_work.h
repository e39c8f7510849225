// The host's work of a process, step by step and thread by thread: what each call came after, and how long it took.
//
// The same program makes the same calls in the same order in most of its steps, so work of one step can be put in the
// place of another's, call by call.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/rank_operations.h"
#include "replay/run_graph.h"

namespace tauprof {

// The ranks of the run that come first in their processes.
std::vector<size_t> first_ranks(const RunGraph& run);

// Time of the host that is its own work: it neither waits in it nor loads input.
bool is_own_work(const OperationLabel& operation);

// The same names have the same number in all logs.
class CallNames {
 public:
  uint32_t number(const std::string& name) {
    return numbers_.try_emplace(name, static_cast<uint32_t>(numbers_.size())).first->second;
  }

 private:
  std::unordered_map<std::string, uint32_t> numbers_;
};

struct WorkOfCall {
  uint32_t name = 0;
  uint32_t operation = 0;  // of its process: what the host did before; the next one is the call
  Nanoseconds before = 0;  // how long …
  Nanoseconds silence = 0;  // … of the time since its last call: for the rest it waited for another thread
  Nanoseconds inside = 0;  // how long the call took, …
  bool waits = false;      // … of which it waited for the device
  bool blocks = false;     // it is one that has to

  bool has_turn() const { return before < silence; }
};

struct WorkOfThread {
  uint16_t thread = 0;
  std::vector<WorkOfCall> calls;  // in their order

  bool has_calls_of(const WorkOfThread& other) const;
};

struct WorkOfStep {
  int64_t number = 0;
  StepPlace place;
  std::vector<WorkOfThread> threads;

  // The thread that makes the same calls, the same thread if possible, but none of `taken`; null: there is none.
  const WorkOfThread* like(const WorkOfThread& other, const std::vector<const WorkOfThread*>& taken) const;
};

// By step, as the process's steps. `time_of`: of each operation.
std::vector<WorkOfStep> work_of_steps(const ProcessOperations& process,
                                      const std::function<Interval(uint32_t)>& time_of, CallNames& names);

// Gives the operations of one run the steps of another run of the same program, in which more is known: kernels have
// names there, and tell updates. Each thread's calls are compared from its first one on, as long as they are the same.
void adopt_steps(const ProcessOperations& from, ProcessOperations& to);

}  // namespace tauprof
