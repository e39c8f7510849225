// Where NCCL's protocol changes with the size (LL, LL128, Simple), so that one line does not describe all transfers.
//
// Sizes in ascending order are cut into one to three pieces, each with a line of its own, so that Σ |r| over all pieces
// is least (transfer_line.h; the sum ignores odd points). More pieces always fit better, so they must be worth it, by
// the Bayesian information criterion of errors with a Laplace distribution, n sizes and k pieces:
//
//   2 n · ln(Σ|r| / (n − 2k) + noise) + (3k − 1) · ln n
//
// Two terms per line and the cuts are what is fitted; n − 2k corrects the errors of a few points for that; `noise`
// (kTransferNoise) keeps errors that nobody cares about from counting. Another piece is taken if it lowers the
// criterion by kWorthAPiece. Example: 21 sizes with errors of 3 % against one line need errors of 1.7 % or less with
// two; a protocol with twice the latency leaves one line with errors of 15 % and more.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "metrics/link_model/transfer_line.h"

namespace tauprof {

// Whether a line's two terms can be told from points of these sizes (ascending) at all: kFewestSizes, kLeastSpread.
bool can_tell_line(std::span<const SizedTime> points);

// The index at which each piece starts; the first is 0. `points` by size, each size once.
std::vector<size_t> protocol_pieces(std::span<const SizedTime> points);

}  // namespace tauprof
