// Limits for judging links by their transfers, and how ranks share the work by their communicators.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tauprof {

// --- latency and bandwidth of links ---------------------------------------------------------------------------------
// A line through fewer sizes is not tried: it has two terms, and two more sizes are needed to contradict it …
inline constexpr size_t kFewestSizes = 4;
// … nor where the largest size is less than this multiple of the smallest: three doublings. Within less, a bend of the
// curve looks the same as a latency.
inline constexpr double kLeastSpread = 8;
// Times near sizes that do not spread are told by a line through this many: two terms, and one that can contradict it.
inline constexpr size_t kFewestNearby = 3;
// NCCL has three protocols (LL, LL128, Simple), so that sizes fall into three pieces at most.
inline constexpr size_t kMostPieces = 3;
// Another piece must lower the criterion (protocol_pieces.h) by this much: a likelihood ratio of e^5 or 150, "very
// strong evidence" in Kass and Raftery's words (Bayes Factors, 1995).
inline constexpr double kWorthAPiece = 10;
// Relative errors of transfers below this are not looked into, and no line is taken to be known better: time stamps of
// short kernels are as coarse.
inline constexpr double kTransferNoise = 0.01;
// Points that lie off the line can be told among this many: of fewer, too few would be left to say which are right.
inline constexpr size_t kFewestForOutliers = 8;
// The latency, the bandwidth or a predicted time is known if its standard error is at most this share of it. By
// convention: then it is right to a fifth, nearly always.
inline constexpr double kLargestTermError = 0.1;
// Sizes are told apart up to this many; more are put together with their neighbours, in steps of one ratio. A job that
// exchanges whatever a batch holds has a size for each call.
inline constexpr size_t kMostSizes = 64;
// A time is predicted for sizes up to this multiple of what was seen, or down to its inverse. By convention: further
// away another protocol or algorithm is likely.
inline constexpr double kFarthestSize = 4;
// Latencies agree with a number of steps if they lie within this share of latency per step times steps: links of one
// kind differ by as much, while ring and tree differ by half from 2 ranks to 4.
inline constexpr double kSameStepLatency = 0.1;
// … or, where that is more, this many standard errors of the latency: a right one lies further away once in twenty.
inline constexpr double kLatencyDeviations = 2;

// --- annotations of collectives -------------------------------------------------------------------------------------
// The annotation around a launch is looked for among this many that start before it, from the innermost outwards:
// c10d's, PyTorch's and NCCL's own nest, and whatever ended before does not count.
inline constexpr int kNestedAnnotations = 4;

// --- slow links -----------------------------------------------------------------------------------------------------
// Links are slow if transfers reach less than this share of their peak. By convention: NCCL reaches three quarters and
// more where nothing is wrong, and kernels that compute meanwhile take some of it …
inline constexpr double kSlowLinks = 0.5;
// … of transfers from this size on. In smaller ones the latency counts, which says nothing of the links.
inline constexpr int64_t kLargeTransfer = int64_t{16} << 20;

// --- how ranks share the work (parallelism.h) -----------------------------------------------------------------------
// Layers that are split reduce as much in the forward pass as in the backward pass, or half as much where the forward
// pass is computed again. Normalisation over all ranks reduces some numbers per channel. Between them by convention.
inline constexpr double kTensorForward = 0.25;
// A sharded optimizer gathers as many weights as it reduced gradients, or half the bytes where those are in FP32.
// Statistics that are gathered are some numbers. By convention between them.
inline constexpr double kGatheredUpdate = 0.25;

}  // namespace tauprof
