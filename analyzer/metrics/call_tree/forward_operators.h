// Which forward operator an operator of a backward pass belongs to.
//
// Autograd numbers what it notes for a backward pass, on each thread apart. Forward operators have the number that is
// next, so of several that have the same only the last one was noted:
//
//   aten::empty 7, aten::linear 7 (aten::addmm inside it 7)   ->   AddmmBackward0 7 belongs to aten::addmm
//
// The framework's numbers of threads are its own. Number t is the thread that has most of the sequence numbers of
// operators of backward passes whose forward operators ran on t.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

class ForwardOperators {
 public:
  explicit ForwardOperators(const ProcessTrace& trace);

  // An index into ProcessTrace::autograd_operators; kNoIndex: none.
  uint32_t of(const AutogradOperator& backward) const;

 private:
  // The first one from there on, in their order.
  std::vector<uint32_t>::const_iterator first_from(int64_t sequence, uint16_t thread, Nanoseconds start) const;
  // The last operator with its number that started before it, on this thread.
  uint32_t last_on(uint16_t thread, const AutogradOperator& backward) const;

  const ProcessTrace& trace_;
  std::vector<uint32_t> forward_;        // by number, then thread, then start
  std::map<int64_t, uint16_t> threads_;  // by the framework's number
};

}  // namespace tauprof
