// How long NCCL's operations take.
//
// An operation can move its data once it is *ready*: when all ranks that it needs have arrived. Then
//
//   duration = (α · steps + factor · bytes / β · slowest · sharing) · jitter · (1 + interference · 0.15 · busy) · scale
//   end      = ready + duration + scatter
//
//                            steps       factor       bytes (as nccl-tests count them)
//   AllReduce                2 (n − 1)   2 (n−1)/n    count
//   AllGather, ReduceScatter n − 1       (n−1)/n      n · count
//   AlltoAll                 n − 1       (n−1)/n      n · count
//   Scatter, Gather          n − 1       (n−1)/n      n · count
//   Broadcast, Reduce        n − 1       1            count
//   Send, Recv               1           1            count
//
// where n is the number of ranks, and
//   α, β     from the configuration or the device profile
//   slowest  the largest link factor of the members
//   sharing  the number of sends, or receives, of one kernel, which share the link
//   jitter   log-normal, the same on all ranks, from a hash of communicator and sequence number
//   busy     the share of members on whose device a compute kernel ran when they arrived
//   scale    Config::time_scale
//   scatter  between 0 and Config::end_scatter, from a hash of rank and operation
//
// Which ranks an operation needs:
//   - a receiver (Recv; all but the root of Broadcast and Scatter) needs its sender
//   - a sender (Send; the root of Broadcast and Scatter; all but the root of Reduce and Gather) of up to 64 KiB needs
//     no other rank, because NCCL's buffers take its data. It ends after α + its bytes / β
//   - any other rank needs all members (Send: its receiver)
//
// Example: an all-reduce of 80 MB over 4 ranks, α = 3 µs, β = 400 GB/s: 6 · 3 µs + 1.5 · 80 MB / 400 GB/s = 318 µs
// after the last of the four has arrived.
#pragma once

#include <cstdint>

#include "simgpu/engine/clock.h"
#include "simgpu/nccl/message.h"

namespace simgpu::nccl {

constexpr std::uint64_t kBufferedBytes = 64 << 10;

// Shared by all ranks of a communicator: the configuration of the first one.
struct TransferSettings {
  double alpha_ns = 0;
  double beta_bytes_per_ns = 1;
  double jitter = 0;
  double interference = 0;
  double time_scale = 1;
  Nanoseconds end_scatter = 0;
  std::uint64_t seed = 0;
  std::uint64_t data_bytes = 0;  // larger operations move no data
};

TransferSettings configured_settings();

struct Conditions {
  double slowest = 1;
  double sharing = 1;
  double busy = 0;
  std::uint64_t hash = 0;  // of the communicator and the sequence number
};

Nanoseconds transfer_duration(const TransferSettings& settings, const Message& message, int ranks,
                              const Conditions& conditions);
// For a sender that waits for no other rank.
Nanoseconds buffering_duration(const TransferSettings& settings, std::uint64_t bytes, const Conditions& conditions);
Nanoseconds scatter_of_rank(const TransferSettings& settings, std::uint64_t hash, int rank);

// Whether this rank's part ends without the others.
bool ends_early(const Message& message, int rank, int ranks);

}  // namespace simgpu::nccl
