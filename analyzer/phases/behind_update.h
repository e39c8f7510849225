// What is done behind a step's passes and updates: gathering results, and writing checkpoints.
//
//   result   behind the last kernel that is known to update: few collectives, each of few numbers, with what is copied
//            for them and computed from them. Those of many numbers gather a sharded optimizer's weights; results come
//            behind the last one.
//   save     many copies to the host in a row, there or behind an evaluation: between two of them lie no input copy and
//            at most a few kernels. Copies of a few bytes in front of them are results. What gathers the first weight
//            belongs to them.
//
// Examples, A an update, g and G collectives of few and of many numbers, x any kernel, c and C copies of few and of
// many bytes to the host; below, r for result, s for save:
//     A  G  g  x  c        A  c  C  C  C  …  C        A  x  G  C  G  C  …  G  C
//           r  r  r              s  s  s     s              s  s  s  s     s  s
#pragma once

#include <span>
#include <vector>

#include "model/process_trace.h"
#include "phases/launched_work.h"
#include "phases/phase_rules.h"

namespace tauprof {

// `calls`: a step's outermost calls, by start. Of these, the places `behind` and `extra` are looked at, and changed.
void find_checkpoints(const ProcessTrace& trace, const LaunchedWork& work, std::span<const uint32_t> calls,
                      std::vector<RulePlace>& places);

// `calls`: those behind the step's last kernel that is known to update. Of these, the place `behind`.
void find_results(const ProcessTrace& trace, const LaunchedWork& work, std::span<const uint32_t> calls,
                  std::vector<RulePlace>& places);

}  // namespace tauprof
