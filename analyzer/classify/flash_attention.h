// Counts the products of FlashAttention 2, which is called by no library whose calls are recorded: by the names of its
// kernels and the grids they are launched with.
//
// A forward kernel has a block for each tile of queries, sequence and head; the gradients' kernel one for each tile of
// keys, sequence and head, behind a preparation with one for each tile of queries. So a backward pass tells both
// lengths, a forward pass that of its queries; it has the keys that all backward passes with its queries, sequences and
// heads have. What that leaves open stays uncounted: lengths that do not fill their tiles or are packed
// (varlen), deterministic gradients, whose grid is that of the device, and forward passes without a backward pass.
#pragma once

#include "model/process_trace.h"

namespace tauprof {

// Adds to the trace's products. Launches that have one already, by the operator around them, keep it.
void count_flash_attention(ProcessTrace& trace);

}  // namespace tauprof
