// When the main thread went on after backward passes.
//
// It sleeps while another thread launches backward, and nothing marks its waking. On a busy host that may take longer
// than the pass: this time is the pass's, not that of what the main thread does next. How long the thread had been
// running when it made its next call is told by its CPU clock, which the recorder reads after long pauses (c):
//
//     main      |c|····ran····|launch|··|                        |·····ran·····|c|launch of the update
//     autograd                          |launches of backward|
//
// What it ran between two readings, less what it ran up to its last call before the pass, it ran just before the second
// one. Up to that call it is taken to have run, except in calls that block, or may, as copies of pageable memory do.
// Where it lost the processor, that is too much, and too little is left; so what a quarter of the steps exceed, before
// the same phase, counts at least.
//
// Example: readings 20 ms apart say that it ran 1.9 ms; its last call ended 1.2 ms after the first one. So it went on
// 0.7 ms before the second one, and the rest of its pause is backward's.
#pragma once

#include <unordered_map>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

class HandBacks {
 public:
  // `order`: outermost calls of the threads that launch, by start.
  HandBacks(const ProcessTrace& trace, const std::vector<uint32_t>& order);

  // When the main thread went on, of its first calls after a backward pass; `otherwise` for all other calls.
  Nanoseconds before(uint32_t call, Nanoseconds otherwise) const {
    const auto found = went_on_.find(call);
    return found == went_on_.end() ? otherwise : found->second;
  }

 private:
  std::unordered_map<uint32_t, Nanoseconds> went_on_;
};

}  // namespace tauprof
