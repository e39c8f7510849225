// One forward, one backward: the order in which a pipeline stage works on its micro-batches.
//
// A stage first runs one forward pass for each later stage, then alternates, then runs the remaining backward passes.
// With 2 stages and 3 micro-batches, stage 0 runs F0 F1 B0 F2 B1 B2 and stage 1 F0 B0 F1 B1 F2 B2. While alternating, a
// send and a receive with the same neighbour form one group, so that no two stages wait for each other.
#pragma once

#include <functional>

#include "machine.h"

namespace training {

struct StageWork {
  std::function<Buffer(int micro_batch, Buffer in)> forward;
  std::function<Buffer(int micro_batch, Buffer out_gradient)> backward;
};

void run_one_forward_one_backward(Machine& machine, int micro_batches, const StageWork& work);
void run_forward_only(Machine& machine, int micro_batches, const StageWork& work);

}  // namespace training
