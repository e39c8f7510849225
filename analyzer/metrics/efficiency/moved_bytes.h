// How many bytes of device memory some work reads and writes at least: each value once.
//
// A product C (m×n) = A (m×k) · B (k×n) reads A and B and writes C, which is as wide as the wider input. Of a
// convolution the terms give the output (m×n) and the weights (n×k); of the input, only that a position of the output
// sees k of it, which positions beside each other share: it is between nothing and m×k. Of attention they give the
// queries and what comes of them (m×k), and the keys and values (n×k) if no heads share them; if they do, it is less.
// A backward pass of it reads and writes each of these and its gradient.
#pragma once

#include "model/known_work.h"
#include "model/process_trace.h"

namespace tauprof {

// Of one product; not known: no types, or the shapes of a group differ.
MovedBytes moved_bytes(const GemmShape& shape);

// A copy or a memset on one device reads and writes its memory; copies to and from elsewhere are bound by what lies
// between. Nothing is known of kernels by themselves.
KnownWork work_of_copy(const DeviceSpan& span);

}  // namespace tauprof
