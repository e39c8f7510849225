// What follows a step's passes and updates: gathering results and writing checkpoints.
//
//   results       follow the last kernel that is known to update: a few collectives, each of few numbers, with what is
//                 copied for them and computed from them. Collectives of many numbers gather a sharded optimizer's
//                 weights; results follow the last of those.
//   a checkpoint  is many copies to the host in a row, there or after an evaluation. Between two of them lie no input
//                 copy and at most a few kernels. Copies of a few bytes before them are results. Collectives that
//                 gather the first weight belong to the checkpoint.
//
// Examples, A an update, g and G collectives of few and of many numbers, x any kernel, c and C copies of few and of
// many bytes to the host. Below them r is for results, s for a checkpoint (`save` in rules):
//     A  G  g  x  c        A  c  C  C  C  …  C        A  x  G  C  G  C  …  G  C
//           r  r  r              s  s  s     s              s  s  s  s     s  s
#pragma once

#include <span>
#include <vector>

#include "model/process_trace.h"
#include "phases/launched_work.h"
#include "phases/rule.h"

namespace tauprof {

// `calls`: a step's outermost calls, by start. Looks at those in kAfterLastPass and kExtra, and changes their part.
void find_checkpoints(const ProcessTrace& trace, const LaunchedWork& work, std::span<const uint32_t> calls,
                      std::vector<StepPart>& parts);

// `calls`: those after the step's last kernel that is known to update. Looks at those in kAfterLastPass.
void find_results(const ProcessTrace& trace, const LaunchedWork& work, std::span<const uint32_t> calls,
                  std::vector<StepPart>& parts);

}  // namespace tauprof
